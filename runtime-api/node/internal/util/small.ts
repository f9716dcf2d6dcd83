import { codes } from "../errors.ts";
import { stripVTControlCharacters } from "./inspect.ts";

type Class = abstract new (...args: never[]) => object;

export function inherits(constructor: Class, parent: Class): void {
  if (typeof constructor !== "function") throw new codes.ERR_INVALID_ARG_TYPE("ctor", "Function", constructor);
  if (typeof parent !== "function") throw new codes.ERR_INVALID_ARG_TYPE("superCtor", "Function", parent);
  if (parent.prototype === undefined) throw new codes.ERR_INVALID_ARG_TYPE("superCtor.prototype", "Object", parent.prototype);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype as object, parent.prototype as object);
}

/** What is deprecated works as it did, under its own name, and nobody is told. */
export function deprecate<F extends (this: unknown, ...args: unknown[]) => unknown>(fn: F): F {
  function deprecated(this: unknown, ...args: unknown[]): unknown {
    return new.target === undefined ? Reflect.apply(fn, this, args) : (Reflect.construct(fn, args, new.target) as unknown);
  }
  Object.setPrototypeOf(deprecated, fn);
  if ("prototype" in fn) deprecated.prototype = fn.prototype as object;
  return Object.defineProperty(deprecated, "length", { ...Object.getOwnPropertyDescriptor(fn, "length") }) as unknown as F;
}

/** Switched on by `NODE_DEBUG`, which a guest does not have: always silent. */
export function debuglog(): ((...values: unknown[]) => void) & { readonly enabled: boolean } {
  return Object.assign(() => undefined, { enabled: false });
}

/** Text as it would look without colours: what is written here is read by a model or kept in a log. */
export function styleText(_format: unknown, text: string): string {
  if (typeof text !== "string") throw new codes.ERR_INVALID_ARG_TYPE("text", "string", text);
  return stripVTControlCharacters(text);
}

export function toUSVString(text: unknown): string {
  return String(text).toWellFormed();
}

/** The variables of a `.env` file's text. */
export function parseEnv(content: string): Record<string, string> {
  const found: Record<string, string> = {};
  const line = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:'([^']*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`|([^\n#]*))?[ \t]*(?:#.*)?$/gm;
  for (const [, name = "", single, double, backtick, bare] of content.replaceAll("\r\n", "\n").matchAll(line)) {
    const value = single ?? double?.replaceAll("\\n", "\n") ?? backtick ?? bare?.trim() ?? "";
    Object.defineProperty(found, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return found;
}
