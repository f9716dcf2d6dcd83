import { AbortError } from "./errors.ts";
import { realm, type RealmSignal } from "./realm.ts";

interface Options {
  readonly signal?: RealmSignal;
}

export const promises = {
  setTimeout: <T>(delay?: number, value?: T, options?: Options): Promise<T | undefined> => wait(delay ?? 1, value, options?.signal),
  setImmediate: <T>(value?: T, options?: Options): Promise<T | undefined> => wait(0, value, options?.signal),
  setInterval: repeat,
  scheduler: {
    wait: (delay: number, options?: Options): Promise<undefined> => wait(delay, undefined, options?.signal),
    yield: (): Promise<undefined> => wait(0, undefined, undefined),
  },
};

function wait<T>(delay: number, value: T, signal: RealmSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(abortedBy(signal));
    const timer = realm.setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    }, delay);
    const stop = (): void => {
      realm.clearTimeout(timer);
      if (signal !== undefined) reject(abortedBy(signal));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function* repeat<T>(delay = 1, value?: T, options?: Options): AsyncGenerator<T | undefined, void> {
  const signal = options?.signal;
  if (signal?.aborted === true) throw abortedBy(signal);
  let due = 0;
  let wake: (() => void) | null = null;
  const ring = (): void => wake?.();
  const timer = realm.setInterval(() => {
    due += 1;
    ring();
  }, delay);
  signal?.addEventListener("abort", ring, { once: true });
  try {
    for (;;) {
      if (signal?.aborted) throw abortedBy(signal);
      if (due === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (; due > 0; due -= 1) yield value;
    }
  } finally {
    realm.clearInterval(timer);
    signal?.removeEventListener("abort", ring);
  }
}

function abortedBy(signal: RealmSignal): Error {
  return new AbortError(undefined, { cause: signal.reason });
}
