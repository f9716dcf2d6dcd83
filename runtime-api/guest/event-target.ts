import { apply, bareArray, now, toText } from "./intrinsics.ts";

interface EventListenerObject {
  handleEvent(event: Event): void;
}
export type EventListener = ((event: Event) => void) | EventListenerObject;

interface Entry {
  readonly type: string;
  readonly listener: EventListener;
  readonly isOnce: boolean;
}

/** The part of Event (DOM Standard, 2.2) that means something where there is no tree. */
export class Event {
  readonly type: string;
  readonly timeStamp: number = now();
  readonly bubbles: boolean = false;
  readonly cancelable: boolean;
  readonly isTrusted: boolean = false;
  #target: EventTarget | null = null;
  #isPrevented = false;
  #isStopped = false;

  constructor(type: unknown, { cancelable = false }: { readonly cancelable?: boolean } = {}) {
    this.type = toText(type);
    this.cancelable = cancelable;
  }

  get target(): EventTarget | null {
    return this.#target;
  }

  get currentTarget(): EventTarget | null {
    return this.#target;
  }

  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }

  preventDefault(): void {
    if (this.cancelable) this.#isPrevented = true;
  }

  stopPropagation(): void {
    // There is no parent that it would go on to.
  }

  stopImmediatePropagation(): void {
    this.#isStopped = true;
  }

  static aim(event: Event, target: EventTarget): void {
    event.#target = target;
  }

  static isStopped(event: Event): boolean {
    return event.#isStopped;
  }
}

const { aim, isStopped } = Event;
// A package finds the platform's names alone.
delete (Event as { aim?: unknown }).aim;
delete (Event as { isStopped?: unknown }).isStopped;

let report: (error: unknown) => void = () => undefined;

/** Says where the errors go that listeners throw: they stop nobody else. */
export function reportListenerErrors(to: (error: unknown) => void): void {
  report = to;
}

/** EventTarget (DOM Standard, 2.7), without a tree. */
export class EventTarget {
  #entries: Entry[] = bareArray();

  addEventListener(
    type: string,
    listener: EventListener | null,
    options?: boolean | { readonly once?: boolean; readonly signal?: unknown },
  ): void {
    if (listener === null || (typeof listener !== "function" && typeof listener !== "object")) return;
    const { once, signal } = typeof options === "object" && options !== null ? options : {};
    const ending = signal instanceof EventTarget ? (signal as EventTarget & { readonly aborted?: boolean }) : null;
    if (ending?.aborted === true) return;
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at];
      if (entry?.type === type && entry.listener === listener) return;
    }
    this.#entries[this.#entries.length] = { type, listener, isOnce: once === true };
    ending?.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
  }

  removeEventListener(type: string, listener: EventListener | null): void {
    const kept: Entry[] = bareArray();
    for (let at = 0; at < this.#entries.length; at += 1) {
      const entry = this.#entries[at];
      if (entry !== undefined && (entry.type !== type || entry.listener !== listener)) kept[kept.length] = entry;
    }
    this.#entries = kept;
  }

  dispatchEvent(event: Event): boolean {
    aim(event, this);
    const { type } = event;
    const handler: unknown = (this as unknown as Record<string, unknown>)[`on${type}`];
    if (typeof handler === "function") notify(this, handler as (event: Event) => void, event);
    // What is added meanwhile is not called, what is removed meanwhile neither.
    const entries = this.#entries;
    const { length } = entries;
    for (let at = 0; at < length && !isStopped(event); at += 1) {
      const entry = entries[at];
      if (entry === undefined || entry.type !== type || !this.#has(entry)) continue;
      if (entry.isOnce) this.removeEventListener(type, entry.listener);
      notify(this, entry.listener, event);
    }
    return !event.defaultPrevented;
  }

  #has(entry: Entry): boolean {
    for (let at = 0; at < this.#entries.length; at += 1) if (this.#entries[at] === entry) return true;
    return false;
  }
}

function notify(target: EventTarget, listener: EventListener, event: Event): void {
  try {
    if (typeof listener === "function") apply(listener, target, [event]);
    else listener.handleEvent(event);
  } catch (error) {
    report(error);
  }
}
