import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolSignal } from "../types.ts";
import { GuestError, bareArray, define } from "./intrinsics.ts";

type Listener = (event: { readonly type: "abort" }) => void;

/** A signal and the one way to abort it. Listeners run in the turn of the abort; what one throws stops no other. */
export function createSignal(onListenerError: (error: unknown) => void): { readonly signal: ToolSignal; abort(): void } {
  let aborted = false;
  let reason: unknown;
  let listeners: { readonly listener: Listener; readonly isOnce: boolean }[] = bareArray();
  const signal = {
    onabort: null as Listener | null,
    get aborted() {
      return aborted;
    },
    get reason() {
      return reason;
    },
    throwIfAborted() {
      if (aborted) throw reason;
    },
    addEventListener(type: "abort", listener: Listener, options?: { readonly once?: boolean }) {
      if (type !== "abort" || typeof listener !== "function") return;
      for (let index = 0; index < listeners.length; index += 1) if (listeners[index]?.listener === listener) return;
      listeners[listeners.length] = { listener, isOnce: options?.once === true };
    },
    removeEventListener(_type: "abort", listener: Listener) {
      const kept: typeof listeners = bareArray();
      for (let index = 0; index < listeners.length; index += 1) {
        const entry = listeners[index];
        if (entry !== undefined && entry.listener !== listener) kept[kept.length] = entry;
      }
      listeners = kept;
    },
  };
  function abort(): void {
    if (aborted) return;
    aborted = true;
    reason = abortError();
    const called = listeners;
    listeners = bareArray();
    notify(signal.onabort, onListenerError);
    for (let index = 0; index < called.length; index += 1) notify(called[index]?.listener, onListenerError);
  }
  return { signal, abort };
}

function notify(listener: unknown, onListenerError: (error: unknown) => void): void {
  if (typeof listener !== "function") return;
  try {
    (listener as Listener)({ type: "abort" });
  } catch (error) {
    onListenerError(error);
  }
}

function abortError(): Error {
  const error = new GuestError(GUEST.aborted);
  define(error, "name", "AbortError");
  return error;
}
