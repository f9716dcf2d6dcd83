import { ByNumber } from "../bridge/by-number.ts";
import type { Meter } from "../bridge/messages.ts";

// How often the heap is looked at: a look costs as much as a tenth of a call.
const HEAP_LOOK_MS = 100;

/** What each call has computed, and how full the heap is. */
export class Meters {
  readonly #calls = new ByNumber<{ readonly number: number; cpuMicros: number }>();
  readonly #heap: () => number;
  #heapBytes = 0;
  #heapLookedAt = -Infinity;

  constructor(heap: () => number) {
    this.#heap = heap;
  }

  /** Takes a turn in. False for one of a call that has ended meanwhile, which is nobody's. */
  add(owner: number, micros: number, isBeginning: boolean): boolean {
    const call = this.#calls.get(owner);
    if (call !== undefined) call.cpuMicros += micros;
    else if (isBeginning) this.#calls.add({ number: owner, cpuMicros: micros });
    else return false;
    return true;
  }

  /** What a call that ends has come to. */
  take(call: number, now: number): Meter {
    if (now - this.#heapLookedAt > HEAP_LOOK_MS) {
      this.#heapLookedAt = now;
      this.#heapBytes = this.#heap();
    }
    return { cpuMicros: this.#calls.take(call)?.cpuMicros ?? 0, heapBytes: this.#heapBytes };
  }
}
