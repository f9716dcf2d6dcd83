import { WEB } from "../../../../src/catalogue/texts.ts";
import { GuestTypeError, bareArray, charCodeAt, indexOf, slice } from "../../intrinsics.ts";
import { assertArguments, isObject, makeIterable, toScalarText } from "../interface.ts";
import { percentDecode, percentEncode, type EncodeSet } from "./percent.ts";

type Pair = [name: string, value: string];

const { ownKeys, getOwnPropertyDescriptor } = Reflect;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;

/** A list that tells a URL's query of each change. */
export let bindParams: (query: string, onChange: (query: string) => void) => URLSearchParams;
/** Reads the list anew, where the URL was changed. */
export let resetParams: (params: URLSearchParams, query: string) => void;
export let isParams: (value: unknown) => value is URLSearchParams;

/** URLSearchParams (URL Standard, 6.2). */
export class URLSearchParams {
  #pairs: Pair[] = bareArray();
  #onChange: ((query: string) => void) | null = null;

  constructor(init: unknown = "") {
    if (!isObject(init)) {
      const text = toScalarText(init);
      this.#pairs = parsePairs(text[0] === "?" ? slice(text, 1) : text);
    } else if (hasIterator(init)) this.#fillFromSequence(init as Iterable<unknown>);
    else this.#fillFromRecord(init);
  }

  get size(): number {
    return this.#pairs.length;
  }

  append(name: unknown, value: unknown): void {
    assertArguments(arguments.length, 2, "URLSearchParams.append");
    this.#pairs[this.#pairs.length] = [toScalarText(name), toScalarText(value)];
    this.#update();
  }

  delete(name: unknown, value: unknown = undefined): void {
    assertArguments(arguments.length, 1, "URLSearchParams.delete");
    const key = toScalarText(name);
    const text = value === undefined ? null : toScalarText(value);
    this.#keep((pair) => pair[0] !== key || (text !== null && pair[1] !== text));
    this.#update();
  }

  get(name: unknown): string | null {
    assertArguments(arguments.length, 1, "URLSearchParams.get");
    const key = toScalarText(name);
    for (let at = 0; at < this.#pairs.length; at += 1) if ((this.#pairs[at] as Pair)[0] === key) return (this.#pairs[at] as Pair)[1];
    return null;
  }

  getAll(name: unknown): string[] {
    assertArguments(arguments.length, 1, "URLSearchParams.getAll");
    const key = toScalarText(name);
    const values: string[] = [];
    for (let at = 0; at < this.#pairs.length; at += 1)
      if ((this.#pairs[at] as Pair)[0] === key) values[values.length] = (this.#pairs[at] as Pair)[1];
    return values;
  }

  has(name: unknown, value: unknown = undefined): boolean {
    assertArguments(arguments.length, 1, "URLSearchParams.has");
    const key = toScalarText(name);
    const text = value === undefined ? null : toScalarText(value);
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (pair[0] === key && (text === null || pair[1] === text)) return true;
    }
    return false;
  }

  set(name: unknown, value: unknown): void {
    assertArguments(arguments.length, 2, "URLSearchParams.set");
    const key = toScalarText(name);
    const text = toScalarText(value);
    let isSet = false;
    this.#keep((pair) => {
      if (pair[0] !== key) return true;
      if (isSet) return false;
      pair[1] = text;
      isSet = true;
      return true;
    });
    if (!isSet) this.#pairs[this.#pairs.length] = [key, text];
    this.#update();
  }

  /** By name, in the order of code units; what has one name stays in its order. */
  sort(): void {
    this.#pairs = sorted(this.#pairs);
    this.#update();
  }

  toString(): string {
    return serializePairs(this.#pairs);
  }

  #keep(isKept: (pair: Pair) => boolean): void {
    const kept: Pair[] = bareArray();
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const pair = this.#pairs[at] as Pair;
      if (isKept(pair)) kept[kept.length] = pair;
    }
    this.#pairs = kept;
  }

  #find(name: string): Pair | undefined {
    for (let at = 0; at < this.#pairs.length; at += 1) if ((this.#pairs[at] as Pair)[0] === name) return this.#pairs[at];
    return undefined;
  }

  #update(): void {
    this.#onChange?.(serializePairs(this.#pairs));
  }

  #fillFromSequence(init: Iterable<unknown>): void {
    for (const item of init) {
      if (!isObject(item) || !hasIterator(item)) throw new GuestTypeError(WEB.notPairs);
      const pair: string[] = bareArray();
      for (const text of item as Iterable<unknown>) pair[pair.length] = toScalarText(text);
      if (pair.length !== 2) throw new GuestTypeError(WEB.notPairs);
      this.#pairs[this.#pairs.length] = [pair[0] as string, pair[1] as string];
    }
  }

  // Two keys that are one once half characters are U+FFFD: the later value counts, in the place of the first.
  #fillFromRecord(init: object): void {
    const keys = ownKeys(init);
    for (let at = 0; at < keys.length; at += 1) {
      const key = keys[at] as string | symbol;
      if (getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
      if (typeof key === "symbol") throw new GuestTypeError(WEB.notPairs);
      const name = toScalarText(key);
      const value = toScalarText((init as Record<string, unknown>)[key]);
      const pair = name === key ? undefined : this.#find(name);
      if (pair === undefined) this.#pairs[this.#pairs.length] = [name, value];
      else pair[1] = value;
    }
  }

  static {
    isParams = (value) => isObject(value) && #pairs in value;
    bindParams = (query, onChange) => {
      const params = new URLSearchParams();
      params.#pairs = parsePairs(query);
      params.#onChange = onChange;
      return params;
    };
    resetParams = (params, query) => {
      params.#pairs = parsePairs(query);
    };
    makeIterable(this, "URLSearchParams", (params) => params.#pairs);
  }
}

/** application/x-www-form-urlencoded, read (URL Standard, 5.1). */
export function parsePairs(text: string): Pair[] {
  const pairs: Pair[] = bareArray();
  for (let from = 0; from <= text.length;) {
    const next = indexOf(text, "&", from);
    const end = next < 0 ? text.length : next;
    if (end > from) {
      const piece = slice(text, from, end);
      const equals = indexOf(piece, "=");
      const name = equals < 0 ? piece : slice(piece, 0, equals);
      pairs[pairs.length] = [decodePart(name), equals < 0 ? "" : decodePart(slice(piece, equals + 1))];
    }
    from = end + 1;
  }
  return pairs;
}

function serializePairs(pairs: readonly Pair[]): string {
  let text = "";
  for (let at = 0; at < pairs.length; at += 1) {
    const pair = pairs[at] as Pair;
    text += `${at === 0 ? "" : "&"}${encodePart(pair[0])}=${encodePart(pair[1])}`;
  }
  return text;
}

function decodePart(text: string): string {
  return percentDecode(replaceEach(text, 0x2b, " "));
}

function encodePart(text: string): string {
  return replaceEach(percentEncode(text, FORM), 0x20, "+");
}

function replaceEach(text: string, unit: number, by: string): string {
  let replaced = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (charCodeAt(text, at) !== unit) continue;
    replaced += slice(text, from, at) + by;
    from = at + 1;
  }
  return from === 0 ? text : replaced + slice(text, from);
}

// All but letters, digits and `*-._`; the space becomes a plus afterwards.
const FORM: EncodeSet = toFormSet();

function toFormSet(): EncodeSet {
  const set = new Uint8Array(0x80).fill(1);
  for (const kept of "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-._ ") set[kept.charCodeAt(0)] = 0;
  return set;
}

// A merge, which no comparison of a package's can disturb.
function sorted(pairs: readonly Pair[]): Pair[] {
  if (pairs.length < 2) return part(pairs, 0, pairs.length);
  const middle = pairs.length >> 1;
  const left = sorted(part(pairs, 0, middle));
  const right = sorted(part(pairs, middle, pairs.length));
  const merged: Pair[] = bareArray();
  for (let a = 0, b = 0; a < left.length || b < right.length;) {
    const takesLeft = b >= right.length || (a < left.length && (left[a] as Pair)[0] <= (right[b] as Pair)[0]);
    merged[merged.length] = (takesLeft ? left[a] : right[b]) as Pair;
    if (takesLeft) a += 1;
    else b += 1;
  }
  return merged;
}

function part(pairs: readonly Pair[], from: number, to: number): Pair[] {
  const copy: Pair[] = bareArray();
  for (let at = from; at < to; at += 1) copy[copy.length] = pairs[at] as Pair;
  return copy;
}

function hasIterator(value: object): boolean {
  return typeof (value as { [Symbol.iterator]?: unknown })[symbolIterator] === "function";
}
