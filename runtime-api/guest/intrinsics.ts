/**
 * Intrinsics, captured before a package's code runs: what it does to its globals and prototypes then reaches
 * neither the results nor the errors that the runtime writes. The runtime calls no method of a value by its name.
 */
const { apply, defineProperty, getPrototypeOf } = Reflect;

type Method<Self, Args extends unknown[], Result> = (this: Self, ...args: Args) => Result;

function uncurry<Self, Args extends unknown[], Result>(method: Method<Self, Args, Result>) {
  return (self: Self, ...args: Args): Result => apply(method, self, args);
}

export { apply, getPrototypeOf };
export const GuestError = Error;
export const GuestRangeError = RangeError;
export const GuestTypeError = TypeError;
export const GuestPromise = Promise;
export const freeze = Object.freeze;
export const create = Object.create as (prototype: object | null) => Record<string, unknown>;
export const keysOf = Object.keys;
export const hasOwn = Object.hasOwn;
export const isArray = Array.isArray;
export const isView = ArrayBuffer.isView;
const setPrototypeOf = Object.setPrototypeOf;
export const parseJson = JSON.parse;
export const toJson = JSON.stringify;
export const toText = String;
export const toNumber = Number;
export const min = Math.min;
export const max = Math.max;
export const isFinite = Number.isFinite;
export const now = Date.now;
export const ObjectPrototype = Object.prototype;
export const ArrayPrototype = Array.prototype;
export const DatePrototype = Date.prototype;
export const GuestMap = Map;
export const GuestSet = Set;

export const then = uncurry(
  Promise.prototype.then as (this: Promise<unknown>, ok: (value: unknown) => void, bad?: (reason: unknown) => void) => Promise<void>,
);
export const slice = uncurry(String.prototype.slice);
export const numberText = uncurry(Number.prototype.toString);
export const indexOf = uncurry(String.prototype.indexOf);
export const fromCharCodes = String.fromCharCode;
export const charCodeAt = uncurry(String.prototype.charCodeAt);
export const mapGet = uncurry(Map.prototype.get as (this: Map<unknown, unknown>, key: unknown) => unknown) as <K, V>(
  map: Map<K, V>,
  key: K,
) => V | undefined;
export const mapSet = uncurry(Map.prototype.set as (this: Map<unknown, unknown>, key: unknown, value: unknown) => Map<unknown, unknown>);
export const mapDelete = uncurry(Map.prototype.delete as (this: Map<unknown, unknown>, key: unknown) => boolean);
export const mapForEach = uncurry(
  Map.prototype.forEach as (this: Map<unknown, unknown>, visit: (value: unknown, key: unknown) => void) => void,
);
export const setForEach = uncurry(Set.prototype.forEach as (this: Set<unknown>, visit: (value: unknown) => void) => void);
export const mapSize = uncurry(Object.getOwnPropertyDescriptor(Map.prototype, "size")?.get as (this: Map<unknown, unknown>) => number);
export const setSize = uncurry(Object.getOwnPropertyDescriptor(Set.prototype, "size")?.get as (this: Set<unknown>) => number);
export const dateToIso = uncurry(Date.prototype.toISOString);
export const dateValue = uncurry(Date.prototype.getTime);
export const regExpSource = uncurry(RegExp.prototype.toString);
export const stringValue = uncurry(String.prototype.valueOf as (this: object) => unknown);
export const numberValue = uncurry(Number.prototype.valueOf as (this: object) => unknown);
export const booleanValue = uncurry(Boolean.prototype.valueOf as (this: object) => unknown);
export const bigIntText = uncurry(BigInt.prototype.toString);
export const symbolText = uncurry(Symbol.prototype.toString);

/** An array that no prototype stands behind: what is put into it reaches no setter of the package's. */
export function bareArray<T>(): T[] {
  return setPrototypeOf([], null) as T[];
}

/** Sets `target[key]` as an own property, past any setter, and hides it from enumeration. */
export function define(target: object, key: string | symbol, value: unknown): void {
  const descriptor = create(null);
  descriptor["value"] = value;
  descriptor["writable"] = true;
  descriptor["configurable"] = true;
  descriptor["enumerable"] = false;
  defineProperty(target, key, descriptor);
}
