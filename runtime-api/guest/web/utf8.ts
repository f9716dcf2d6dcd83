import { apply, charCodeAt, fromCharCodes, min } from "../intrinsics.ts";

const GuestUint8Array = Uint8Array;
const GuestUint16Array = Uint16Array;
const subarray = Uint16Array.prototype.subarray;
const NO_UNITS = new Uint16Array();
const CHUNK = 4096;
const REPLACEMENT = 0xfffd;

/** Whether a text stands for the same bytes in UTF-8 as in Latin-1. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (charCodeAt(text, at) >= 0x80) return false;
  return true;
}

/** A text as UTF-8; half characters become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new GuestUint8Array(utf8Length(text));
  writeUtf8(text, bytes);
  return bytes;
}

export function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit < 0x80) continue;
    const size = unit < 0x800 ? 2 : sizeOf(pointAt(text, at));
    // A pair of units is one character of four bytes.
    length += size === 4 ? 2 : size - 1;
    if (size === 4) at += 1;
  }
  return length;
}

/** Writes as many whole characters as there is room for. */
export function writeUtf8(text: string, bytes: Uint8Array): { read: number; written: number } {
  const room = bytes.length;
  let written = 0;
  let read = 0;
  for (; read < text.length && written < room; read += 1) {
    const unit = charCodeAt(text, read);
    if (unit < 0x80) {
      bytes[written] = unit;
      written += 1;
      continue;
    }
    const point = pointAt(text, read);
    const size = sizeOf(point);
    if (written + size > room) break;
    for (let left = size - 1; left > 0; left -= 1) bytes[written + left] = 0x80 | ((point >> (6 * (size - 1 - left))) & 0x3f);
    bytes[written] = ((0xf00 >> size) & 0xff) | (point >> (6 * (size - 1)));
    written += size;
    if (size === 4) read += 1;
  }
  return { read, written };
}

/** A text from UTF-8, a byte order mark included; what is malformed becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return createUtf8Decoder(false, true).decode(bytes, false) ?? "";
}

export interface Utf8Decoder {
  /** Null where `fatal` is set and the bytes are malformed. With `stream` a character may end in the next call. */
  decode(bytes: Uint8Array, stream: boolean): string | null;
}

export function createUtf8Decoder(fatal: boolean, keepsMark: boolean): Utf8Decoder {
  let state = { needed: 0, point: 0, lower: 0x80, upper: 0xbf };
  let hasBegun = false;

  // Code units up to a chunk of them, and the text before.
  let text = "";
  let units = NO_UNITS;
  let count = 0;

  function put(point: number): void {
    if (!hasBegun) {
      hasBegun = true;
      if (point === 0xfeff && !keepsMark) return;
    }
    if (count + 2 > units.length) flush();
    if (point > 0xffff) {
      units[count] = 0xd7c0 + (point >> 10);
      units[count + 1] = 0xdc00 | (point & 0x3ff);
      count += 2;
    } else {
      units[count] = point;
      count += 1;
    }
  }

  function flush(): void {
    text += apply(fromCharCodes, null, apply(subarray, units, [0, count]) as unknown as number[]);
    count = 0;
  }

  function reset(): void {
    state = { needed: 0, point: 0, lower: 0x80, upper: 0xbf };
    hasBegun = false;
  }

  function fail(): boolean {
    state.needed = 0;
    if (!fatal) put(REPLACEMENT);
    return fatal;
  }

  // Gives whether the bytes are malformed and nothing may be made of them.
  function take(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (state.needed > 0 && (byte < state.lower || byte > state.upper) && fail()) return true;
      if (state.needed > 0) {
        state.lower = 0x80;
        state.upper = 0xbf;
        state.point = (state.point << 6) | (byte & 0x3f);
        state.needed -= 1;
        if (state.needed === 0) put(state.point);
      } else if (byte < 0x80) put(byte);
      else if (!begin(state, byte) && fail()) return true;
    }
    return false;
  }

  return {
    decode(bytes, stream) {
      text = "";
      count = 0;
      units = new GuestUint16Array(min(bytes.length, CHUNK) + 2);
      const isMalformed = take(bytes) || (!stream && state.needed > 0 && fail());
      if (!stream || isMalformed) reset();
      if (!isMalformed) flush();
      const decoded = isMalformed ? null : text;
      text = "";
      units = NO_UNITS;
      return decoded;
    },
  };
}

// The first byte of a character of several: what may follow it leaves no overlong form and no half character.
function begin(state: { needed: number; point: number; lower: number; upper: number }, byte: number): boolean {
  if (byte < 0xc2 || byte > 0xf4) return false;
  state.lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
  state.upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  state.needed = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  state.point = byte & (0x3f >> state.needed);
  return true;
}

function pointAt(text: string, at: number): number {
  const unit = charCodeAt(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return unit;
  const next = at + 1 < text.length ? charCodeAt(text, at + 1) : 0;
  return unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff ? 0x1_0000 + ((unit & 0x3ff) << 10) + (next & 0x3ff) : REPLACEMENT;
}

function sizeOf(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
}
