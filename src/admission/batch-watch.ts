import type { Worker } from "node:worker_threads";
import { ADMISSION } from "../catalogue/texts.ts";
import { FolderRefusal } from "./faults.ts";
import type { JobResult, ThreadNews } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";

export interface BatchWatch {
  hear(news: Exclude<ThreadNews, { readonly kind: "process" }>): void;
  readonly signal: AbortSignal;
  /** Settles once every folder of the batch was told of; rejects where the watch has ended it. */
  readonly allTold: Promise<void>;
  threadId(): number | null;
  /** Why the watch ended the batch, or null where it did not. */
  refusal(): FolderRefusal | null;
  stop(): void;
}

interface Watched {
  threadOf(threadId: number): Worker | undefined;
  /** Ends the thread's esbuild, where it has one, and waits for the thread to see that, up to `waitMs`. */
  endProcess(threadId: number, waitMs: number): Promise<void>;
  onTold(index: number, result: JobResult | null): void;
}

/** A thread in a tight loop of ours cannot be asked anything: it gets this long to see its esbuild end, then it is ended. */
const GRACE_MS = 2000;
/** And no longer than this where memory grows meanwhile. */
const HEAP_GRACE_MS = 100;
/** Between two looks at a thread's heap: a parser fills about 20 MB meanwhile. */
const HEAP_LOOK_MS = 50;

/**
 * Counts a batch's time from its first sign of life and anew from each folder that is done, looks at its thread's heap,
 * and ends it with esbuild's process when it is over.
 */
export function watchBatch(count: number, limits: AdmissionLimits, closing: AbortSignal, watched: Watched): BatchWatch {
  const abort = new AbortController();
  const told = Promise.withResolvers<void>();
  // Whoever waits for it hears of it; nobody may be there yet.
  told.promise.catch(() => undefined);
  let left = count;
  let threadId: number | null = null;
  let refusal: FolderRefusal | null = null;
  let timer: NodeJS.Timeout | undefined;
  let heapTimer: NodeJS.Timeout | undefined;

  function countTime(): void {
    clearTimeout(timer);
    timer = setTimeout(() => end(new FolderRefusal(ADMISSION.admitMs(limits.admitMs), false)), limits.admitMs);
  }

  function watchHeap(id: number): void {
    const thread = watched.threadOf(id);
    if (thread === undefined) return;
    heapTimer = setInterval(() => {
      // Answered by V8 in the middle of whatever the thread is busy with; a thread that has just ended does not answer.
      void thread.getHeapStatistics().then(
        ({ used_heap_size: used }) => {
          if (used > limits.admitHeapBytes) end(new FolderRefusal(ADMISSION.admitHeapBytes(limits.admitHeapBytes), false), HEAP_GRACE_MS);
        },
        () => undefined,
      );
    }, HEAP_LOOK_MS);
  }

  function hear(news: Parameters<BatchWatch["hear"]>[0]): void {
    if (refusal !== null) return;
    countTime();
    if (news.kind === "started") {
      threadId = news.threadId;
      watchHeap(threadId);
      return;
    }
    watched.onTold(news.index, news.kind === "done" ? news.result : null);
    left -= 1;
    if (left === 0) told.resolve();
  }

  function end(reason: FolderRefusal, graceMs = GRACE_MS): void {
    if (refusal !== null) return;
    refusal = reason;
    clearTimeout(timer);
    clearInterval(heapTimer);
    told.reject(reason);
    // Where esbuild is at work its thread is not busy: it sees the process end, and reaps it, before it is ended too.
    const ending = threadId === null ? Promise.resolve() : watched.endProcess(threadId, graceMs);
    void ending.then(() => abort.abort());
  }

  const onClosing = (): void => end(new FolderRefusal(ADMISSION.closed, false));
  closing.addEventListener("abort", onClosing, { once: true });

  return {
    hear,
    signal: abort.signal,
    allTold: told.promise,
    threadId: () => threadId,
    refusal: () => refusal,
    stop: () => {
      clearTimeout(timer);
      clearInterval(heapTimer);
      closing.removeEventListener("abort", onClosing);
    },
  };
}
