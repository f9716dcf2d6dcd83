import { Piscina } from "piscina";
import type { ThreadJob } from "../bridge/thread.ts";

export type ThreadPool = Piscina<ThreadJob, void>;

const MiB = 1024 * 1024;
/**
 * Only a backstop: a thread that meets V8's own limit takes the whole process with it wherever V8 cannot throw, such as in a Map
 * that doubles. So it is watched and ended long before. With more room than this V8 would leave garbage lie that is taken for held.
 */
const BACKSTOP_MIB = 1024;
/** Less garbage that has not been collected yet, and so a heap that says more of what is held. */
const YOUNG_MIB = 16;

/** A pool of one thread that is never used for anything else. The job ends at once, and leaves a thread that serves its port. */
export function createThreadPool(threadFile: string, heapBytes: number): ThreadPool {
  return new Piscina<ThreadJob, void>({
    filename: threadFile,
    name: "runCell",
    minThreads: 0,
    maxThreads: 1,
    // It lives until the cell ends it.
    idleTimeout: Infinity,
    // A thread that slept on shared memory between jobs would serve nothing.
    atomics: "disabled",
    recordTiming: false,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(heapBytes / MiB) + BACKSTOP_MIB,
      maxYoungGenerationSizeMb: YOUNG_MIB,
    },
    // What the host preloads for itself is not run once more in each thread. Its environment is there as a copy.
    execArgv: [],
  });
}
