import { apply, charCodeAt, isView } from "../intrinsics.ts";

const GuestUint8Array = Uint8Array;
const GuestArrayBuffer = ArrayBuffer;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const byteLengthOf = getterOf(ArrayBuffer.prototype, "byteLength");
const viewTag = getterOf(TypedArrayPrototype, Symbol.toStringTag) as (this: unknown) => string | undefined;
const [typedBuffer, typedOffset, typedLength] = viewGetters(TypedArrayPrototype);
const [dataBuffer, dataOffset, dataLength] = viewGetters(DataView.prototype);

/** The bytes of a value that is an ArrayBuffer or a view of one, not copied; null for any other. */
export function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | null {
  if (isBuffer(value)) return new GuestUint8Array(value);
  if (!isView(value)) return null;
  const isData = apply(viewTag, value, []) === undefined;
  // Its own attributes are a package's to redefine.
  const buffer = apply(isData ? dataBuffer : typedBuffer, value, []) as ArrayBuffer;
  const length = apply(isData ? dataLength : typedLength, value, []) as number;
  return new GuestUint8Array(buffer, length === 0 ? 0 : (apply(isData ? dataOffset : typedOffset, value, []) as number), length);
}

/** The bytes that a Latin-1 text stands for. */
export function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  const bytes = new GuestUint8Array(latin1.length);
  for (let at = 0; at < latin1.length; at += 1) bytes[at] = charCodeAt(latin1, at);
  return bytes;
}

/** The name of a typed array's kind, undefined for any other value. */
export function kindOfView(value: unknown): string | undefined {
  return apply(viewTag, value, []);
}

export function isBuffer(value: unknown): value is ArrayBuffer {
  if (!(value instanceof GuestArrayBuffer)) return false;
  try {
    apply(byteLengthOf, value, []);
    return true;
  } catch {
    return false;
  }
}

function viewGetters(prototype: object) {
  return [getterOf(prototype, "buffer"), getterOf(prototype, "byteOffset"), getterOf(prototype, "byteLength")] as const;
}

function getterOf(prototype: object, key: string | symbol): (this: object) => unknown {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as (this: object) => unknown;
}
