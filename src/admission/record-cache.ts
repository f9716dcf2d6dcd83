import { existsSync } from "node:fs";
import path from "node:path";
import { ENGINE_VERSION } from "../built/built.ts";
import { isStillMissing } from "./absence.ts";
import type { Adapted } from "./adapted.ts";
import { noteUse } from "./cache-use.ts";
import { FileFault } from "./faults.ts";
import type { Folder } from "./folder.ts";
import type { InputFile, Inputs } from "./inputs.ts";
import { toReadingLimits, type AdmissionLimits } from "./limits.ts";
import type { CapabilityRecord } from "./record.ts";
import { readSourceFile } from "./source-file.ts";
import { hasBundle } from "./stored-bundle.ts";
import { formatVouched, readVouched, toHash } from "./vouched-file.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Records of folders by their content: an unchanged folder is neither parsed nor bundled again. The name of an entry
 * covers the engine's version, the limits and the folder's own files; the entry lists every other file that had a part
 * in it, and what was looked for in vain.
 */
export interface RecordCache {
  /** What it reads of the folder's own files is read through `inputs`, once for all. */
  find(folder: Folder, how: Manner, inputs: Inputs): Entry | null;
  /** How many bytes that took. */
  store(folder: Folder, how: Manner, entry: Entry): Promise<number>;
}

/** What else than files and limits makes one record differ from another. */
interface Manner {
  readonly isShipped: boolean;
  readonly adapted: Adapted | null;
}

/** Where records and bundles are kept. */
export interface CachePlaces {
  readonly cacheDir: string;
  /** What the build has made of the shipped capabilities, beside them and never written to; null where there is none. */
  readonly shippedDir: string | null;
}

interface Entry {
  readonly record: CapabilityRecord;
  readonly origin: Origin;
}

/** What a record was made from. */
export interface Origin {
  readonly inputs: readonly InputFile[];
  readonly missing: readonly string[];
}

/** Raised when a record of old would mean something else now, within one version of the engine. */
const FORMAT = 6;
/** A file that is too large to be read is one that has changed. */
const TOO_LARGE = new FileFault("");

export function createRecordCache({ cacheDir, shippedDir }: CachePlaces, limits: AdmissionLimits): RecordCache {
  /** Null where a file of the folder's own could not be read: then there is no entry. */
  function toName(folder: Folder, { isShipped, adapted }: Manner, hashOf: (file: string) => string | undefined): string | null {
    const contents = listOwnFiles(folder).map((file) => [file, hashOf(file)]);
    if (contents.some(([, content]) => content === undefined)) return null;
    const key = JSON.stringify([
      FORMAT,
      ENGINE_VERSION,
      toReadingLimits(limits),
      folder.name,
      isShipped,
      contents,
      ...withoutRoot(adapted),
    ]);
    return path.join("records", `${toHash(key)}.json`);
  }

  function find(folder: Folder, how: Manner, inputs: Inputs): Entry | null {
    try {
      const name = toName(folder, how, (file) => inputs.readForParser(file).sha256);
      if (name === null) return null;
      const places = how.isShipped && shippedDir !== null ? [shippedDir, cacheDir] : [cacheDir];
      return places.map((place) => findIn(place, name, inputs)).find((entry) => entry !== null) ?? null;
    } catch (error) {
      // What is wrong with a file is found again, and put into words, where it is read in earnest.
      if (error instanceof FileFault) return null;
      throw error;
    }
  }

  function findIn(place: string, name: string, inputs: Inputs): Entry | null {
    const file = path.join(place, name);
    const entry = readVouched(file) as Entry | null;
    if (entry === null || !isUnchanged(inputs, entry.origin, limits)) return null;
    const { bundleHash } = entry.record;
    // What the build has made is only ever read.
    const use = place === cacheDir ? noteUse : existsSync;
    return use(file) && (bundleHash === null || hasBundle(place, bundleHash, use)) ? entry : null;
  }

  async function store(folder: Folder, how: Manner, entry: Entry): Promise<number> {
    const hashes = new Map(entry.origin.inputs.map((input) => [input.path, input.sha256]));
    const name = toName(folder, how, (own) => hashes.get(own));
    if (name === null) return 0;
    const text = formatVouched(entry);
    return (await writeWhole(path.join(cacheDir, name), text)) ? text.length : 0;
  }

  return { find, store };
}

// Where it stands makes no difference: a record is of a content.
function withoutRoot(adapted: Adapted | null): readonly unknown[] {
  if (adapted === null) return [];
  const { source, listing } = adapted;
  return [{ ...source, root: "" }, listing];
}

function listOwnFiles({ index, toolFiles }: Folder): readonly string[] {
  return index === null ? toolFiles : [index, ...toolFiles];
}

function isUnchanged(inputs: Inputs, { inputs: files, missing }: Origin, limits: AdmissionLimits): boolean {
  const stamps = inputs.stamps();
  for (const { path: file, file: real, sha256 } of files) {
    const source = stamps.has(file) ? inputs.read(file) : readSourceFile(inputs.root, file, limits.inputBytes, () => TOO_LARGE);
    if (source.file !== real || source.sha256 !== sha256) return false;
  }
  return missing.every((file) => isStillMissing(path.join(inputs.root, file)));
}
