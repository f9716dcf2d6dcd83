import path from "node:path";
import { ADMISSION } from "../catalogue/texts.ts";
import type { Adapted } from "./adapted.ts";
import type { Reading } from "./admit-folder.ts";
import { codeOf, mapOf } from "./bundle-map.ts";
import type { JobResult } from "./job.ts";
import { toAdmissionLimits, type AdmissionLimits } from "./limits.ts";
import { createReader } from "./reader.ts";
import type { CachePlaces } from "./record-cache.ts";
import type { CapabilityRecord } from "./record.ts";
import { readBundle } from "./stored-bundle.ts";
import { traceStack } from "./trace.ts";

export type { AdmissionLimits } from "./limits.ts";

/** Takes in capability folders: reads them without running them, and bundles them. */
export interface Admission extends AsyncDisposable {
  /** What a folder holds. Whatever is wrong with it is in the record; nothing that is in a folder makes this throw. */
  admit(folder: string, options: { readonly shipped: boolean }): Promise<CapabilityRecord>;
  /**
   * What a source of another form holds, under the path that it is known by: first what lists its tools, then, with the lists,
   * what serves them. The second is of another content than the first where the sources are not the same.
   */
  admitAdapted(path: string, adapted: Adapted, options: { readonly shipped: boolean }): Promise<AdaptedRecord>;
  /** The text of a bundle that a record named. Throws where it is lost and its folder has changed since. */
  bundle(hash: string): Promise<string>;
  /**
   * What the last reading of a folder looked at, relative to the folder and with "/": files by the path that was asked for
   * and by the one that links lead to, and paths where there was none. A change of any may make another record.
   */
  inputsOf(folder: string): readonly string[];
  /** A stack from a cell that runs the bundle, in the files and lines of its author where they are known. For the owner's log. */
  trace(hash: string, stack: string, capability: string): Promise<string>;
  /** Ends what is being read; those folders are refused. */
  close(): Promise<void>;
}

export interface AdaptedRecord {
  readonly record: CapabilityRecord;
  /** By path, the SHA-256 of each file that it was made of. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A folder as it was last read. */
interface Admitted {
  readonly reading: Reading;
  /** Of its bundle, or null where it has none. */
  readonly hash: string | null;
  readonly text: string | null;
  readonly files: readonly string[];
}

export interface AdmissionOptions extends CachePlaces {
  readonly limits: AdmissionLimits;
  /** What the engine's own are read under: they fit into it, whatever strangers are held to. Default: the same. */
  readonly shippedLimits?: AdmissionLimits;
}

/**
 * @example
 * await using admission = createAdmission({ cacheDir, shippedDir: null, limits });
 * const record = await admission.admit("capabilities/weather", { shipped: false });
 * if (record.bundleHash !== null) await admission.bundle(record.bundleHash);
 */
export function createAdmission(options: AdmissionOptions): Admission {
  const { cacheDir, shippedDir } = options;
  const places = { cacheDir, shippedDir };
  const limits = toAdmissionLimits(options.limits);
  const shippedLimits = options.shippedLimits === undefined ? {} : { limits: toAdmissionLimits(options.shippedLimits) };
  const reader = createReader(limits, places);
  /** By folder, so that what a folder was before is let go when it is read anew. */
  const admitted = new Map<string, Admitted>();
  let isClosed = false;

  function textInMemory(hash: string): string | null {
    for (const kept of admitted.values()) if (kept.hash === hash && kept.text !== null) return kept.text;
    return null;
  }

  async function read(reading: Reading): Promise<JobResult> {
    const result = await reader.read(reading);
    const { record, bundleText, files } = result;
    const { bundleHash: hash } = record;
    if (hash === null && files.length === 0) admitted.delete(reading.folder);
    else admitted.set(reading.folder, { reading, hash, text: bundleText, files });
    return result;
  }

  async function admit(folder: string, { shipped }: { readonly shipped: boolean }): Promise<CapabilityRecord> {
    if (isClosed) throw new Error(ADMISSION.admissionClosed);
    return (
      await read({ folder: path.resolve(folder), isShipped: shipped, isCacheable: true, adapted: null, ...(shipped ? shippedLimits : {}) })
    ).record;
  }

  async function admitAdapted(place: string, adapted: Adapted, { shipped }: { readonly shipped: boolean }): Promise<AdaptedRecord> {
    if (isClosed) throw new Error(ADMISSION.admissionClosed);
    const { record, sources } = await read({
      folder: path.resolve(place),
      isShipped: shipped,
      isCacheable: true,
      adapted,
      ...(shipped ? shippedLimits : {}),
    });
    return { record, sources: new Map(sources.map((source) => [source.path, source.sha256])) };
  }

  async function bundle(hash: string): Promise<string> {
    return codeOf(await stored(hash));
  }

  async function trace(hash: string, stack: string, capability: string): Promise<string> {
    const text = textInMemory(hash) ?? (await readBundle(places, hash));
    const map = text === null ? null : mapOf(text);
    return map === null ? stack : traceStack(stack, capability, map);
  }

  async function stored(hash: string): Promise<string> {
    const text = textInMemory(hash) ?? (await readBundle(places, hash));
    if (text !== null) return text;
    const origin = admitted.values().find((entry) => entry.hash === hash);
    const isSame = origin !== undefined && !isClosed && (await read({ ...origin.reading, isCacheable: false })).record.bundleHash === hash;
    const rebuilt = isSame ? (textInMemory(hash) ?? (await readBundle(places, hash))) : null;
    if (rebuilt === null) throw new Error(ADMISSION.bundleLost(hash));
    return rebuilt;
  }

  function inputsOf(folder: string): readonly string[] {
    return admitted.get(path.resolve(folder))?.files ?? [];
  }

  async function close(): Promise<void> {
    isClosed = true;
    await reader.close();
  }

  return { admit, admitAdapted, bundle, inputsOf, trace, close, [Symbol.asyncDispose]: close };
}
