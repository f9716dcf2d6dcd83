import { WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, bareArray, create, define, getPrototypeOf, toText } from "../intrinsics.ts";

const { defineProperty, getOwnPropertyDescriptor, ownKeys } = Reflect;
const isPrototypeOf = Object.prototype.isPrototypeOf;
const toWellFormed = String.prototype.toWellFormed;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const symbolTag: typeof Symbol.toStringTag = Symbol.toStringTag;
const IteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()) as object);

interface Class {
  readonly prototype: object;
}

const platformPrototypes: object[] = bareArray();

/** Whether a value is an object of the platform's, or of a class made from one. */
export function isPlatformObject(value: object): boolean {
  for (let at = 0; at < platformPrototypes.length; at += 1) if (apply(isPrototypeOf, platformPrototypes[at], [value])) return true;
  return false;
}

/**
 * Puts a class on the global object as Web IDL (3.7) wants an interface: itself not enumerable, its operations and
 * attributes enumerable, its name as its tag.
 */
export function installInterface(target: object, name: string, interfaceObject: Class): void {
  const { prototype } = interfaceObject;
  // A bundler may have given the class another name.
  defineProperty(interfaceObject, "name", { __proto__: null, value: name, configurable: true } as PropertyDescriptor);
  showMembers(prototype);
  showMembers(interfaceObject);
  setTag(prototype, name);
  platformPrototypes[platformPrototypes.length] = prototype;
  define(target, name, interfaceObject);
}

/** The tag by which `Object.prototype.toString` knows an object. */
export function setTag(target: object, tag: string): void {
  defineProperty(target, symbolTag, { __proto__: null, value: tag, configurable: true } as PropertyDescriptor);
}

/** Constants stand on the interface and on its prototype, and cannot be changed. */
export function defineConstants(interfaceObject: Class, constants: Readonly<Record<string, number>>): void {
  for (const name of ownKeys(constants) as string[]) {
    const descriptor = { __proto__: null, value: constants[name], enumerable: true } as PropertyDescriptor;
    defineProperty(interfaceObject, name, descriptor);
    defineProperty(interfaceObject.prototype, name, descriptor);
  }
}

/** Puts the methods of an object on the global object: enumerable, writable, configurable. */
export function installOperations(target: object, operations: Readonly<Record<string, unknown>>): void {
  for (const name of ownKeys(operations) as string[]) {
    const value = operations[name];
    defineProperty(target, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor);
  }
}

/** An attribute of the global object that is read alone. */
export function installAttribute(target: object, name: string, read: () => unknown): void {
  const accessors = {
    get [name]() {
      return read();
    },
  };
  const { get } = getOwnPropertyDescriptor(accessors, name) ?? {};
  defineProperty(target, name, { __proto__: null, get, enumerable: true, configurable: true } as PropertyDescriptor);
}

/** An attribute of the global object that whoever wants may replace (`[Replaceable]`). */
export function installReplaceable(target: object, name: string, read: () => unknown): void {
  const accessors = {
    get [name]() {
      return read();
    },
    set [name](value: unknown) {
      installOperations(target, { __proto__: null, [name]: value });
    },
  };
  const { get, set } = getOwnPropertyDescriptor(accessors, name) ?? {};
  defineProperty(target, name, { __proto__: null, get, set, enumerable: true, configurable: true } as PropertyDescriptor);
}

/** A USVString: half characters become U+FFFD. */
export function toScalarText(value: unknown): string {
  return apply(toWellFormed, toText(value), []);
}

/** What Web IDL throws for a call with too few arguments. */
export function assertArguments(given: number, needed: number, what: string): void {
  if (given < needed) throw new GuestTypeError(WEB.tooFew(what, needed, given));
}

/** An options argument as a dictionary: absent is empty, a primitive is refused. */
export function toDictionary(value: unknown, what: string): Record<string, unknown> {
  if (value === undefined || value === null) return create(null);
  if (typeof value !== "object" && typeof value !== "function") throw new GuestTypeError(WEB.notDictionary(what));
  return value as Record<string, unknown>;
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

type Pair = readonly [string, unknown];
type Kind = "entries" | "keys" | "values";

/**
 * The iterators of a pair-iterable interface (Web IDL, 3.7.10): `entries`, `keys`, `values`, `forEach` and the iterator
 * symbol. Each step looks anew, so that what is changed on the way is seen.
 */
export function makeIterable<T extends object>(
  interfaceObject: abstract new (...args: never[]) => T,
  name: string,
  pairsOf: (self: T) => readonly Pair[],
) {
  class PairIterator {
    readonly #self: T;
    readonly #kind: Kind;
    #at = 0;

    constructor(self: T, kind: Kind) {
      this.#self = self;
      this.#kind = kind;
    }

    next(): { value: unknown; done: boolean } {
      const pair = pairsOf(this.#self)[this.#at];
      if (pair === undefined) return { value: undefined, done: true };
      this.#at += 1;
      return { value: this.#kind === "entries" ? [pair[0], pair[1]] : this.#kind === "keys" ? pair[0] : pair[1], done: false };
    }
  }
  const prototype = PairIterator.prototype as object;
  delete (prototype as { constructor?: unknown }).constructor;
  Object.setPrototypeOf(prototype, IteratorPrototype);
  showMembers(prototype);
  setTag(prototype, `${name} Iterator`);

  const begin = (self: T, kind: Kind): PairIterator => {
    // Refuses whatever is no object of this interface.
    pairsOf(self);
    return new PairIterator(self, kind);
  };
  const target = interfaceObject.prototype;
  const members = {
    entries(this: T) {
      return begin(this, "entries");
    },
    keys(this: T) {
      return begin(this, "keys");
    },
    values(this: T) {
      return begin(this, "values");
    },
    forEach(this: T, callback: (value: unknown, key: string, self: T) => void, ...rest: [thisArg?: unknown]) {
      pairsOf(this);
      if (typeof callback !== "function") throw new GuestTypeError(WEB.notCallback);
      for (let at = 0; ; at += 1) {
        const pair = pairsOf(this)[at];
        if (pair === undefined) return;
        apply(callback, rest[0], [pair[1], pair[0], this]);
      }
    },
  };
  for (const key of ["entries", "keys", "values", "forEach"] as const) define(target, key, members[key]);
  define(target, symbolIterator, members.entries);
}

function showMembers(target: object): void {
  for (const key of ownKeys(target)) {
    if (typeof key !== "string" || key === "constructor" || (typeof target === "function" && isOfFunctions(key))) continue;
    const descriptor = getOwnPropertyDescriptor(target, key);
    if (descriptor?.configurable === true) defineProperty(target, key, { __proto__: null, enumerable: true } as PropertyDescriptor);
  }
}

function isOfFunctions(key: string): boolean {
  return key === "prototype" || key === "name" || key === "length";
}
