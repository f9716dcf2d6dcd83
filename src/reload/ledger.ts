import type { Place } from "./place.ts";

/** What all places of one watcher share. */
export class Ledger {
  /** Every place there is: those without a watch are looked at. */
  readonly places = new Set<Place>();
  readonly watchCount: number;
  readonly #onTrouble: (path: string, message: string) => void;
  readonly #onFlood: () => void;
  readonly #troubles = new Map<string, string>();
  #takenCount = 0;
  #eventCount = 0;

  constructor(watchCount: number, onTrouble: (path: string, message: string) => void, onFlood: () => void) {
    this.watchCount = watchCount;
    this.#onTrouble = onTrouble;
    this.#onFlood = onFlood;
  }

  /** Whether there was a watch left to take. */
  take(): boolean {
    if (this.#takenCount >= this.watchCount) return false;
    this.#takenCount += 1;
    return true;
  }

  give(): void {
    this.#takenCount -= 1;
  }

  /** Tells a trouble once, and again only after it was over or has become another. */
  tell(path: string, message: string | null): void {
    if (message === null) this.#troubles.delete(path);
    else if (this.#troubles.get(path) !== message) {
      this.#troubles.set(path, message);
      this.#onTrouble(path, message);
    }
  }

  /**
   * Counts the events of one turn of the loop, in which the system hands over all that it has held back. True where they
   * are so many that some may be lost, or that whoever makes them keeps the loop from all else.
   */
  countEvent(): boolean {
    this.#eventCount += 1;
    if (this.#eventCount === 1) setImmediate(() => this.#endTurn());
    return this.#eventCount > FLOOD_COUNT;
  }

  #endTurn(): void {
    const isFlood = this.#eventCount > FLOOD_COUNT;
    this.#eventCount = 0;
    if (isFlood) this.#onFlood();
  }
}

/** A quarter of what Linux holds for a process before it drops events. */
const FLOOD_COUNT = 4096;
