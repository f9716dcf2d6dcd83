import { codes } from "../errors.ts";
import { realm, type RealmSignal } from "../realm.ts";
import { promises } from "../timers-promises.ts";
import { customPromisifyArgs } from "../util.ts";

type Callback = (error: unknown, ...values: unknown[]) => void;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const custom = Symbol.for("nodejs.util.promisify.custom");

export const promisify = Object.assign(toPromised, { custom });

/** A function that takes a callback last, as one that returns a promise. */
function toPromised(original: AnyFunction): AnyFunction {
  if (typeof original !== "function") throw new codes.ERR_INVALID_ARG_TYPE("original", "Function", original);
  const own: unknown = ownPromised(original);
  if (own !== undefined && own !== null) {
    if (typeof own !== "function") throw new codes.ERR_INVALID_ARG_TYPE("util.promisify.custom", "Function", own);
    return Object.defineProperty(own as AnyFunction, custom, { value: own, enumerable: false, writable: false, configurable: true });
  }
  const names = Reflect.get(original, customPromisifyArgs) as readonly string[] | undefined;
  function promised(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done: Callback = (error, ...values) => {
        if (error !== null && error !== undefined && error !== false) reject(error);
        else resolve(names === undefined ? values[0] : Object.fromEntries(names.map((name, at) => [name, values[at]])));
      };
      void Reflect.apply(original, this, [...args, done]);
    });
  }
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original) as object | null);
  Object.defineProperty(promised, custom, { value: promised, enumerable: false, writable: false, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original)) as AnyFunction;
}

/** What a function says itself of how it is made one; the platform's timers are no modules of Node's and cannot say it. */
function ownPromised(original: AnyFunction): unknown {
  if (original === realm.setTimeout) return promises.setTimeout;
  if (original === realm["setImmediate"]) return promises.setImmediate;
  return Reflect.get(original, custom);
}

/** A function that returns a promise, as one that takes a callback last. */
export function callbackify(original: AnyFunction): AnyFunction {
  if (typeof original !== "function") throw new codes.ERR_INVALID_ARG_TYPE("original", "Function", original);
  function called(this: unknown, ...args: unknown[]): void {
    const done = args.pop();
    if (typeof done !== "function") throw new codes.ERR_INVALID_ARG_TYPE("last argument", "Function", done);
    const tell = (...values: unknown[]): void => realm.queueMicrotask(() => void Reflect.apply(done, this, values));
    (Reflect.apply(original, this, args) as Promise<unknown>).then(
      (value) => tell(null, value),
      (reason: unknown) => tell(isNothing(reason) ? new codes.ERR_FALSY_VALUE_REJECTION(reason) : reason),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original) as Record<string, PropertyDescriptor>;
  if (typeof descriptors["length"]?.value === "number") descriptors["length"].value += 1;
  if (typeof descriptors["name"]?.value === "string") descriptors["name"].value += "Callbackified";
  return Object.defineProperties(called, descriptors);
}

function isNothing(reason: unknown): boolean {
  return reason === null || reason === undefined || reason === false || reason === 0 || reason === "";
}

/** Resolves when a signal is aborted. */
export function aborted(signal: RealmSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
