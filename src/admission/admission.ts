import path from "node:path";
import PQueue from "p-queue";
import { ADMISSION } from "../catalogue/texts.ts";
import { FolderRefusal } from "./faults.ts";
import { toFolderName } from "./folder.ts";
import { toAdmissionLimits, type AdmissionLimits } from "./limits.ts";
import { createPool } from "./pool.ts";
import type { CachePlaces } from "./record-cache.ts";
import type { CapabilityRecord } from "./record.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { readBundle } from "./stored-bundle.ts";

export type { AdmissionLimits } from "./limits.ts";

/** Takes in capability folders: reads them without running them, and bundles them. */
export interface Admission extends AsyncDisposable {
  /** What a folder holds. Whatever is wrong with it is in the record; nothing that is in a folder makes this throw. */
  admit(folder: string, options: { readonly shipped: boolean }): Promise<CapabilityRecord>;
  /** The text of a bundle that a record named. Throws where it is lost and its folder has changed since. */
  bundle(hash: string): Promise<string>;
  /** Ends what is being read; those folders are refused. */
  close(): Promise<void>;
}

interface Reading {
  readonly folder: string;
  readonly isShipped: boolean;
}

/**
 * @example
 * await using admission = createAdmission({ cacheDir, shippedDir: null, limits });
 * const record = await admission.admit("capabilities/weather", { shipped: false });
 * if (record.bundleHash !== null) await admission.bundle(record.bundleHash);
 */
export function createAdmission(options: CachePlaces & { readonly limits: AdmissionLimits }): Admission {
  const { cacheDir, shippedDir } = options;
  const places = { cacheDir, shippedDir };
  const limits = toAdmissionLimits(options.limits);
  const queue = new PQueue({ concurrency: limits.admitCount });
  const pool = createPool(limits);
  /** By folder, so that what a folder was before is let go when it is read anew. */
  const admitted = new Map<string, { readonly reading: Reading; readonly hash: string; readonly text: string | null }>();
  let isClosed = false;

  function textInMemory(hash: string): string | null {
    for (const kept of admitted.values()) if (kept.hash === hash && kept.text !== null) return kept.text;
    return null;
  }

  function keep(reading: Reading, record: CapabilityRecord, text: string | null): CapabilityRecord {
    const { bundleHash } = record;
    if (bundleHash === null) admitted.delete(reading.folder);
    else admitted.set(reading.folder, { reading, hash: bundleHash, text });
    return record;
  }

  async function read(reading: Reading): Promise<CapabilityRecord> {
    try {
      const { record, bundleText } = await pool.run({ ...reading, places });
      return keep(reading, record, bundleText);
    } catch (error) {
      if (!(error instanceof FolderRefusal)) throw error;
      return keep(reading, toRefusedRecord(toFolderName(reading.folder), error.message), null);
    }
  }

  function readInTurn(reading: Reading): Promise<CapabilityRecord> {
    return queue.add(() => read(reading));
  }

  async function admit(folder: string, { shipped }: { readonly shipped: boolean }): Promise<CapabilityRecord> {
    if (isClosed) throw new Error(ADMISSION.admissionClosed);
    return await readInTurn({ folder: path.resolve(folder), isShipped: shipped });
  }

  async function bundle(hash: string): Promise<string> {
    const text = textInMemory(hash) ?? (await readBundle(places, hash));
    if (text !== null) return text;
    const origin = admitted.values().find((entry) => entry.hash === hash);
    const isSame = origin !== undefined && !isClosed && (await readInTurn(origin.reading)).bundleHash === hash;
    const rebuilt = isSame ? (textInMemory(hash) ?? (await readBundle(places, hash))) : null;
    if (rebuilt === null) throw new Error(ADMISSION.bundleLost(hash));
    return rebuilt;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await pool.close();
    await queue.onIdle();
  }

  return { admit, bundle, close, [Symbol.asyncDispose]: close };
}
