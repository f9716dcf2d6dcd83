import { GuestMap, GuestSet, apply, create, define, mapSet } from "../../intrinsics.ts";
import type { Stored, StoredObject } from "./kinds.ts";

const { defineProperty } = Reflect;
const realm = globalThis as unknown as Record<string, new (...args: never[]) => object>;
const GuestArray = Array;
const GuestDate = Date;
const GuestDataView = DataView;
const GuestRegExp = RegExp;
const toObject = Object;
const addToSet = Set.prototype.add;
const GuestArrayBuffer = ArrayBuffer;
const GuestUint8Array = Uint8Array;
const setBytes = Uint8Array.prototype.set;
const transferBuffer = ArrayBuffer.prototype.transfer;
const isResizable = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "resizable")?.get as (this: ArrayBuffer) => boolean;
const maxLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "maxByteLength")?.get as (this: ArrayBuffer) => number;
const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get as (this: ArrayBuffer) => number;
// By their names, as they were before a package's code ran.
const viewClasses = create(null) as Record<string, new (buffer: ArrayBuffer, offset: number, length?: number) => object>;
const errorClasses = create(null) as Record<string, new () => Error>;
for (const name of [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
]) {
  const found = realm[name];
  if (found !== undefined) viewClasses[name] = found as never;
}
for (const name of ["Error", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"])
  errorClasses[name] = realm[name] as never;

/** Makes what was stored anew. */
export function deserialize(stored: Stored): unknown {
  if (typeof stored !== "object" || stored === null) return stored;
  return stored.made ?? fill(stored);
}

function fill(stored: StoredObject): object {
  switch (stored.kind) {
    case "array":
    case "plain": {
      const made = stored.kind === "array" ? new GuestArray(stored.length) : {};
      stored.made = made;
      for (let at = 0; at < stored.keys.length; at += 1) setMember(made, stored.keys[at] as string, deserialize(stored.values[at]));
      return made;
    }
    case "map": {
      const made = new GuestMap<unknown, unknown>();
      stored.made = made;
      for (let at = 0; at < stored.keys.length; at += 1) mapSet(made, deserialize(stored.keys[at]), deserialize(stored.values[at]));
      return made;
    }
    case "set": {
      const made = new GuestSet<unknown>();
      stored.made = made;
      for (let at = 0; at < stored.values.length; at += 1) apply(addToSet, made, [deserialize(stored.values[at])]);
      return made;
    }
    case "error":
      return makeError(stored);
    case "view": {
      const buffer = deserialize(stored.buffer) as ArrayBuffer;
      const View = stored.type === "DataView" ? GuestDataView : (viewClasses[stored.type] as NonNullable<(typeof viewClasses)[string]>);
      return (stored.made = new View(buffer, stored.offset, stored.length));
    }
    case "wrapper":
      return (stored.made = toObject(stored.value) as object);
    case "date":
      return (stored.made = new GuestDate(stored.time));
    case "regexp":
      return (stored.made = new GuestRegExp(stored.source, stored.flags));
    case "buffer":
      return (stored.made = copyBuffer(stored.buffer));
    case "transferred":
      return (stored.made = apply(transferBuffer, stored.buffer, []));
    case "platform":
      return (stored.made = stored.copy);
  }
}

function setMember(target: object, key: string, value: unknown): void {
  defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor);
}

function makeError(stored: Extract<StoredObject, { kind: "error" }>): object {
  const made = new (errorClasses[stored.name] as new () => Error)();
  stored.made = made;
  if (stored.message !== undefined) define(made, "message", stored.message);
  define(made, "stack", stored.stack);
  if (stored.cause !== null) define(made, "cause", deserialize(stored.cause.value));
  return made;
}

function copyBuffer(buffer: ArrayBuffer): ArrayBuffer {
  const length = apply(byteLengthOf, buffer, []);
  const copy = apply(isResizable, buffer, [])
    ? new GuestArrayBuffer(length, { maxByteLength: apply(maxLengthOf, buffer, []) })
    : new GuestArrayBuffer(length);
  apply(setBytes, new GuestUint8Array(copy), [new GuestUint8Array(buffer)]);
  return copy;
}
