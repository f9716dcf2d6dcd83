import { MessageChannel, type Worker } from "node:worker_threads";
import { Piscina } from "piscina";
import { ADMISSION } from "../catalogue/texts.ts";
import { FolderRefusal } from "./faults.ts";
import type { Job, JobNews, JobResult } from "./job.ts";
import type { AdmissionLimits } from "./limits.ts";

/**
 * The threads in which strangers' sources are read, so that the host's own loop and memory never are at stake. It is
 * given no more than `admitCount` jobs at once: one that waited inside piscina would have nobody counting its time.
 */
export interface Pool {
  /** Throws FolderRefusal where the job outgrew its time or its memory, or the pool was closed. */
  run(job: Omit<Job, "port" | "limits">): Promise<JobResult>;
  close(): Promise<void>;
}

/** A thread in a tight loop of ours cannot be asked anything: it gets this long to end by itself, then it is ended. */
const GRACE_MS = 100;
/** Threads outlive a burst of folders and no more. */
const IDLE_MS = 2000;
const MIB = 1024 * 1024;
const BACKSTOP_MIB = 128;
/** Between two looks at a thread's heap: a parser fills about 20 MB meanwhile. */
const HEAP_LOOK_MS = 50;

export function createPool(limits: AdmissionLimits): Pool {
  const closing = new AbortController();
  let piscina: Piscina<Job, JobResult> | null = null;

  async function run(job: Omit<Job, "port" | "limits">): Promise<JobResult> {
    if (closing.signal.aborted) throw new FolderRefusal(ADMISSION.closed, false);
    piscina ??= createThreads(limits);
    const threads = piscina;
    const watch = watchJob(limits, closing.signal, (threadId) => threads.threads.find((thread) => thread.threadId === threadId));
    try {
      const result = await threads.run({ ...job, limits, port: watch.port }, { signal: watch.signal, transferList: [watch.port] });
      // A thread whose esbuild was ended under it still answers, with what it takes for the reason.
      if (watch.refusal() === null) return result;
    } catch (error) {
      if (watch.refusal() === null) throw toRefusal(error, limits);
    } finally {
      watch.stop();
    }
    throw watch.refusal() ?? new FolderRefusal(ADMISSION.readerEnded, false);
  }

  async function close(): Promise<void> {
    closing.abort();
    await piscina?.destroy();
    piscina = null;
  }

  return { run, close };
}

function createThreads(limits: AdmissionLimits): Piscina<Job, JobResult> {
  return new Piscina<Job, JobResult>({
    // The same file with the ending this one runs with: .ts from the sources, .js once built.
    filename: new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url).href,
    name: "runJob",
    minThreads: 0,
    maxThreads: limits.admitCount,
    idleTimeout: IDLE_MS,
    // A thread that slept on shared memory between jobs would not see its esbuild end.
    atomics: "disabled",
    // Only a backstop: a thread that meets V8's own limit can take the process with it, so it is watched and ended before.
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil((limits.admitHeapBytes * 2) / MIB) + BACKSTOP_MIB },
    // Nothing of the host's environment; what esbuild's process inherits is told to collect before it is ended for size.
    env: { GOMEMLIMIT: `${Math.floor((limits.admitHeapBytes * 3) / 4)}B`, GOTRACEBACK: "none" },
  });
}

interface JobWatch {
  readonly port: MessageChannel["port2"];
  readonly signal: AbortSignal;
  /** Why the watch ended the job, or null where it did not. */
  refusal(): FolderRefusal | null;
  stop(): void;
}

/** Counts a job's time from its first sign of life, looks at its heap, and ends it with esbuild's process when it is over. */
function watchJob(limits: AdmissionLimits, closing: AbortSignal, findThread: (threadId: number) => Worker | undefined): JobWatch {
  const { port1, port2 } = new MessageChannel();
  const abort = new AbortController();
  let refusal: FolderRefusal | null = null;
  let pid: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let heapTimer: NodeJS.Timeout | undefined;

  function start(threadId: number): void {
    timer = setTimeout(() => end(new FolderRefusal(ADMISSION.admitMs(limits.admitMs), false)), limits.admitMs);
    const thread = findThread(threadId);
    if (thread === undefined) return;
    heapTimer = setInterval(() => {
      // Answered by V8 in the middle of whatever the thread is busy with; a thread that has just ended does not answer.
      void thread.getHeapStatistics().then(
        ({ used_heap_size: used }) => {
          if (used > limits.admitHeapBytes) end(new FolderRefusal(ADMISSION.admitHeapBytes(limits.admitHeapBytes), false));
        },
        () => undefined,
      );
    }, HEAP_LOOK_MS);
  }

  function end(reason: FolderRefusal): void {
    if (refusal !== null) return;
    refusal = reason;
    clearTimeout(timer);
    clearInterval(heapTimer);
    if (pid === null) return abort.abort();
    // Where esbuild is at work its thread is not busy: it sees the process end, and reaps it, before it is ended too.
    killProcess(pid);
    timer = setTimeout(() => abort.abort(), GRACE_MS);
  }

  const onClosing = (): void => end(new FolderRefusal(ADMISSION.closed, false));
  closing.addEventListener("abort", onClosing, { once: true });
  port1.on("message", (news: JobNews) => {
    if (news.kind === "process") pid = news.pid;
    else if (refusal === null) start(news.threadId);
  });

  return {
    port: port2,
    signal: abort.signal,
    refusal: () => refusal,
    stop: () => {
      clearTimeout(timer);
      clearInterval(heapTimer);
      closing.removeEventListener("abort", onClosing);
      port1.close();
      // A thread that ended by itself took nothing with it.
      if (pid !== null) killProcess(pid);
    },
  };
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

function toRefusal(error: unknown, limits: AdmissionLimits): FolderRefusal {
  const isMemory = error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  return new FolderRefusal(isMemory ? ADMISSION.admitHeapBytes(limits.admitHeapBytes) : ADMISSION.readerEnded, false);
}
