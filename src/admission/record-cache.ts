import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { FileFault, toErrorCode } from "./faults.ts";
import type { Folder } from "./folder.ts";
import type { AdmissionLimits } from "./limits.ts";
import type { Origin } from "./read-folder.ts";
import type { CapabilityRecord } from "./record.ts";
import { readSourceFile } from "./source-file.ts";
import { hasBundle } from "./stored-bundle.ts";
import { writeWhole } from "./write-whole.ts";

/**
 * Records of folders by their content: an unchanged folder is neither parsed nor bundled again. The name of an entry
 * covers the engine's version, the limits and the folder's own files; the entry lists every other file that had a part
 * in it, and what was looked for in vain.
 */
export interface RecordCache {
  find(folder: Folder, isShipped: boolean): CapabilityRecord | null;
  store(folder: Folder, isShipped: boolean, entry: Entry): void;
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

/** Raised when a record of old would mean something else now, within one version of the engine. */
const FORMAT = 2;
/** A file that is too large to be read is one that has changed. */
const TOO_LARGE = new FileFault("");

export function createRecordCache({ cacheDir, shippedDir }: CachePlaces, limits: AdmissionLimits): RecordCache {
  /** Null where a file of the folder's own could not be read: then there is no entry. */
  function toName(folder: Folder, isShipped: boolean, hashOf: (file: string) => string | undefined): string | null {
    const contents = listOwnFiles(folder).map((file) => [file, hashOf(file)]);
    if (contents.some(([, hash]) => hash === undefined)) return null;
    const key = JSON.stringify([FORMAT, engineVersion(), limits, folder.name, isShipped, contents]);
    return path.join("records", `${toHash(key)}.json`);
  }

  function find(folder: Folder, isShipped: boolean): CapabilityRecord | null {
    try {
      const hashOf = (file: string): string => readSourceFile(folder.root, file, limits.sourceBytes, () => TOO_LARGE).sha256;
      const name = toName(folder, isShipped, hashOf);
      if (name === null) return null;
      const places = isShipped && shippedDir !== null ? [shippedDir, cacheDir] : [cacheDir];
      return places.map((place) => findIn(place, name, folder)).find((record) => record !== null) ?? null;
    } catch (error) {
      // What is wrong with a file is found again, and put into words, where it is read in earnest.
      if (error instanceof FileFault) return null;
      throw error;
    }
  }

  function findIn(place: string, name: string, folder: Folder): CapabilityRecord | null {
    const entry = readEntry(path.join(place, name));
    if (entry === null || !isUnchanged(folder, entry.origin, limits)) return null;
    const { bundleHash } = entry.record;
    return bundleHash === null || hasBundle(place, bundleHash) ? entry.record : null;
  }

  function store(folder: Folder, isShipped: boolean, entry: Entry): void {
    const hashes = new Map(entry.origin.inputs.map((input) => [input.path, input.sha256]));
    const name = toName(folder, isShipped, (own) => hashes.get(own));
    if (name !== null) writeWhole(path.join(cacheDir, name), formatEntry(entry));
  }

  return { find, store };
}

function listOwnFiles({ index, toolFiles }: Folder): readonly string[] {
  return index === null ? toolFiles : [index, ...toolFiles];
}

function isUnchanged({ root }: Folder, { inputs, missing }: Origin, limits: AdmissionLimits): boolean {
  for (const { path: file, file: real, sha256 } of inputs) {
    const source = readSourceFile(root, file, limits.inputBytes, () => TOO_LARGE);
    if (source.file !== real || source.sha256 !== sha256) return false;
  }
  return missing.every((file) => isStillMissing(path.join(root, file)));
}

/** A folder was no file when it was looked for, and is none now. */
function isStillMissing(file: string): boolean {
  try {
    return lstatSync(file).isDirectory();
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(toErrorCode(error));
  }
}

/** The first line vouches for the rest: an entry that was cut short or written over is none. */
function formatEntry(entry: Entry): string {
  const text = JSON.stringify(entry);
  return `${toHash(text)}\n${text}`;
}

function readEntry(file: string): Entry | null {
  let stored: string;
  try {
    stored = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  const end = stored.indexOf("\n");
  const text = stored.slice(end + 1);
  return end !== -1 && toHash(text) === stored.slice(0, end) ? (JSON.parse(text) as Entry) : null;
}

function toHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

let version: string | null = null;

function engineVersion(): string {
  if (version !== null) return version;
  const packageJson: unknown = createRequire(import.meta.url)("../../package.json");
  const isObject = typeof packageJson === "object" && packageJson !== null && "version" in packageJson;
  return (version = isObject ? String(packageJson.version) : "unknown");
}
