import { FETCH, GUEST, WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, bareArray, toNumber } from "../intrinsics.ts";
import { DOMException } from "./dom-exception.ts";
import { Event } from "./event.ts";
import { EventTarget, fire, setEnding, setNotice } from "./event-target.ts";
import { assertArguments, installInterface, isObject } from "./interface.ts";

type Handler = ((event: Event) => void) | null;

const GuestWeakRef = WeakRef;
const deref = WeakRef.prototype.deref;
const trunc = Math.trunc;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const ADD = EventTarget.prototype.addEventListener;
const REMOVE = EventTarget.prototype.removeEventListener;
// References to signals that are gone are dropped each time so many have come.
const SWEEP_COUNT = 64;

let isInside = false;

/** Whether a value is one of these, and no look-alike. */
export let isSignal: (value: unknown) => value is AbortSignal;
/** Runs an act once when a signal is aborted, before its listeners are called. What it returns takes that back. */
export let whenAborted: (signal: AbortSignal, act: () => void) => () => void;
/** A signal that follows others, as `AbortSignal.any` makes it. */
export let followSignals: (signals: readonly AbortSignal[]) => AbortSignal;
let abortSignal: (signal: AbortSignal, reason: unknown) => void;
let startTimer: (callback: () => void, milliseconds: number) => unknown = () => undefined;

/** AbortSignal (DOM Standard, 3.2). */
export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown;
  // Each is made with its first: most signals are never listened to.
  #acts: { act: (() => void) | null }[] | null = null;
  #handler: Handler = null;
  // A signal made of others follows those of them that are made of none.
  #sources: AbortSignal[] | null = null;
  // Those that follow: held while somebody listens to them, otherwise only known.
  #held: AbortSignal[] | null = null;
  #known: WeakRef<AbortSignal>[] | null = null;
  #sweepAt = SWEEP_COUNT;

  constructor() {
    if (!isInside) throw new GuestTypeError(WEB.illegal);
    super();
  }

  static abort(reason: unknown = undefined): AbortSignal {
    const signal = makeSignal();
    signal.#aborted = true;
    signal.#reason = reasonOr(reason);
    return signal;
  }

  static timeout(milliseconds: unknown): AbortSignal {
    assertArguments(arguments.length, 1, "AbortSignal.timeout");
    const delay = trunc(toNumber(milliseconds));
    if (!(delay >= 0 && delay <= Number.MAX_SAFE_INTEGER)) throw new GuestTypeError(WEB.notDelay);
    const signal = makeSignal();
    startTimer(() => abortSignal(signal, new DOMException(FETCH.timedOut, "TimeoutError")), delay);
    return signal;
  }

  static any(signals: unknown): AbortSignal {
    assertArguments(arguments.length, 1, "AbortSignal.any");
    if (!isObject(signals) || typeof (signals as { [Symbol.iterator]?: unknown })[symbolIterator] !== "function")
      throw new GuestTypeError(WEB.notSignals);
    const all: AbortSignal[] = bareArray();
    for (const signal of signals as Iterable<unknown>) {
      if (!isSignal(signal)) throw new GuestTypeError(WEB.notSignal);
      all[all.length] = signal;
    }
    return followSignals(all);
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

  get onabort(): Handler {
    return this.#handler;
  }

  set onabort(handler: unknown) {
    const had = this.#handler !== null;
    this.#handler = isObject(handler) ? (handler as Handler) : null;
    if (had === (this.#handler !== null)) return;
    apply(had ? REMOVE : ADD, this, ["abort", this.#callHandler, undefined]);
  }

  // Registered where the handler is first set, and so called in that place.
  readonly #callHandler = (event: Event): void => {
    const handler: unknown = this.#handler;
    if (typeof handler === "function") apply(handler as (event: Event) => void, this, [event]);
  };

  #follow(source: AbortSignal): void {
    this.#sources ??= bareArray();
    for (let at = 0; at < this.#sources.length; at += 1) if (this.#sources[at] === source) return;
    this.#sources[this.#sources.length] = source;
    let known = (source.#known ??= bareArray());
    if (known.length >= source.#sweepAt) known = source.#sweep(known);
    known[known.length] = new GuestWeakRef(this);
  }

  #sweep(known: readonly WeakRef<AbortSignal>[]): WeakRef<AbortSignal>[] {
    const kept: WeakRef<AbortSignal>[] = bareArray();
    for (let at = 0; at < known.length; at += 1) {
      const reference = known[at] as WeakRef<AbortSignal>;
      if (apply(deref, reference, []) !== undefined) kept[kept.length] = reference;
    }
    this.#known = kept;
    this.#sweepAt = kept.length + SWEEP_COUNT;
    return kept;
  }

  // Somebody listens: as long as what it follows is there, so is this.
  #keep(): void {
    const sources = this.#sources;
    if (sources === null || this.#aborted) return;
    for (let at = 0; at < sources.length; at += 1) {
      const { held, isHeld } = (sources[at] as AbortSignal).#holds(this);
      if (!isHeld) held[held.length] = this;
    }
  }

  #holds(signal: AbortSignal): { held: AbortSignal[]; isHeld: boolean } {
    const held = (this.#held ??= bareArray());
    for (let at = 0; at < held.length; at += 1) if (held[at] === signal) return { held, isHeld: true };
    return { held, isHeld: false };
  }

  #abort(reason: unknown): void {
    if (this.#aborted) return;
    // Those that follow are aborted before any listener runs.
    const reached: AbortSignal[] = bareArray();
    const reach = (signal: AbortSignal | undefined): void => {
      if (signal === undefined || signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason;
      reached[reached.length] = signal;
    };
    reach(this);
    const known = this.#known;
    this.#known = null;
    this.#held = null;
    if (known !== null)
      for (let at = 0; at < known.length; at += 1) reach(apply(deref, known[at] as WeakRef<AbortSignal>, []) as AbortSignal | undefined);
    for (let at = 0; at < reached.length; at += 1) (reached[at] as AbortSignal).#runSteps();
  }

  #runSteps(): void {
    const acts = this.#acts;
    this.#acts = null;
    if (acts !== null) for (let at = 0; at < acts.length; at += 1) acts[at]?.act?.();
    fire(this, new Event("abort"));
  }

  static {
    isSignal = (value) => typeof value === "object" && value !== null && #acts in value;
    abortSignal = (signal, reason) => signal.#abort(reason);
    whenAborted = (signal, act) => {
      const entry: { act: (() => void) | null } = { act };
      const acts = (signal.#acts ??= bareArray());
      acts[acts.length] = entry;
      signal.#keep();
      return () => {
        entry.act = null;
        if (acts[acts.length - 1] === entry) acts.length -= 1;
      };
    };
    followSignals = (signals) => {
      const joint = makeSignal();
      for (let at = 0; at < signals.length; at += 1) {
        const signal = signals[at] as AbortSignal;
        if (!signal.#aborted) continue;
        joint.#aborted = true;
        joint.#reason = signal.#reason;
        return joint;
      }
      for (let at = 0; at < signals.length; at += 1) {
        const signal = signals[at] as AbortSignal;
        if (signal.#sources === null) joint.#follow(signal);
        else for (let of = 0; of < signal.#sources.length; of += 1) joint.#follow(signal.#sources[of] as AbortSignal);
      }
      joint.#sources ??= bareArray();
      return joint;
    };
    setNotice((target, type) => {
      if (type === "abort" && isSignal(target)) target.#keep();
    });
  }
}

/** AbortController (DOM Standard, 3.1). */
class AbortController {
  readonly #signal = makeSignal();

  get signal(): AbortSignal {
    return this.#signal;
  }

  abort(reason: unknown = undefined): void {
    abortSignal(this.#signal, reasonOr(reason));
  }
}

/** A call's signal and the one way to abort it. */
export function createSignal(): { readonly signal: AbortSignal; abort(): void } {
  const signal = makeSignal();
  return { signal, abort: () => abortSignal(signal, new DOMException(GUEST.aborted, "AbortError")) };
}

/** `timer` is what `AbortSignal.timeout` waits with. */
export function installSignals(target: object, timer: (callback: () => void, milliseconds: number) => unknown): void {
  startTimer = timer;
  setEnding((value) => (isSignal(value) ? { aborted: value.aborted, whenAborted: (act) => whenAborted(value, act) } : null));
  installInterface(target, "AbortSignal", AbortSignal);
  installInterface(target, "AbortController", AbortController);
}

function makeSignal(): AbortSignal {
  isInside = true;
  try {
    return new AbortSignal();
  } finally {
    isInside = false;
  }
}

function reasonOr(reason: unknown): unknown {
  return reason === undefined ? new DOMException(FETCH.aborted, "AbortError") : reason;
}
