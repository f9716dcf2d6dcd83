import { ByNumber } from "../bridge/by-number.ts";
import { BridgeError } from "../bridge/parse.ts";
import type { CallEnd, CellCall } from "./call-end.ts";

/** A message that the cell owes an answer to: a call, or null for a load. */
export interface Pending {
  readonly number: number;
  readonly call: CellCall | null;
  readonly settle: (end: CallEnd) => void;
  /** False while it may wait behind another turn. */
  hasStarted: boolean;
  isCancelled: boolean;
  /** Runs from a cancel to the end of the cell's patience. */
  grace?: NodeJS.Timeout;
  /** Runs while nothing is heard of a call that must not be silent for long. */
  silence?: NodeJS.Timeout;
  frames: number;
  /** On the monotonic clock. */
  readonly since: number;
}

// What an honest cell may send of one call each second, beside its allowance: progress is merged to less.
const FRAMES_PER_SECOND = 100;

/** What a cell has to answer, by the number that the bridge knows it by. Each is taken out exactly once. */
export class InFlight {
  readonly #pending = new ByNumber<Pending>();
  readonly #frameCount: number;
  #lastNumber = -1;
  readonly #since = performance.now();
  #strays = 0;

  constructor(frameCount: number) {
    this.#frameCount = frameCount;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** The first is number 0, under which a cell is loaded. */
  add(call: CellCall | null, settle: (end: CallEnd) => void): Pending {
    this.#lastNumber += 1;
    const pending: Pending = {
      number: this.#lastNumber,
      call,
      settle,
      hasStarted: true,
      isCancelled: false,
      frames: 0,
      since: performance.now(),
    };
    this.#pending.add(pending);
    return pending;
  }

  has({ number }: Pending): boolean {
    return this.#pending.get(number) !== undefined;
  }

  /** False where it was taken out before. */
  remove({ number }: Pending): boolean {
    return this.#pending.take(number) !== undefined;
  }

  all(): readonly Pending[] {
    return this.#pending.values();
  }

  /** Whose frame this is, or null for one of a call that has ended. Throws BridgeError for a flood, or a number never given out. */
  receive(number: number): Pending | null {
    const pending = this.#pending.get(number);
    if (pending !== undefined) {
      pending.frames += 1;
      pending.silence?.refresh();
      if (pending.frames > this.#frameCount && pending.frames > this.#allowance(pending.since))
        throw new BridgeError("A call sends too many frames");
      return pending;
    }
    if (number > this.#lastNumber) throw new BridgeError(`Call ${number} was never made`);
    this.#strays += 1;
    if (this.#strays > this.#frameCount && this.#strays > this.#allowance(this.#since))
      throw new BridgeError("A cell sends too many frames of calls that have ended");
    return null;
  }

  // A flood is a matter of rate: a call that reports for a day sends many frames, and none too many at once.
  #allowance(since: number): number {
    return this.#frameCount + Math.floor((performance.now() - since) / 1000) * FRAMES_PER_SECOND;
  }
}
