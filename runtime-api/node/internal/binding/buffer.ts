import { decodeBase64, decodeHex, decodeLatin1, decodeUtf16, decodeUtf8, type Decode } from "./buffer-write.ts";
import { search } from "./buffer-search.ts";
import { codes } from "../errors.ts";

/** What Node's `buffer` has of native code, written out. The numbers are Node's own for its encodings. */
export const encodings = ["ascii", "utf8", "base64", "utf16le", "latin1", "hex", "buffer", "base64url"];
export const kMaxLength = Number.MAX_SAFE_INTEGER;
export const kStringMaxLength = 0x1fff_ffe8;
export { asciiSlice, base64Slice, base64urlSlice, hexSlice, latin1Slice, ucs2Slice, utf8Slice } from "./buffer-slice.ts";

const UTF16 = encodings.indexOf("utf16le");
const DECODERS: Readonly<Record<string, Decode>> = {
  utf8: decodeUtf8,
  utf16le: decodeUtf16,
  latin1: decodeLatin1,
  ascii: decodeLatin1,
  base64: decodeBase64,
  base64url: decodeBase64,
  hex: decodeHex,
};

export const asciiWriteStatic = writer(decodeLatin1);
export const latin1WriteStatic = writer(decodeLatin1);
export const utf8WriteStatic = writer(decodeUtf8);
export const ucs2Write = writer(decodeUtf16);
export const hexWrite = writer(decodeHex);
export const base64Write = writer(decodeBase64);
export const base64urlWrite = writer(decodeBase64);

function writer(decode: Decode) {
  return (target: Uint8Array, text: string, offset = 0, length = target.length - offset): number => {
    if (typeof text !== "string") throw new codes.ERR_INVALID_ARG_TYPE("argument", "string", text);
    if (offset > target.length) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS("offset");
    return decode(text, target, offset, Math.min(length, target.length - offset));
  };
}

export function byteLengthUtf8(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (isPair(unit, text.charCodeAt(at + 1))) {
      length += 4;
      at += 1;
    } else length += 3;
  }
  return length;
}

function isPair(high: number, low: number): boolean {
  return (high & 0xfc00) === 0xd800 && (low & 0xfc00) === 0xdc00;
}

export function compare(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return Math.sign(one.length - other.length);
}

export function compareOffset(
  one: Uint8Array,
  other: Uint8Array,
  otherStart: number,
  oneStart: number,
  otherLength: number,
  oneLength: number,
): number {
  if (oneStart > one.length) throw new codes.ERR_OUT_OF_RANGE("sourceStart", `<= ${one.length}`, oneStart);
  if (otherStart > other.length) throw new codes.ERR_OUT_OF_RANGE("targetStart", `<= ${other.length}`, otherStart);
  return compare(one.subarray(oneStart, oneStart + oneLength), other.subarray(otherStart, otherStart + otherLength));
}

export function copy(source: ArrayBufferView, target: ArrayBufferView, targetStart: number, sourceStart: number, count: number): void {
  const from = new Uint8Array(source.buffer, source.byteOffset + sourceStart, count);
  new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(from, targetStart);
}

/** Repeats a pattern. -1: there is nothing of it to repeat; -2: out of bounds. */
export function fill(target: Uint8Array, value: string | Uint8Array, start: number, end: number, encoding?: string): number {
  if (start < 0 || end > target.length) return -2;
  if (start >= end) return 0;
  const pattern = typeof value === "string" ? toBytes(value, encoding) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (pattern.length === 0) return -1;
  const first = Math.min(pattern.length, end - start);
  target.set(pattern.subarray(0, first), start);
  // What is filled already is copied, twice as much each time.
  for (let filled = first; filled < end - start; filled *= 2) {
    target.copyWithin(start + filled, start, start + Math.min(filled, end - start - filled));
  }
  return 0;
}

function toBytes(text: string, encoding = "utf8"): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  const name = encoding
    .toLowerCase()
    .replace(/^utf-8$/, "utf8")
    .replace(/^(?:ucs-?2|utf-16le)$/, "utf16le")
    .replace("binary", "latin1");
  return bytes.subarray(0, (DECODERS[name] ?? decodeUtf8)(text, bytes, 0, bytes.length));
}

export function indexOfString(
  buffer: Uint8Array,
  text: string,
  offset: number,
  encoding: number,
  isForward: boolean,
  end?: number,
): number {
  return search(buffer, toBytes(text, encodings[encoding]), offset, isForward, encoding === UTF16 ? 2 : 1, end);
}

export function indexOfBuffer(
  buffer: Uint8Array,
  part: Uint8Array,
  offset: number,
  encoding: number,
  isForward: boolean,
  end?: number,
): number {
  return search(buffer, part, offset, isForward, encoding === UTF16 ? 2 : 1, end);
}

export function indexOfNumber(buffer: Uint8Array, value: number, offset: number, isForward: boolean, end?: number): number {
  return search(buffer, new Uint8Array([value]), offset, isForward, 1, end);
}

export const swap16 = swapper(2);
export const swap32 = swapper(4);
export const swap64 = swapper(8);

function swapper(width: number) {
  return (buffer: Uint8Array): Uint8Array => {
    for (let at = 0; at + width <= buffer.length; at += width) buffer.subarray(at, at + width).reverse();
    return buffer;
  };
}

export function createUnsafeArrayBuffer(size: number): ArrayBuffer {
  return new ArrayBuffer(size);
}

export function setDetachKey(): void {}
