import { WEB } from "../../../src/catalogue/texts.ts";
import { DOMException } from "./dom-exception.ts";
import { closeDispatch, isEvent, isPrevented, isStopped, isStoppedAtOnce, openDispatch, setPassive, trust, type Event } from "./event.ts";
import { GuestTypeError, apply, bareArray, toText } from "../intrinsics.ts";
import { assertArguments, installInterface, isObject } from "./interface.ts";

export type EventListener = ((event: Event) => void) | { handleEvent(event: Event): void };

interface Entry {
  readonly type: string;
  readonly callback: EventListener;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  isRemoved: boolean;
}

/** What an AbortSignal offers to those who listen until it is aborted. */
export interface Ending {
  readonly aborted: boolean;
  /** Runs once, before any listener of the signal. */
  whenAborted(act: () => void): void;
}

let endingOf: (signal: unknown) => Ending | null = () => null;
let notice: (target: EventTarget, type: string) => void = () => undefined;
let report: (error: unknown) => void = () => undefined;

/** Says how an AbortSignal is told. */
export function setEnding(toEnding: (signal: unknown) => Ending | null): void {
  endingOf = toEnding;
}

/** Says who is told of each new listener. */
export function setNotice(toNotice: (target: EventTarget, type: string) => void): void {
  notice = toNotice;
}

/** Says where the errors go that listeners throw: they stop nobody else. */
export function reportListenerErrors(to: (error: unknown) => void): void {
  report = to;
}

/** Fires an event of the platform's own. */
export let fire: (target: EventTarget, event: Event) => void;

/** EventTarget (DOM Standard, 2.7), without a tree. */
export class EventTarget {
  // Most targets never have one.
  #entries: Entry[] | null = null;

  addEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    assertArguments(arguments.length, 2, "EventTarget.addEventListener");
    const name = toText(type);
    const { capture, once, passive, signal } = flatten(options);
    const listener = toListener(callback);
    if (signal?.aborted === true || listener === null) {
      void this.#entries;
      return;
    }
    if (this.#find(name, listener, capture) !== null) return;
    const entry: Entry = { type: name, callback: listener, capture, once, passive, isRemoved: false };
    const entries = (this.#entries ??= bareArray());
    entries[entries.length] = entry;
    notice(this, name);
    signal?.whenAborted(() => this.#remove(entry));
  }

  removeEventListener(type: unknown, callback: unknown, options: unknown = undefined): void {
    assertArguments(arguments.length, 2, "EventTarget.removeEventListener");
    const listener = toListener(callback);
    const entry = listener === null ? null : this.#find(toText(type), listener, toCapture(options));
    if (entry !== null) this.#remove(entry);
  }

  dispatchEvent(event: unknown): boolean {
    assertArguments(arguments.length, 1, "EventTarget.dispatchEvent");
    if (!isEvent(event)) throw new GuestTypeError(WEB.notEvent);
    if (event.eventPhase !== 0) throw new DOMException(WEB.isDispatching, "InvalidStateError");
    return this.#dispatch(trust(event, false));
  }

  #dispatch(event: Event): boolean {
    openDispatch(event, this);
    // At the target itself those who asked for it are called first.
    this.#invoke(event, true);
    this.#invoke(event, false);
    closeDispatch(event);
    return !isPrevented(event);
  }

  #invoke(event: Event, capture: boolean): void {
    if (isStopped(event)) return;
    // What is added meanwhile is not called, what is removed meanwhile neither.
    const entries = this.#entries;
    if (entries === null) return;
    const { length } = entries;
    for (let at = 0; at < length && !isStoppedAtOnce(event); at += 1) {
      const entry = entries[at] as Entry;
      if (entry.isRemoved || entry.type !== event.type || entry.capture !== capture) continue;
      if (entry.once) this.#remove(entry);
      setPassive(event, entry.passive);
      notify(this, entry.callback, event);
      setPassive(event, false);
    }
  }

  #find(type: string, callback: EventListener, capture: boolean): Entry | null {
    const entries = this.#entries;
    if (entries === null) return null;
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] as Entry;
      if (entry.type === type && entry.callback === callback && entry.capture === capture) return entry;
    }
    return null;
  }

  #remove(removed: Entry): void {
    removed.isRemoved = true;
    const kept: Entry[] = bareArray();
    const entries = this.#entries ?? kept;
    for (let at = 0; at < entries.length; at += 1) {
      const entry = entries[at] as Entry;
      if (entry !== removed) kept[kept.length] = entry;
    }
    this.#entries = kept;
  }

  static {
    fire = (target, event) => void target.#dispatch(trust(event, true));
  }
}

export function installEventTarget(target: object): void {
  installInterface(target, "EventTarget", EventTarget);
}

function notify(target: EventTarget, callback: EventListener, event: Event): void {
  try {
    if (typeof callback === "function") return apply(callback, target, [event]);
    const { handleEvent } = callback as { handleEvent?: unknown };
    if (typeof handleEvent !== "function") throw new GuestTypeError(WEB.notListener);
    apply(handleEvent as (event: Event) => void, callback, [event]);
  } catch (error) {
    report(error);
  }
}

function toListener(callback: unknown): EventListener | null {
  if (callback === null || callback === undefined) return null;
  if (!isObject(callback)) throw new GuestTypeError(WEB.notListener);
  return callback as EventListener;
}

function toCapture(options: unknown): boolean {
  return Boolean(isObject(options) ? (options as { capture?: unknown }).capture : options);
}

function flatten(options: unknown): { capture: boolean; once: boolean; passive: boolean; signal: Ending | null } {
  const capture = toCapture(options);
  if (!isObject(options)) return { capture, once: false, passive: false, signal: null };
  const { once, passive, signal } = options as { once?: unknown; passive?: unknown; signal?: unknown };
  const ending = signal === undefined ? null : endingOf(signal);
  if (signal !== undefined && ending === null) throw new GuestTypeError(WEB.notSignal);
  return { capture, once: Boolean(once), passive: Boolean(passive), signal: ending };
}
