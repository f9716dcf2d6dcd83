import PQueue from "p-queue";
import type { Code } from "../catalogue/codes.ts";
import { OUTCOME } from "../catalogue/texts.ts";

/** A call that never got its turn. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}

interface WaitOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Who runs when: a queue for each capability, and one for the engine behind it. A call that waits for the engine holds its
 * capability's place, so that one capability cannot fill the engine's queue.
 */
export class Slots {
  readonly #engine: PQueue;
  readonly #capabilities = new Map<string, PQueue>();
  readonly #queueCount: number;

  constructor(callCount: number, queueCount: number) {
    this.#engine = new PQueue({ concurrency: callCount });
    this.#queueCount = queueCount;
  }

  /** Runs `task` when its turn comes. Rejects with QueueError for one whose turn does not come; else as `task` does. */
  async run<T>(capability: string, concurrency: number, options: WaitOptions, task: () => Promise<T>): Promise<T> {
    if (options.signal?.aborted === true) throw new QueueError("CANCELLED", OUTCOME.cancelled);
    const own = this.#queueOf(capability, concurrency);
    // A place is free in both: nothing can keep the call waiting, so nothing has to watch it wait.
    if (isFree(own) && isFree(this.#engine)) return await own.add(() => this.#engine.add(task));
    return await this.#wait(own, options, task);
  }

  async #wait<T>(own: PQueue, { waitMs, signal }: WaitOptions, task: () => Promise<T>): Promise<T> {
    if (own.size >= this.#queueCount) throw new QueueError("BUSY", OUTCOME.busy(own.size));
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(new QueueError("QUEUE_TIMEOUT", this.#waitedText(own, waitMs))), waitMs);
    const onAbort = (): void => giveUp.abort(new QueueError("CANCELLED", OUTCOME.cancelled));
    const stopWatching = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    const begin = (): Promise<T> => {
      stopWatching();
      return task();
    };
    try {
      return await own.add(() => this.#engine.add(begin, { signal: giveUp.signal }), { signal: giveUp.signal });
    } finally {
      stopWatching();
    }
  }

  #queueOf(capability: string, concurrency: number): PQueue {
    let queue = this.#capabilities.get(capability);
    if (queue === undefined) this.#capabilities.set(capability, (queue = new PQueue({ concurrency })));
    // New code of a capability may ask for another number.
    else if (queue.concurrency !== concurrency) queue.concurrency = concurrency;
    return queue;
  }

  #waitedText(own: PQueue, waitMs: number): string {
    return OUTCOME.queueTimeout(Math.round(waitMs), this.#engine.pending, own.size + this.#engine.size);
  }
}

function isFree(queue: PQueue): boolean {
  return queue.size === 0 && queue.pending < queue.concurrency;
}
