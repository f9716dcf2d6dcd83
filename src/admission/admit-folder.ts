import { setTimeout as pause } from "node:timers/promises";
import { ADMISSION } from "../catalogue/texts.ts";
import type { Adapted } from "./adapted.ts";
import type { BuildOutcome, Bundler } from "./bundler.ts";
import { withCodeHash } from "./code-hash.ts";
import { FolderRefusal } from "./faults.ts";
import { listFolder, toAdaptedFolder, type Folder } from "./folder.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import type { Batch, JobResult } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";
import { createRecordCache, type Origin } from "./record-cache.ts";
import type { ReadFolder, ReadingParts } from "./read-folder.ts";
import type { CapabilityRecord } from "./record.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { isOneMoment } from "./snapshot.ts";
import { storeBundle } from "./stored-bundle.ts";

export interface Reading {
  readonly folder: string;
  readonly isShipped: boolean;
  /** Whether a record in the cache will do. */
  readonly isCacheable: boolean;
  /** Null for a folder in our own form, whose tools are read and not listed. */
  readonly adapted: Adapted | null;
  /** Other limits than those that strangers are held to. */
  readonly limits?: AdmissionLimits;
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
  const { isAlone, places } = context;
  const { adapted, isShipped, limits = context.limits } = reading;
  const list = (): Folder =>
    adapted === null ? listFolder(reading.folder, isShipped, limits.toolCount) : toAdaptedFolder(adapted.source, isShipped);
  const folder = list();
  const inputs = createInputs(folder.root, isAlone ? limits : toSmall(limits), adapted?.source.fence);
  const cache = createRecordCache(places, limits);
  try {
    const known = reading.isCacheable ? cache.find(folder, reading, inputs) : null;
    if (known !== null) return toResult(reading, known.record, inputs, known.origin);
    return await readNow(reading, { ...context, limits }, { folder, inputs, list, cache, bundler: await useBundler() });
  } catch (error) {
    if (!(error instanceof FolderRefusal)) throw error;
    // What is too much for a place beside others may be in order alone.
    if (!isAlone) throw new NotBesideOthers(error.message);
    if (!(await isOneMoment(folder, inputs, list))) return null;
    return toResult(reading, toRefusedRecord(folder.name, error.message), inputs);
  }
}

interface Listed {
  readonly folder: Folder;
  readonly inputs: Inputs;
  readonly list: () => Folder;
  readonly cache: ReturnType<typeof createRecordCache>;
  readonly bundler: Bundler;
}

async function readNow(reading: Reading, { limits, isAlone, places }: Context, listed: Listed): Promise<JobResult | null> {
  const { folder, inputs, list, cache, bundler } = listed;
  const read = await readWith(reading, { folder, inputs, limits, bundler: isAlone ? bundler : besideOthers(bundler) });
  if (!(await isOneMoment(folder, inputs, list))) return null;
  const bundle = read.bundleText === null ? null : await storeBundle(places.cacheDir, read.bundleText);
  const record = withCodeHash({ ...read.record, bundleHash: bundle?.hash ?? null });
  const recordBytes = read.origin === null ? 0 : await cache.store(folder, reading, { record, origin: read.origin });
  return {
    ...toResult(reading, record, inputs),
    bundleText: bundle?.text ?? null,
    storedBytes: recordBytes + (bundle?.storedBytes ?? 0),
  };
}

/** The parser and the compiler are only brought in for what the cache does not know. */
async function readWith({ adapted, isShipped }: Reading, parts: ReadingParts): Promise<ReadFolder> {
  if (adapted === null) return await (await import("./read-folder.ts")).readFolder(parts, isShipped);
  return await (await import("./read-adapted.ts")).readAdapted(parts, adapted, isShipped);
}

function toResult({ adapted }: Reading, record: CapabilityRecord, inputs: Inputs, origin = toOrigin(inputs)): JobResult {
  // Only what is read twice has to be told apart from what it may have become in between.
  const sources = adapted === null ? [] : origin.inputs;
  return { record, bundleText: null, files: toFiles(origin), sources, storedBytes: 0 };
}

function toOrigin(inputs: Inputs): Origin {
  return { inputs: inputs.list(), missing: inputs.missing() };
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

function toFiles(origin: Origin): readonly string[] {
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
