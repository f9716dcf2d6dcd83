import { FETCH, GUEST } from "../../src/catalogue/texts.ts";
import { DOMException } from "./dom-exception.ts";
import { Event, EventTarget } from "./event-target.ts";
import { GuestTypeError, bareArray } from "./intrinsics.ts";

let isInside = false;

/** Whether a value is one of these, and no look-alike. */
export let isSignal: (value: unknown) => value is AbortSignal;
let abortSignal: (signal: AbortSignal, reason: unknown) => void;
let startTimer: (callback: () => void, milliseconds: number) => unknown = () => undefined;

/** AbortSignal (DOM Standard, 3.2). */
export class AbortSignal extends EventTarget {
  onabort: ((event: Event) => void) | null = null;
  #aborted = false;
  #reason: unknown;
  // Signals that follow this one.
  #followers: AbortSignal[] = bareArray();

  constructor() {
    if (!isInside) throw new GuestTypeError(FETCH.illegal);
    super();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }

  static abort(reason: unknown = new DOMException(FETCH.aborted, "AbortError")): AbortSignal {
    const signal = makeSignal();
    abortSignal(signal, reason);
    return signal;
  }

  static timeout(milliseconds: number): AbortSignal {
    const signal = makeSignal();
    startTimer(() => abortSignal(signal, new DOMException(FETCH.timedOut, "TimeoutError")), milliseconds);
    return signal;
  }

  static any(signals: Iterable<unknown>): AbortSignal {
    const joint = makeSignal();
    const all: AbortSignal[] = bareArray();
    for (const signal of signals) {
      if (!isSignal(signal)) throw new GuestTypeError(FETCH.notSignal);
      all[all.length] = signal;
    }
    for (let at = 0; at < all.length && !joint.#aborted; at += 1) {
      const signal = all[at];
      if (signal === undefined) continue;
      if (signal.#aborted) abortSignal(joint, signal.#reason);
      else signal.#followers[signal.#followers.length] = joint;
    }
    return joint;
  }

  static {
    isSignal = (value) => typeof value === "object" && value !== null && #followers in value;
    abortSignal = (signal, reason) => {
      if (signal.#aborted) return;
      // Those that follow are aborted before any listener runs, as the standard has it.
      const reached: AbortSignal[] = bareArray();
      reached[0] = signal;
      for (let at = 0; at < reached.length; at += 1) {
        const each = reached[at];
        if (each === undefined || each.#aborted) continue;
        each.#aborted = true;
        each.#reason = reason;
        for (let next = 0; next < each.#followers.length; next += 1) reached[reached.length] = each.#followers[next] as AbortSignal;
        each.#followers = bareArray();
      }
      for (let at = 0; at < reached.length; at += 1) reached[at]?.dispatchEvent(new Event("abort"));
    };
  }
}

/** AbortController (DOM Standard, 3.1). */
export class AbortController {
  readonly #signal = makeSignal();

  get signal(): AbortSignal {
    return this.#signal;
  }

  abort(reason: unknown = new DOMException(FETCH.aborted, "AbortError")): void {
    abortSignal(this.#signal, reason);
  }

  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
}

/** A call's signal and the one way to abort it. */
export function createSignal(): { readonly signal: AbortSignal; abort(): void } {
  const signal = makeSignal();
  return { signal, abort: () => abortSignal(signal, new DOMException(GUEST.aborted, "AbortError")) };
}

/** Says what `AbortSignal.timeout` waits with. */
export function setSignalTimer(timer: (callback: () => void, milliseconds: number) => unknown): void {
  startTimer = timer;
}

function makeSignal(): AbortSignal {
  isInside = true;
  try {
    return new AbortSignal();
  } finally {
    isInside = false;
  }
}
