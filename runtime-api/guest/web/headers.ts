import { FETCH } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, bareArray, toText } from "../intrinsics.ts";
import { assertArguments, installInterface, isObject, makeIterable } from "./interface.ts";

export type HeadersGuard = "none" | "immutable";
type Pair = readonly [string, string];

const toLowerCase = String.prototype.toLowerCase;
const replace = String.prototype.replace as (this: string, pattern: RegExp, by: string) => string;
const test = RegExp.prototype.test;
const { getOwnPropertyDescriptor, ownKeys } = Reflect;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;
const VALUE = /^[\u0001-\u0009\u000b\u000c\u000e-\u00ff]*$/u;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/gu;

// A Headers that iterates as it was made to is copied as it is, cookies apart.
let ownIterator: unknown;

/** Names and values, sorted and combined, in an array without a prototype. */
export let pairsOf: (headers: Headers) => readonly Pair[];
/** From here on they cannot be changed. */
export let freezeHeaders: (headers: Headers) => Headers;

/** Headers (Fetch Standard, 5.1). Which of them may be sent is the host's to say. */
export class Headers {
  #pairs: Pair[] = bareArray();
  #guard: HeadersGuard = "none";
  // Sorted and combined, until something changes.
  #view: Pair[] | null = null;

  constructor(init: unknown = undefined) {
    if (init !== undefined) this.#fill(init);
  }

  append(name: unknown, value: unknown): void {
    assertArguments(arguments.length, 2, "Headers.append");
    this.#append(name, value);
  }

  delete(name: unknown): void {
    assertArguments(arguments.length, 1, "Headers.delete");
    const key = nameOf(name);
    this.#assertMutable();
    this.#keep((pair) => pair[0] !== key);
  }

  get(name: unknown): string | null {
    assertArguments(arguments.length, 1, "Headers.get");
    const key = nameOf(name);
    let joined: string | null = null;
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (pair[0] === key) joined = joined === null ? pair[1] : `${joined}, ${pair[1]}`;
    }
    return joined;
  }

  getSetCookie(): string[] {
    const cookies: string[] = [];
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (pair[0] === "set-cookie") cookies[cookies.length] = pair[1];
    }
    return cookies;
  }

  has(name: unknown): boolean {
    assertArguments(arguments.length, 1, "Headers.has");
    const key = nameOf(name);
    for (let at = 0; at < this.#pairs.length; at += 1) if ((this.#pairs[at] as Pair)[0] === key) return true;
    return false;
  }

  set(name: unknown, value: unknown): void {
    assertArguments(arguments.length, 2, "Headers.set");
    const key = nameOf(name);
    const text = valueOf(value);
    this.#assertMutable();
    let isSet = false;
    const pairs: Pair[] = bareArray();
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (pair[0] !== key) pairs[pairs.length] = pair;
      else if (!isSet) {
        pairs[pairs.length] = [key, text];
        isSet = true;
      }
    }
    if (!isSet) pairs[pairs.length] = [key, text];
    this.#pairs = pairs;
  }

  // By name; one of a name, but each cookie for itself.
  #sorted(): Pair[] {
    this.#view ??= this.#sort();
    return this.#view;
  }

  #sort(): Pair[] {
    const sorted: Pair[] = bareArray();
    for (let from = 0; from < this.#pairs.length; from += 1) {
      const pair = this.#pairs[from] as Pair;
      const key = pair[0];
      let at = sorted.length;
      while (at > 0 && (sorted[at - 1] as Pair)[0] > key) at -= 1;
      const before = sorted[at - 1];
      if (before?.[0] === key && key !== "set-cookie") {
        sorted[at - 1] = [key, `${before[1]}, ${pair[1]}`];
        continue;
      }
      for (let next = sorted.length; next > at; next -= 1) sorted[next] = sorted[next - 1] as Pair;
      sorted[at] = pair;
    }
    return sorted;
  }

  #fill(init: unknown): void {
    if (!isObject(init)) throw new GuestTypeError(FETCH.headersInit);
    const iterator = (init as { [Symbol.iterator]?: unknown })[symbolIterator];
    if (#pairs in init && iterator === ownIterator) {
      for (let at = 0; at < init.#pairs.length; at += 1) this.#pairs[at] = init.#pairs[at] as Pair;
    } else if (iterator === undefined || iterator === null) this.#fillFromRecord(init);
    else {
      for (const item of init as Iterable<unknown>) {
        if (!isObject(item)) throw new GuestTypeError(FETCH.headersInit);
        const pair: unknown[] = bareArray();
        for (const part of item as Iterable<unknown>) pair[pair.length] = part;
        if (pair.length !== 2) throw new GuestTypeError(FETCH.headersInit);
        this.#append(pair[0], pair[1]);
      }
    }
  }

  #fillFromRecord(init: object): void {
    const keys = ownKeys(init);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string | symbol;
      if (getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
      if (typeof key === "symbol") throw new GuestTypeError(FETCH.headersInit);
      this.#append(key, (init as Record<string, unknown>)[key]);
    }
  }

  #append(name: unknown, value: unknown): void {
    const key = nameOf(name);
    const text = valueOf(value);
    this.#assertMutable();
    this.#pairs[this.#pairs.length] = [key, text];
  }

  #keep(isKept: (pair: Pair) => boolean): void {
    const pairs: Pair[] = bareArray();
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (isKept(pair)) pairs[pairs.length] = pair;
    }
    this.#pairs = pairs;
  }

  #assertMutable(): void {
    if (this.#guard === "immutable") throw new GuestTypeError(FETCH.immutable);
    this.#view = null;
  }

  static {
    makeIterable(this, "Headers", (headers) => headers.#sorted());
    ownIterator = (this.prototype as { [Symbol.iterator]?: unknown })[symbolIterator];
    pairsOf = (headers) => headers.#sorted();
    freezeHeaders = (headers) => {
      headers.#guard = "immutable";
      return headers;
    };
  }
}

export function installHeaders(target: object): void {
  installInterface(target, "Headers", Headers);
}

function nameOf(name: unknown): string {
  const lower = apply(toLowerCase, toText(name), []);
  if (!apply(test, TOKEN, [lower])) throw new GuestTypeError(FETCH.headerName);
  return lower;
}

function valueOf(value: unknown): string {
  const text = apply(replace, toText(value), [EDGES, ""]);
  if (!apply(test, VALUE, [text])) throw new GuestTypeError(FETCH.headerValue);
  return text;
}
