import type { Piscina } from "piscina";
import { ADMISSION } from "../catalogue/texts.ts";
import { watchBatch, type BatchWatch } from "./batch-watch.ts";
import { FolderRefusal } from "./faults.ts";
import type { Batch, JobResult, ThreadNews } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";
import { createProcesses } from "./processes.ts";

type ToRun = Omit<Batch, "id" | "limits">;
/** Told of each folder as it is done: null for one to be read alone. */
type OnTold = (index: number, result: JobResult | null) => void;

/**
 * The threads in which strangers' sources are read, so that the host's own loop and memory never are at stake. It is
 * given no more than `admitCount` batches at once: one that waited inside piscina would have nobody counting its time.
 */
export interface Pool {
  /**
   * Reads a batch. Throws FolderRefusal where it outgrew its time or its memory, or the pool was closed; what was told until
   * then counts.
   */
  run(batch: ToRun, onTold: OnTold): Promise<void>;
  /** Holds the cache to its limits. Never throws. */
  prune(cacheDir: string): Promise<void>;
  close(): Promise<void>;
}

/** Threads outlive a burst of folders by seconds: a change is often followed by another. */
const IDLE_MS = 5000;
const MIB = 1024 * 1024;
const BACKSTOP_MIB = 128;

export function createPool(limits: AdmissionLimits): Pool {
  const closing = new AbortController();
  const processes = createProcesses();
  const watches = new Map<number, BatchWatch>();
  const running = new Set<Promise<void>>();
  let piscina: Promise<Piscina> | null = null;
  let lastId = 0;

  async function startThreads(): Promise<Piscina> {
    const threads = await createThreads(limits);
    threads.on("message", (news: ThreadNews) => {
      if (news.kind === "process") processes.note(news.threadId, news.pid);
      else watches.get(news.batch)?.hear(news);
    });
    return threads;
  }

  async function run(batch: ToRun, onTold: OnTold): Promise<void> {
    await track(runWatched(batch, onTold));
  }

  async function track(work: Promise<void>): Promise<void> {
    running.add(work);
    await work.finally(() => running.delete(work));
  }

  async function runWatched(batch: ToRun, onTold: OnTold): Promise<void> {
    if (closing.signal.aborted) throw new FolderRefusal(ADMISSION.closed, false);
    const threads = await (piscina ??= startThreads());
    if (closing.signal.aborted) throw new FolderRefusal(ADMISSION.closed, false);
    const id = (lastId += 1);
    const watch = watchBatch(batch.readings.length, limits, closing.signal, {
      threadOf: (threadId) => threads.threads.find((thread) => thread.threadId === threadId),
      endProcess: (threadId, waitMs) => processes.end(threadId, waitMs),
      onTold,
    });
    watches.set(id, watch);
    try {
      await threads.run({ ...batch, limits, id } satisfies Batch, { signal: watch.signal });
      // What a thread tells and that it is done come by two ways: either may be first.
      await watch.allTold;
    } catch (error) {
      // A thread that ended took nothing with it.
      endProcess(watch.threadId());
      throw watch.refusal() ?? toRefusal(error, limits);
    } finally {
      watches.delete(id);
      watch.stop();
      if (watch.refusal() !== null) await retireIdle();
    }
    // A thread whose esbuild was ended under it still answers, with what it takes for the reason.
    const refusal = watch.refusal();
    if (refusal !== null) throw refusal;
  }

  function endProcess(threadId: number | null): void {
    if (threadId === null) return;
    processes.kill(threadId);
    processes.forget(threadId);
  }

  /** Where a limit was met nothing is kept warm. */
  async function retireIdle(): Promise<void> {
    const busy = new Set([...watches.values()].map((watch) => watch.threadId()));
    await processes.retire((threadId) => !busy.has(threadId));
  }

  async function prune(cacheDir: string): Promise<void> {
    if (closing.signal.aborted || piscina === null) return;
    // Closing waits for it: to end it would be to end its thread, and with that whatever the thread keeps warm.
    const pruning = piscina.then(async (threads) => await threads.run({ cacheDir, limits }, { name: "runPrune" }));
    await track(pruning).catch(() => undefined);
  }

  async function close(): Promise<void> {
    closing.abort();
    await Promise.allSettled(running);
    await retireIdle();
    await (await piscina)?.destroy();
    piscina = null;
  }

  return { run, prune, close };
}

// Whatever was read before needs no thread, and no piscina.
async function createThreads(limits: AdmissionLimits): Promise<Piscina> {
  const { Piscina } = await import("piscina");
  return new Piscina({
    // The same file with the ending this one runs with: .ts from the sources, .js once built.
    filename: new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url).href,
    name: "runBatch",
    minThreads: 0,
    maxThreads: limits.admitCount,
    idleTimeout: IDLE_MS,
    // A thread that slept on shared memory between batches would not see its esbuild end.
    atomics: "disabled",
    // Only a backstop: a thread that meets V8's own limit can take the process with it, so it is watched and ended before.
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil((limits.admitHeapBytes * 2) / MIB) + BACKSTOP_MIB },
    // Nothing of the host's environment. esbuild's process is told to collect before it is ended for size, and until then seldom.
    env: { GOMEMLIMIT: `${Math.floor((limits.admitHeapBytes * 3) / 4)}B`, GOGC: "400", GOTRACEBACK: "none" },
  });
}

function toRefusal(error: unknown, limits: AdmissionLimits): FolderRefusal {
  const isMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return new FolderRefusal(isMemory ? ADMISSION.admitHeapBytes(limits.admitHeapBytes) : ADMISSION.readerEnded, false);
}
