import { WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError } from "../intrinsics.ts";
import { elapsed, timeOrigin } from "./clock.ts";
import { EventTarget } from "./event-target.ts";
import { installReplaceable, installInterface } from "./interface.ts";

let isInside = false;

/** Performance (High Resolution Time, 7) in whole milliseconds: a finer clock would time what it should not. */
class Performance extends EventTarget {
  readonly #origin: number;

  constructor() {
    if (!isInside) throw new GuestTypeError(WEB.illegal);
    super();
    this.#origin = timeOrigin();
  }

  now(): number {
    void this.#origin;
    return elapsed();
  }

  get timeOrigin(): number {
    return this.#origin;
  }

  toJSON(): { timeOrigin: number } {
    return { timeOrigin: this.#origin };
  }
}

export function installPerformance(target: object): void {
  let performance: Performance | null = null;
  installInterface(target, "Performance", Performance);
  installReplaceable(target, "performance", () => {
    isInside = true;
    try {
      performance ??= new Performance();
      return performance;
    } finally {
      isInside = false;
    }
  });
}
