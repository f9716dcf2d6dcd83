import { encodings } from "./binding/buffer.ts";

/** What Node's own modules take from `internal/util`. In a guest every path is a POSIX path. */
export const isWindows = false;
export const isMacOS = false;
export const kEmptyObject: object = Object.freeze({ __proto__: null });
export const customInspectSymbol = Symbol.for("nodejs.util.inspect.custom");
export const customPromisifyArgs = Symbol("customPromisifyArgs");

export const kIsEncodingSymbol = Symbol("kIsEncodingSymbol");
export const encodingsMap: Readonly<Record<string, number>> = Object.fromEntries(encodings.map((name, number) => [name, number]));

/** What the modules that ask for these come from is the web's platform's here, and put in by ours. */
export function defineLazyProperties(): void {}

export function lazyDOMException(message: string): Error {
  return new Error(message);
}

export function getLazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

export function spliceOne(list: unknown[], index: number): void {
  list.splice(index, 1);
}

export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

export function setOwnProperty(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value,
    writable: true,
  } as PropertyDescriptor);
}

export function join(parts: readonly string[], separator: string): string {
  return parts.join(separator);
}

export function removeColors(text: string): string {
  return text.replaceAll(/\u001b\[\d\d?m/g, "");
}

/** What is deprecated works as it did, and nobody is told: there is no developer at this console. */
export function deprecate<F>(fn: F): F {
  return fn;
}

const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ["utf8", "utf8"],
  ["utf-8", "utf8"],
  ["ucs2", "utf16le"],
  ["ucs-2", "utf16le"],
  ["utf16le", "utf16le"],
  ["utf-16le", "utf16le"],
  ["latin1", "latin1"],
  ["binary", "latin1"],
  ["base64", "base64"],
  ["base64url", "base64url"],
  ["hex", "hex"],
  ["ascii", "ascii"],
]);

/** Node's one name for an encoding, or undefined where it knows none. */
export function normalizeEncoding(encoding: unknown): string | undefined {
  if (encoding === undefined || encoding === null || encoding === "") return "utf8";
  return ENCODINGS.get(String(encoding).toLowerCase());
}

/** A channel of diagnostics lives as long as its cell: there is nothing to be weak about. */
export class WeakReference<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }
  incRef(): void {}
  decRef(): void {}
  get(): T {
    return this.#value;
  }
}
