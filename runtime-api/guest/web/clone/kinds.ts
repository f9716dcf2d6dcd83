import { GuestError, apply, bareArray } from "../../intrinsics.ts";

const isPrototypeOf = Object.prototype.isPrototypeOf;
const realm = globalThis as unknown as Record<string, unknown>;

/** A value as it lies between two realms (HTML Standard, 2.7): primitives stand for themselves, everything else is one of these. */
export type Stored = string | number | bigint | boolean | null | undefined | StoredObject;

export type StoredObject = { made?: object } & (
  | { readonly kind: "plain" | "array"; readonly length: number; readonly keys: string[]; readonly values: Stored[] }
  | { readonly kind: "map"; readonly keys: Stored[]; readonly values: Stored[] }
  | { readonly kind: "set"; readonly values: Stored[] }
  | { readonly kind: "wrapper"; readonly value: string | number | bigint | boolean }
  | { readonly kind: "date"; readonly time: number }
  | { readonly kind: "regexp"; readonly source: string; readonly flags: string }
  | {
      readonly kind: "error";
      readonly name: string;
      readonly message: string | undefined;
      readonly stack: string | undefined;
      readonly cause: { readonly value: Stored } | null;
    }
  | { readonly kind: "buffer"; readonly buffer: ArrayBuffer }
  | { readonly kind: "transferred"; readonly buffer: ArrayBuffer }
  | {
      readonly kind: "view";
      readonly type: string;
      readonly buffer: Stored;
      readonly offset: number;
      /** Elements, or bytes of a DataView; undefined where it follows its buffer. */ readonly length: number | undefined;
    }
  | { readonly kind: "platform"; readonly copy: object }
);

export const ERROR_NAMES = ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"] as const;

/** Whether an object inherits from a prototype, whatever `instanceof` was made to say. */
export function inherits(value: object, prototype: object): boolean {
  return apply(isPrototypeOf, prototype, [value]);
}

/** Whether an intrinsic takes an object for one of its own. */
export function hasSlot(read: (this: never) => unknown, value: object): boolean {
  try {
    apply(read as (this: object) => unknown, value, []);
    return true;
  } catch {
    return false;
  }
}

export function getterOf(prototype: object, key: string): (this: object) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  if (get === undefined) throw new GuestError(`No getter ${key}`);
  return get;
}

/** Prototypes of the language whose objects hold what cannot be copied. */
export function uncloneablePrototypes(): object[] {
  const found: object[] = bareArray();
  const add = (value: unknown): void => {
    if (typeof value === "function" && typeof value.prototype === "object" && value.prototype !== null)
      found[found.length] = value.prototype as object;
  };
  for (const name of [
    "Promise",
    "WeakMap",
    "WeakSet",
    "WeakRef",
    "FinalizationRegistry",
    "Symbol",
    "Iterator",
    "DisposableStack",
    "AsyncDisposableStack",
  ])
    add(realm[name]);
  found[found.length] = Object.getPrototypeOf(Object.getPrototypeOf(asyncGenerator.prototype)) as object;
  for (const space of ["Intl", "WebAssembly"]) {
    const names = realm[space];
    if (typeof names === "object" && names !== null)
      for (const name of Object.getOwnPropertyNames(names)) add((names as Record<string, unknown>)[name]);
  }
  return found;
}

async function* asyncGenerator(): AsyncGenerator<never, void> {
  // Only what stands behind it is looked at.
}
