import { setTimeout as pause } from "node:timers/promises";
import { ADMISSION } from "../catalogue/texts.ts";
import type { BuildOutcome, Bundler } from "./bundler.ts";
import { withCodeHash } from "./code-hash.ts";
import { FolderRefusal } from "./faults.ts";
import { listFolder, type Folder } from "./folder.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import type { Batch, JobResult } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";
import { createRecordCache, type Origin } from "./record-cache.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { isOneMoment } from "./snapshot.ts";
import { storeBundle } from "./stored-bundle.ts";

export interface Reading {
  readonly folder: string;
  readonly isShipped: boolean;
  /** Whether a record in the cache will do. */
  readonly isCacheable: boolean;
}

/** A folder that is large, or met a limit, while others were read beside it: it is read again alone, and judged by itself. */
export class NotBesideOthers extends Error {
  override readonly name = "NotBesideOthers";
}

/** What is small enough to be read beside others, whatever the limits allow it alone. */
const SMALL = { inputCount: 64, inputBytes: 256 * 1024 };
/** Before each further try with a folder that changed while it was read. */
const PAUSES_MS = [10, 20, 40, 80, 160];
/** What a watcher is told of one folder: past this a file that appears is seen at the next reading and not before. */
const FILE_CHARS = 1024 * 1024;

type Context = Pick<Batch, "isAlone" | "limits" | "places">;

/**
 * Takes in one folder as it stood at one moment: where it changed meanwhile, it is read again. Throws FolderRefusal for
 * what is wrong with the whole of it.
 */
export async function admitFolder(reading: Reading, context: Context, useBundler: () => Promise<Bundler>): Promise<JobResult> {
  for (const pauseMs of [...PAUSES_MS, null]) {
    const result = await admitOnce(reading, context, useBundler);
    if (result !== null) return result;
    if (pauseMs !== null) await pause(pauseMs);
  }
  throw new FolderRefusal(ADMISSION.changing, false);
}

/** Null where the folder changed meanwhile. */
async function admitOnce(reading: Reading, context: Context, useBundler: () => Promise<Bundler>): Promise<JobResult | null> {
  const { limits, isAlone, places } = context;
  const list = (): Folder => listFolder(reading.folder, reading.isShipped, limits.toolCount);
  const folder = list();
  const inputs = createInputs(folder.root, isAlone ? limits : toSmall(limits));
  const cache = createRecordCache(places, limits);
  try {
    const known = reading.isCacheable ? cache.find(folder, reading.isShipped, inputs) : null;
    if (known !== null) return { record: known.record, bundleText: null, files: toFiles(inputs, known.origin), storedBytes: 0 };
    return await readNow(reading, context, { folder, inputs, list, cache, bundler: await useBundler() });
  } catch (error) {
    if (!(error instanceof FolderRefusal)) throw error;
    // What is too much for a place beside others may be in order alone.
    if (!isAlone) throw new NotBesideOthers(error.message);
    if (!(await isOneMoment(folder, inputs, list))) return null;
    return { record: toRefusedRecord(folder.name, error.message), bundleText: null, files: toFiles(inputs), storedBytes: 0 };
  }
}

interface Listed {
  readonly folder: Folder;
  readonly inputs: Inputs;
  readonly list: () => Folder;
  readonly cache: ReturnType<typeof createRecordCache>;
  readonly bundler: Bundler;
}

async function readNow({ isShipped }: Reading, { limits, isAlone, places }: Context, listed: Listed): Promise<JobResult | null> {
  const { folder, inputs, list, cache, bundler } = listed;
  // The parser and the compiler are only brought in for what the cache does not know.
  const { readFolder } = await import("./read-folder.ts");
  const read = await readFolder(folder, inputs, isShipped, limits, isAlone ? bundler : besideOthers(bundler));
  if (!(await isOneMoment(folder, inputs, list))) return null;
  const bundle = read.bundleText === null ? null : await storeBundle(places.cacheDir, read.bundleText);
  const record = withCodeHash({ ...read.record, bundleHash: bundle?.hash ?? null });
  const recordBytes = read.origin === null ? 0 : await cache.store(folder, isShipped, { record, origin: read.origin });
  return { record, bundleText: bundle?.text ?? null, files: toFiles(inputs), storedBytes: recordBytes + (bundle?.storedBytes ?? 0) };
}

function toSmall(limits: AdmissionLimits): AdmissionLimits {
  const inputCount = Math.min(limits.inputCount, SMALL.inputCount);
  return { ...limits, inputCount, inputBytes: Math.min(limits.inputBytes, SMALL.inputBytes) };
}

/** Of several in a process that met its end, nothing says which one brought it about. */
function besideOthers(bundler: Bundler): Bundler {
  const build = async (options: Parameters<Bundler["build"]>[0]): Promise<BuildOutcome> => {
    const outcome = await bundler.build(options);
    if (outcome.kind === "ended") throw new NotBesideOthers(outcome.by);
    return outcome;
  };
  return { ...bundler, build };
}

function toFiles(inputs: Inputs, origin: Origin = { inputs: inputs.list(), missing: inputs.missing() }): readonly string[] {
  const files = new Set<string>();
  let left = FILE_CHARS;
  for (const file of [...origin.inputs.flatMap(({ path, file: real }) => [path, real]), ...origin.missing]) {
    if (files.has(file)) continue;
    left -= file.length;
    if (left < 0) break;
    files.add(file);
  }
  return [...files];
}
