import { FETCH } from "../../src/catalogue/texts.ts";
import { GuestTypeError, apply, bareArray, keysOf, toText } from "./intrinsics.ts";

export type HeadersGuard = "none" | "immutable";
type Pair = readonly [string, string];

const toLowerCase = String.prototype.toLowerCase;
const replace = String.prototype.replace as (this: string, pattern: RegExp, by: string) => string;
const test = RegExp.prototype.test;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;
const VALUE = /^[\u0001-\u0009\u000b\u000c\u000e-\u00ff]*$/u;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/gu;

/** Names and values, sorted and combined, in an array without a prototype. */
export let pairsOf: (headers: Headers) => readonly Pair[];
/** From here on they cannot be changed. */
export let freezeHeaders: (headers: Headers) => Headers;

/** Headers (Fetch Standard, 5.1). Which of them may be sent is the host's to say. */
export class Headers {
  #pairs: Pair[] = bareArray();
  #guard: HeadersGuard = "none";

  constructor(init?: unknown) {
    if (init === undefined) return;
    if (init === null || (typeof init !== "object" && typeof init !== "function")) throw new GuestTypeError(FETCH.headersInit);
    if (#pairs in init) {
      for (let at = 0; at < init.#pairs.length; at += 1) this.#pairs[at] = init.#pairs[at] as Pair;
    } else if (typeof (init as { [Symbol.iterator]?: unknown })[symbolIterator] === "function") {
      for (const item of init as Iterable<Iterable<unknown>>) {
        if (typeof item !== "object" || item === null) throw new GuestTypeError(FETCH.headersInit);
        const pair = [...item];
        if (pair.length !== 2) throw new GuestTypeError(FETCH.headersInit);
        this.append(pair[0], pair[1]);
      }
    } else {
      const record = init as Record<string, unknown>;
      const keys = keysOf(record);
      for (let at = 0; at < keys.length; at += 1) this.append(keys[at], record[keys[at] as string]);
    }
  }

  append(name: unknown, value: unknown): void {
    const [key, text] = [nameOf(name), valueOf(value)];
    this.#assertMutable();
    this.#pairs[this.#pairs.length] = [key, text];
  }

  delete(name: unknown): void {
    const key = nameOf(name);
    this.#assertMutable();
    this.#keep((pair) => pair[0] !== key);
  }

  get(name: unknown): string | null {
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
    const key = nameOf(name);
    for (let at = 0; at < this.#pairs.length; at += 1) if ((this.#pairs[at] as Pair)[0] === key) return true;
    return false;
  }

  set(name: unknown, value: unknown): void {
    const [key, text] = [nameOf(name), valueOf(value)];
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

  forEach(visit: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void {
    for (const [name, value] of this.entries()) apply(visit, thisArg, [value, name, this]);
  }

  // Each step sorts anew: what is changed on the way is seen, as the standard has it.
  *entries(): Generator<[string, string], undefined> {
    for (let at = 0; ; at += 1) {
      const pair = this.#sorted()[at];
      if (pair === undefined) return;
      yield [pair[0], pair[1]];
    }
  }

  *keys(): Generator<string, undefined> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries();
  }

  get [Symbol.toStringTag](): string {
    return "Headers";
  }

  // By name; one of a name, but each cookie for itself.
  #sorted(): Pair[] {
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
  }

  static {
    pairsOf = (headers) => headers.#sorted();
    freezeHeaders = (headers) => {
      headers.#guard = "immutable";
      return headers;
    };
  }
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
