import assert from "node:assert/strict";
import { test } from "node:test";
import { inGuest } from "./a-guest.ts";

const NAMES = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "ByteLengthQueuingStrategy",
  "CompressionStream",
  "CountQueuingStrategy",
  "CustomEvent",
  "DOMException",
  "DecompressionStream",
  "Event",
  "EventTarget",
  "File",
  "FormData",
  "Headers",
  "Performance",
  "ReadableByteStreamController",
  "ReadableStream",
  "ReadableStreamBYOBReader",
  "ReadableStreamBYOBRequest",
  "ReadableStreamDefaultController",
  "ReadableStreamDefaultReader",
  "Request",
  "Response",
  "TextDecoder",
  "TextDecoderStream",
  "TextEncoder",
  "TextEncoderStream",
  "TransformStream",
  "TransformStreamDefaultController",
  "URL",
  "URLPattern",
  "URLSearchParams",
  "WritableStream",
  "WritableStreamDefaultController",
  "WritableStreamDefaultWriter",
  "Navigator",
  "atob",
  "btoa",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "fetch",
  "navigator",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
];

// How a global looks to whoever examines it: flags, lengths, names, tags, prototypes.
const SHAPE = `(names) => {
  const flags = ({ writable, enumerable, configurable, get, set }) => [writable ? "w" : "", enumerable ? "e" : "", configurable ? "c" : "", get ? "get" : "", set ? "set" : ""].join("");
  const members = (object) => Object.fromEntries(Reflect.ownKeys(object).filter((key) => typeof key === "string" || key === Symbol.toStringTag || key === Symbol.iterator || key === Symbol.asyncIterator).map((key) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
    const inner = typeof descriptor.value === "function" && key !== "constructor" ? " " + descriptor.value.name + "/" + descriptor.value.length : typeof descriptor.value === "string" || typeof descriptor.value === "number" ? " " + descriptor.value : "";
    return [String(key), flags(descriptor) + inner];
  }));
  return Object.fromEntries(names.map((name) => {
    const descriptor = Reflect.getOwnPropertyDescriptor(globalThis, name);
    if (descriptor === undefined) return [name, null];
    const value = globalThis[name];
    const isClass = typeof value === "function" && value.prototype !== undefined && /^[A-Z]/u.test(name);
    return [name, { flags: flags(descriptor), own: isClass ? members(value) : typeof value === "function" ? { name: value.name, length: value.length } : {}, prototype: isClass ? members(value.prototype) : {}, parent: isClass ? Object.getPrototypeOf(value.prototype)?.constructor?.name ?? null : null, above: isClass ? Object.getPrototypeOf(value).name : null }];
  }));
}`;

// Where the standards and Node differ, or where Node has more.
const KNOWN = [
  // Web IDL has static operations and attributes enumerable, constants on the prototype too, and no argument that may be left out counts.
  /^AbortSignal\.(?:own\.(?:abort|timeout|any)|prototype\.(?:reason|throwIfAborted)): w?ec/u,
  /^Event\.prototype\.(?:NONE|CAPTURING_PHASE|AT_TARGET|BUBBLING_PHASE): e /u,
  /^(?:clear(?:Immediate|Interval|Timeout)\.own\.length: 0|set(?:Interval|Timeout)\.own\.length: 1|structuredClone\.own\.length: 1), /u,
  /^(?:TextDecoderStream|TextEncoderStream|Navigator|URLPattern)\.prototype\.Symbol\(Symbol\.toStringTag\): c \w+, Node undefined$/u,
  /^CustomEvent\.prototype\.initCustomEvent: wec /u,
  // Each event has it for its own.
  /^Event\.prototype\.isTrusted: undefined, /u,
  // Node's URLPattern is a native class without the usual flags.
  /^URLPattern\.(?:own\.(?:prototype|arguments|caller|compareComponent)|prototype\.\w+): /u,
  // Node's own, and what means something where there are files, marks, threads or a user.
  /^(?:Performance|Navigator|Request)\.prototype\.\w+: undefined, Node /u,
  /^URL\.own\.(?:create|revoke)ObjectURL: undefined, Node /u,
];

type Shape = Record<string, { [part: string]: unknown } | null>;

test("every global looks as Node's does: flags, names, lengths, tags, prototypes", async () => {
  const own = (await inGuest(`return (${SHAPE})(${JSON.stringify(NAMES)});`)) as Shape;
  // oxlint-disable-next-line no-eval -- the same text runs in both realms
  const nodes = (eval(SHAPE) as (names: string[]) => Shape)(NAMES);
  const differing: string[] = [];
  for (const name of NAMES) {
    for (const part of ["flags", "parent", "above"])
      if (own[name]?.[part] !== nodes[name]?.[part])
        differing.push(`${name} ${part}: ${String(own[name]?.[part])}, Node ${String(nodes[name]?.[part])}`);
    for (const part of ["own", "prototype"]) {
      const mine = (own[name]?.[part] ?? {}) as Record<string, string>;
      const theirs = (nodes[name]?.[part] ?? {}) as Record<string, string>;
      for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)]))
        if (mine[key] !== theirs[key]) differing.push(`${name}.${part}.${key}: ${String(mine[key])}, Node ${String(theirs[key])}`);
    }
  }
  assert.deepEqual(
    differing.filter((line) => !KNOWN.some((known) => known.test(line))),
    [],
  );
  // None of these has become needless.
  for (const known of KNOWN)
    assert.ok(
      differing.some((line) => known.test(line)),
      String(known),
    );
});
