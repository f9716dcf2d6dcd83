import { realm } from "./realm.ts";

/** What every storage holds at one moment: never changed, always replaced. */
export type Context = ReadonlyMap<object, unknown>;
type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const root: Context = new Map();
let current = root;
let depth = 0;

export function currentContext(): Context {
  return current;
}

/**
 * Until whoever runs this function leaves it; where nobody does, until the microtasks begin: the next turn may be another
 * call's.
 */
export function enterContext(context: Context): void {
  if (depth === 0 && current === root) void Reflect.apply(then, Promise.resolve(), [() => (current = root)]);
  current = context;
}

export function runInContext(context: Context, fn: AnyFunction, self: unknown, args: readonly unknown[]): unknown {
  const before = current;
  current = context;
  depth += 1;
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    depth -= 1;
    current = before;
  }
}

/** A function that runs in the context in which it was bound. */
export function bindToContext<F>(fn: F): F {
  if (typeof fn !== "function") return fn;
  const context = current;
  function bound(this: unknown, ...args: unknown[]): unknown {
    return runInContext(context, fn as unknown as AnyFunction, this, args);
  }
  return Object.defineProperties(bound, { name: { value: fn.name }, length: { value: fn.length } }) as F;
}

/*
 * An isolate has no hooks into its promises, so whatever is to run later is bound where it is handed over: to `then`, to a
 * timer, to the queue of microtasks. A native `await` hands over nothing that could be bound: a bundle with this module in it
 * is compiled without one.
 */
const { then } = Promise.prototype;
replace(Promise.prototype, "then", function (this: unknown, ok?: unknown, bad?: unknown): unknown {
  return Reflect.apply(then, this, [bindToContext(ok), bindToContext(bad)]);
});
const resolve = Promise.resolve;
replace(Promise, "resolve", function (this: unknown, value?: unknown): unknown {
  const later = value instanceof Promise ? undefined : thenOf(value);
  if (later === undefined) return Reflect.apply(resolve, this, [value]);
  // A thenable's `then` is called from a microtask of the engine's own.
  const bound = bindToContext(later);
  return Reflect.construct(this as PromiseConstructor, [
    (settle: unknown, fail: unknown) => realm.queueMicrotask(() => call(bound, value, settle, fail)),
  ]);
});
for (const name of ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"] as const) {
  const original = realm[name];
  if (typeof original !== "function") continue;
  replace(realm, name, function (callback: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(original, undefined, [bindToContext(callback), ...args]);
  });
}

function thenOf(value: unknown): AnyFunction | undefined {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  const later: unknown = Reflect.get(value, "then");
  return typeof later === "function" ? (later as AnyFunction) : undefined;
}

function call(later: AnyFunction, value: unknown, settle: unknown, fail: unknown): void {
  try {
    Reflect.apply(later, value, [settle, fail]);
  } catch (error) {
    (fail as (error: unknown) => void)(error);
  }
}

function replace(holder: object, name: string, value: AnyFunction): void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  const original = before?.value as { readonly name: string; readonly length: number } | undefined;
  Object.defineProperties(value, { name: { value: name }, length: { value: original?.length ?? 0 } });
  Object.defineProperty(holder, name, { ...before, value });
}
