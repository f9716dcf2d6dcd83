import { threadId, type MessagePort } from "node:worker_threads";
import { FolderRefusal } from "./faults.ts";
import { listFolder, toFolderName, type Folder } from "./folder.ts";
import type { AdmissionLimits } from "./limits.ts";
import { createRecordCache, type CachePlaces } from "./record-cache.ts";
import type { CapabilityRecord } from "./record.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { storeBundle } from "./stored-bundle.ts";

export interface Job {
  readonly folder: string;
  readonly isShipped: boolean;
  readonly limits: AdmissionLimits;
  readonly places: CachePlaces;
  readonly port: MessagePort;
}

/** What a thread says before its job is done: in which thread it has begun, and which process esbuild is in. */
export type JobNews = { readonly kind: "started"; readonly threadId: number } | { readonly kind: "process"; readonly pid: number | null };

export interface JobResult {
  readonly record: CapabilityRecord;
  /** The bundle's text where it could not be put into the cache. */
  readonly bundleText: string | null;
}

/** Takes in one folder, in a thread of the pool. Everything that is wrong with the folder is in the record. */
export async function runJob(job: Job): Promise<JobResult> {
  tell(job.port, { kind: "started", threadId });
  try {
    return await admitFolder(listFolder(job.folder, job.isShipped, job.limits.toolCount), job);
  } catch (error) {
    if (!(error instanceof FolderRefusal)) throw error;
    return { record: toRefusedRecord(toFolderName(job.folder), error.message), bundleText: null };
  } finally {
    job.port.close();
  }
}

async function admitFolder(folder: Folder, { isShipped, limits, places, port }: Job): Promise<JobResult> {
  const cache = createRecordCache(places, limits);
  const known = cache.find(folder, isShipped);
  if (known !== null) return { record: known, bundleText: null };
  // The parser, the compiler and the bundler are only brought in for what the cache does not know.
  const [{ createBundler }, { readFolder }] = await Promise.all([import("./bundler.ts"), import("./read-folder.ts")]);
  // The limit on the thread's heap serves esbuild's process too: both hold the same sources.
  const bundler = createBundler({ residentBytes: limits.admitHeapBytes, outputBytes: limits.bundleBytes }, (pid) =>
    tell(port, { kind: "process", pid }),
  );
  try {
    const { record, bundleText, origin } = await readFolder(folder, isShipped, limits, bundler);
    const bundle = bundleText === null ? null : storeBundle(places.cacheDir, bundleText);
    const whole: CapabilityRecord = { ...record, bundleHash: bundle?.hash ?? null };
    if (origin !== null) cache.store(folder, isShipped, { record: whole, origin });
    return { record: whole, bundleText: bundle?.text ?? null };
  } finally {
    await bundler.stop();
  }
}

function tell(port: MessagePort, news: JobNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  port.postMessage(news);
}
