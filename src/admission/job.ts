import { parentPort, threadId } from "node:worker_threads";
import { admitFolder, NotBesideOthers, type Reading } from "./admit-folder.ts";
import type { Bundler } from "./bundler.ts";
import { FolderRefusal } from "./faults.ts";
import type { InputFile } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import { pruneCache, type Pruned } from "./prune.ts";
import type { CachePlaces } from "./record-cache.ts";
import type { CapabilityRecord } from "./record.ts";
import { toRefusedResult } from "./refused-record.ts";

/** Folders that are read side by side, or one that is read alone, in a process of esbuild's that nothing else was in. */
export interface Batch {
  readonly id: number;
  readonly readings: readonly Reading[];
  readonly isAlone: boolean;
  readonly limits: AdmissionLimits;
  readonly places: CachePlaces;
}

export interface JobResult {
  readonly record: CapabilityRecord;
  /** The bundle's text where it could not be put into the cache. */
  readonly bundleText: string | null;
  /** Every file that had a part in it, or was looked for in vain, relative to the folder. */
  readonly files: readonly string[];
  /** What it was made of, where it is one of two that have to be made of the same. */
  readonly sources: readonly InputFile[];
  /** What was put into the cache for it. */
  readonly storedBytes: number;
}

/** What a thread says while it works; `alone` of a folder that is not for reading beside others. */
export type ThreadNews = { readonly threadId: number } & (
  | { readonly kind: "process"; readonly pid: number | null }
  | { readonly kind: "started"; readonly batch: number }
  | { readonly kind: "done"; readonly batch: number; readonly index: number; readonly result: JobResult }
  | { readonly kind: "alone"; readonly batch: number; readonly index: number }
);

/** So many builds are under way in one process: while one is waited for the next is read. */
const SIDE_BY_SIDE_COUNT = 8;
/** A change is often followed by another; then the process is there. */
const BUNDLER_IDLE_MS = 1000;

let idleTimer: NodeJS.Timeout | undefined;
let bundler: Promise<Bundler> | null = null;

/** Takes in folders, in a thread of the pool. Everything that is wrong with a folder is in its record. */
export async function runBatch(batch: Batch): Promise<void> {
  clearTimeout(idleTimer);
  tell({ threadId, kind: "started", batch: batch.id });
  const useBundler = (): Promise<Bundler> => (bundler ??= makeBundler(batch.limits));
  if (batch.isAlone) await stopBundler();
  const waiting = batch.readings.entries();
  const readEach = async (): Promise<void> => {
    for (const [index, reading] of waiting) await readOne(batch, index, reading, useBundler);
  };
  try {
    await Promise.all(Array.from({ length: batch.isAlone ? 1 : SIDE_BY_SIDE_COUNT }, readEach));
  } finally {
    if (batch.isAlone) await stopBundler();
    else idleTimer = setTimeout(() => void stopBundler(), BUNDLER_IDLE_MS);
  }
}

/** Removes from the cache what is over its limits, oldest first. */
export function runPrune({ cacheDir, limits }: { readonly cacheDir: string; readonly limits: AdmissionLimits }): Pruned {
  return pruneCache(cacheDir, limits);
}

async function readOne(batch: Batch, index: number, reading: Reading, useBundler: () => Promise<Bundler>): Promise<void> {
  const place = { threadId, batch: batch.id, index };
  try {
    tell({ ...place, kind: "done", result: await admitFolder(reading, batch, useBundler) });
  } catch (error) {
    if (error instanceof FolderRefusal) {
      return tell({ ...place, kind: "done", result: toRefusedResult(reading, error.message) });
    }
    if (batch.isAlone) throw error;
    if (!(error instanceof NotBesideOthers)) await stopBundler();
    tell({ ...place, kind: "alone" });
  }
}

/** The bundler is only brought in for what the cache does not know. */
async function makeBundler({ admitHeapBytes, bundleBytes }: AdmissionLimits): Promise<Bundler> {
  const { createBundler } = await import("./bundler.ts");
  // The limit on the thread's heap serves esbuild's process too: both hold the same sources.
  return createBundler({ residentBytes: admitHeapBytes, outputBytes: bundleBytes }, (pid) => tell({ threadId, kind: "process", pid }));
}

async function stopBundler(): Promise<void> {
  await (await bundler)?.stop();
}

function tell(news: ThreadNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  parentPort?.postMessage(news);
}
