import { realm } from "./internal/realm.ts";
import { promises } from "./internal/timers-promises.ts";
import { promisify } from "./internal/util/callbacks.ts";

type Callback = (...args: unknown[]) => void;

/** Node's timers are objects. One holds nothing open in here, whether it is referenced or not: it ends with its call. */
class Timeout {
  readonly #start: () => number;
  readonly #stop: (timer: number) => void;
  #timer: number;
  #isReferenced = true;

  constructor(start: () => number, stop: (timer: number) => void) {
    this.#start = start;
    this.#stop = stop;
    this.#timer = start();
  }
  ref(): this {
    this.#isReferenced = true;
    return this;
  }
  unref(): this {
    this.#isReferenced = false;
    return this;
  }
  hasRef(): boolean {
    return this.#isReferenced;
  }
  refresh(): this {
    this.close();
    this.#timer = this.#start();
    return this;
  }
  close(): this {
    this.#stop(this.#timer);
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.#timer;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

function setTimeoutObject(callback: Callback, delay?: number, ...args: unknown[]): Timeout {
  return new Timeout(() => realm.setTimeout(callback, delay, ...args), realm.clearTimeout);
}

function setIntervalObject(callback: Callback, delay?: number, ...args: unknown[]): Timeout {
  return new Timeout(() => realm.setInterval(callback, delay, ...args), realm.clearInterval);
}

export function setImmediate(callback: Callback, ...args: unknown[]): Timeout {
  return new Timeout(() => realm.setTimeout(callback, 0, ...args), realm.clearTimeout);
}

export function clearImmediate(timer: unknown): void {
  clear(timer);
}

function clear(timer: unknown): void {
  if (timer instanceof Timeout) timer.close();
  else realm.clearTimeout(typeof timer === "string" ? Number(timer) : timer);
}

const custom = promisify.custom;
Object.defineProperty(setTimeoutObject, custom, { value: promises.setTimeout });
Object.defineProperty(setImmediate, custom, { value: promises.setImmediate });

export const shim = {
  setTimeout: setTimeoutObject,
  setInterval: setIntervalObject,
  setImmediate,
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate,
  promises,
};
