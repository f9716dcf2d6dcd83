import type { Code } from "../catalogue/codes.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import { Deadlines } from "../cell/deadlines.ts";
import { Line, type Waiter } from "./line.ts";

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
  /** Until when its turn has to come, on the monotonic clock. */
  readonly until: number;
  /** How long that is from the beginning of the call, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Who runs when: a line for each capability, and one for the engine behind it. A call that waits for the engine holds its
 * capability's place, so that one capability cannot fill the engine's line. A call that finds both free passes by the lines.
 */
export class Slots {
  readonly #engine: Line;
  readonly #capabilities = new Map<string, Line>();
  readonly #queueCount: number;
  readonly #waiting = new Set<Wait>();
  readonly #deadlines = new Deadlines((now) => this.#onDue(now));

  constructor(callCount: number, queueCount: number) {
    this.#engine = new Line(callCount);
    this.#queueCount = queueCount;
  }

  /**
   * Takes a place in both lines: null where it has it at once, else a promise that resolves when its turn comes and rejects with
   * QueueError where it does not. Throws QueueError for one that may not even wait. Whoever has a place gives it back by `leave`.
   */
  take(capability: string, concurrency: number, options: WaitOptions): Promise<void> | null {
    if (options.signal?.aborted === true) throw new QueueError("CANCELLED", OUTCOME.cancelled);
    const own = this.#lineOf(capability, concurrency);
    if (own.isFree && this.#engine.isFree) {
      own.enter();
      this.#engine.enter();
      return null;
    }
    if (!own.isFree && own.size >= this.#queueCount) throw new QueueError("BUSY", OUTCOME.busy(own.size));
    return this.#wait(own, options);
  }

  leave(capability: string): void {
    this.#engine.leave();
    this.#capabilities.get(capability)?.leave();
  }

  async #wait(own: Line, { until, waitMs, signal }: WaitOptions): Promise<void> {
    const wait = new Wait(own, this.#engine, until, waitMs);
    const onAbort = (): void => wait.giveUp(new QueueError("CANCELLED", OUTCOME.cancelled));
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#waiting.add(wait);
    this.#deadlines.add(until);
    try {
      await wait.turn;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#waiting.delete(wait);
      if (this.#waiting.size === 0) this.#deadlines.rest();
    }
  }

  #onDue(now: number): number {
    let next = Infinity;
    for (const wait of this.#waiting) {
      if (wait.until > now) next = Math.min(next, wait.until);
      else wait.giveUp(new QueueError("QUEUE_TIMEOUT", this.#waitedText(wait)));
    }
    return next;
  }

  #lineOf(capability: string, concurrency: number): Line {
    let line = this.#capabilities.get(capability);
    if (line === undefined) this.#capabilities.set(capability, (line = new Line(concurrency)));
    // New code of a capability may ask for another number.
    else line.widen(concurrency);
    return line;
  }

  #waitedText({ own, waitMs }: Wait): string {
    return OUTCOME.queueTimeout(Math.round(waitMs), this.#engine.running, own.size + this.#engine.size);
  }
}

/** One call's way through its capability's line and then the engine's. */
class Wait implements Waiter {
  readonly own: Line;
  readonly until: number;
  readonly waitMs: number;
  readonly #engine: Line;
  readonly #turn = Promise.withResolvers<void>();
  #hasOwn = false;

  constructor(own: Line, engine: Line, until: number, waitMs: number) {
    this.own = own;
    this.#engine = engine;
    this.until = until;
    this.waitMs = waitMs;
    own.wait(this);
  }

  get turn(): Promise<void> {
    return this.#turn.promise;
  }

  onTurn(): void {
    if (this.#hasOwn) return this.#turn.resolve();
    this.#hasOwn = true;
    this.#engine.wait(this);
  }

  /** Leaves the line that it stands in; one whose turn has come has left it already. */
  giveUp(error: QueueError): void {
    const line = this.#hasOwn ? this.#engine : this.own;
    if (!line.forget(this)) return;
    if (this.#hasOwn) this.own.leave();
    this.#turn.reject(error);
  }
}
