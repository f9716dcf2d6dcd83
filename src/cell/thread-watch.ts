import type { Worker } from "node:worker_threads";
import { TURN } from "../bridge/thread.ts";

export interface WatchLimits {
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

// V8 lets a heap grow to 1.7 times what is held before it collects: up to here nothing proves that the tool holds too much.
const GARBAGE_FACTOR = 2;

/** The most that a thread's heap is seen to hold before the thread is ended. */
export function largestHeap(memoryBytes: number): number {
  return GARBAGE_FACTOR * memoryBytes;
}

/** Looks at a thread from outside, whatever it is busy with: whether its turns end, and how much its heap holds. */
export class ThreadWatch {
  readonly #thread: Worker;
  readonly #turns: Int32Array;
  readonly #limits: WatchLimits;
  #idle = -1;
  #turnCount = -1;
  /** When the thread was last seen to have ended a turn, on the monotonic clock. */
  #movedAt = 0;
  #isLooking = false;

  constructor(thread: Worker, turns: Int32Array, limits: WatchLimits) {
    this.#thread = thread;
    this.#turns = turns;
    this.#limits = limits;
  }

  /** True where for `cpuMs` the thread neither rested nor began with another message. Counts from the first look. */
  isStuckInTurn(now: number): boolean {
    const { idle } = this.#thread.performance.eventLoopUtilization();
    const turnCount = Atomics.load(this.#turns, TURN.count);
    // Until it has begun with its first message it is on its way, which has a time limit of its own.
    if (idle !== this.#idle || turnCount !== this.#turnCount || turnCount === 0) {
      this.#idle = idle;
      this.#turnCount = turnCount;
      this.#movedAt = now;
    }
    return now - this.#movedAt > this.#limits.cpuMs;
  }

  /** Calls `onOver` where the heap, or the heap with the buffers beside it, holds more than it may. */
  lookAtHeap(residentBytes: number, onOver: () => void): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // V8 answers in the middle of what the thread is busy with; in native code, and from a thread that has ended, nobody does.
    this.#thread.getHeapStatistics().then(
      ({ used_heap_size: used, external_memory: external }) => {
        this.#isLooking = false;
        if (used > largestHeap(this.#limits.memoryBytes) || used + external > residentBytes) onOver();
      },
      () => {
        this.#isLooking = false;
      },
    );
  }
}
