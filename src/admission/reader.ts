import type { Reading } from "./admit-folder.ts";
import { FolderRefusal } from "./faults.ts";
import type { JobResult } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";
import { createPool } from "./pool.ts";
import type { CachePlaces } from "./record-cache.ts";
import { toRefusedResult } from "./refused-record.ts";

/** Hands folders to the threads of the pool, many at a time where many are waiting. */
export interface Reader {
  /** Whatever is wrong with the folder is in the record. */
  read(reading: Reading): Promise<JobResult>;
  /** Ends what is being read; those folders are refused. */
  close(): Promise<void>;
}

interface Waiting {
  readonly reading: Reading;
  readonly resolve: (result: JobResult) => void;
}

/** A batch that is ended takes no more than this with it to be read again. */
const BATCH_COUNT = 32;
/** Of what the limits allow, how much may be added before the cache is looked through again. */
const UNSEEN_SHARE = 1 / 8;

/**
 * Most folders are small and in order: they are read in batches. What is large, or was in a batch that met a limit, is
 * read alone, in a thread and a process that nothing else is in, so that none is ever blamed for its neighbour.
 */
export function createReader(limits: AdmissionLimits, places: CachePlaces): Reader {
  const pool = createPool(limits);
  const beside: Waiting[] = [];
  const alone: Waiting[] = [];
  const reads = new Set<Promise<JobResult>>();
  let running = 0;
  let isScheduled = false;
  /** Added to the cache since it was last looked through; the first time, whatever was there before counts too. */
  let unseen = { bytes: limits.cacheBytes, count: 0 };

  async function read(reading: Reading): Promise<JobResult> {
    const { promise, resolve } = Promise.withResolvers<JobResult>();
    reads.add(promise);
    beside.push({ reading, resolve });
    schedule();
    const result = await promise;
    reads.delete(promise);
    return result;
  }

  /** After what is running now: whoever reads a thousand folders asks for them in one go. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      while (running < limits.admitCount && beside.length + alone.length > 0) void start();
    });
  }

  async function start(): Promise<void> {
    running += 1;
    const isAlone = beside.length === 0;
    const batch = isAlone ? alone.splice(0, 1) : beside.splice(0, batchCount());
    await runBatch(batch, isAlone);
    running -= 1;
    if (beside.length + alone.length > 0) schedule();
    else if (running === 0) await pruneWhereDue();
  }

  /** Every thread gets its share, and the last ones no long wait for one of them. */
  function batchCount(): number {
    const share = beside.length / limits.admitCount;
    return Math.ceil(share > BATCH_COUNT ? BATCH_COUNT : share);
  }

  async function runBatch(batch: readonly Waiting[], isAlone: boolean): Promise<void> {
    const left = new Map(batch.entries());
    const onTold = (index: number, result: JobResult | null): void => {
      const waiting = left.get(index);
      left.delete(index);
      if (waiting === undefined) return;
      if (result === null) alone.push(waiting);
      else settle(waiting, result);
    };
    const readings = batch.map(({ reading }) => reading);
    try {
      await pool.run({ readings, isAlone, places }, onTold);
    } catch (error) {
      if (!(error instanceof FolderRefusal)) throw error;
      if (!isAlone) alone.push(...left.values());
      else for (const waiting of left.values()) settle(waiting, toRefusedResult(waiting.reading, error.message));
    }
  }

  function settle({ resolve }: Waiting, result: JobResult): void {
    if (result.storedBytes > 0) unseen = { bytes: unseen.bytes + result.storedBytes, count: unseen.count + 1 };
    resolve(result);
  }

  async function pruneWhereDue(): Promise<void> {
    const isDue = unseen.bytes > limits.cacheBytes * UNSEEN_SHARE || unseen.count > limits.cacheCount * UNSEEN_SHARE;
    if (unseen.count === 0 || !isDue) return;
    unseen = { bytes: 0, count: 0 };
    running += 1;
    await pool.prune(places.cacheDir);
    running -= 1;
    schedule();
  }

  async function close(): Promise<void> {
    await pool.close();
    await Promise.all(reads);
  }

  return { read, close };
}
