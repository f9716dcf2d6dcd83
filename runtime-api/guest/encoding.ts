import { FETCH } from "../../src/catalogue/texts.ts";
import { GuestRangeError, GuestTypeError, apply, bareArray, charCodeAt, fromCharCodes, isView, slice, toText } from "./intrinsics.ts";

const GuestUint8Array = Uint8Array;
const GuestArrayBuffer = ArrayBuffer;
const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get as (this: ArrayBuffer) => number;
const toLowerCase = String.prototype.toLowerCase;
const trim = String.prototype.trim;
const CHUNK = 4096;
const REPLACEMENT = 0xfffd;

/** The bytes of a value that is an ArrayBuffer or a view of one; null for any other. */
export function bytesIn(value: unknown): Uint8Array | null {
  if (isView(value)) return new GuestUint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new GuestUint8Array(value) : null;
}

/** The bytes that a Latin-1 text stands for. */
export function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  const bytes = new GuestUint8Array(latin1.length);
  for (let at = 0; at < latin1.length; at += 1) bytes[at] = charCodeAt(latin1, at);
  return bytes;
}

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

/** TextEncoder (Encoding Standard, 7.4). */
export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array<ArrayBuffer> {
    return encodeUtf8(toText(text));
  }

  encodeInto(text: unknown, bytes: Uint8Array): { read: number; written: number } {
    return writeUtf8(toText(text), bytes);
  }
}

interface DecoderOptions {
  readonly fatal?: boolean;
  readonly ignoreBOM?: boolean;
}

/** TextDecoder (Encoding Standard, 7.2) for UTF-8. */
export class TextDecoder {
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  #state = { needed: 0, point: 0, lower: 0x80, upper: 0xbf, hasBegun: false };

  constructor(label: unknown = "utf-8", { fatal = false, ignoreBOM = false }: DecoderOptions = {}) {
    const name = apply(toLowerCase, apply(trim, toText(label), []), []);
    if (name !== "utf-8" && name !== "utf8" && name !== "unicode-1-1-utf-8") throw new GuestRangeError(FETCH.encoding(slice(name, 0, 40)));
    this.#fatal = fatal;
    this.#ignoreBom = ignoreBOM;
  }

  get encoding(): string {
    return "utf-8";
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(input?: unknown, { stream = false }: { readonly stream?: boolean } = {}): string {
    const bytes = input === undefined ? new GuestUint8Array() : bytesIn(input);
    if (bytes === null) throw new GuestTypeError(FETCH.notBytes);
    const state = this.#state;
    let text = "";
    let units: number[] = bareArray();
    const put = (point: number): void => {
      if (!state.hasBegun) {
        state.hasBegun = true;
        if (point === 0xfeff && !this.#ignoreBom) return;
      }
      if (point > 0xffff) {
        units[units.length] = 0xd7c0 + (point >> 10);
        units[units.length] = 0xdc00 | (point & 0x3ff);
      } else units[units.length] = point;
      if (units.length < CHUNK) return;
      text += apply(fromCharCodes, null, units);
      units = bareArray();
    };
    const fail = (): void => {
      state.needed = 0;
      if (!this.#fatal) return put(REPLACEMENT);
      this.#reset();
      throw new GuestTypeError(FETCH.malformed);
    };
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (state.needed > 0 && (byte < state.lower || byte > state.upper)) fail();
      if (state.needed > 0) {
        state.lower = 0x80;
        state.upper = 0xbf;
        state.point = (state.point << 6) | (byte & 0x3f);
        state.needed -= 1;
        if (state.needed === 0) put(state.point);
      } else if (byte < 0x80) put(byte);
      else if (!begin(state, byte)) fail();
    }
    if (!stream) {
      if (state.needed > 0) fail();
      this.#reset();
    }
    return text + apply(fromCharCodes, null, units);
  }

  #reset(): void {
    this.#state = { needed: 0, point: 0, lower: 0x80, upper: 0xbf, hasBegun: false };
  }
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

export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const size = sizeOf(pointAt(text, at));
    length += size;
    if (size === 4) at += 1;
  }
  return length;
}

function writeUtf8(text: string, bytes: Uint8Array): { read: number; written: number } {
  let written = 0;
  let read = 0;
  while (read < text.length) {
    const point = pointAt(text, read);
    const size = sizeOf(point);
    if (written + size > bytes.length) break;
    for (let left = size - 1; left > 0; left -= 1) bytes[written + left] = 0x80 | ((point >> (6 * (size - 1 - left))) & 0x3f);
    bytes[written] = size === 1 ? point : ((0xf00 >> size) & 0xff) | (point >> (6 * (size - 1)));
    written += size;
    read += size === 4 ? 2 : 1;
  }
  return { read, written };
}

function isBuffer(value: unknown): value is ArrayBuffer {
  if (!(value instanceof GuestArrayBuffer)) return false;
  try {
    apply(byteLengthOf, value, []);
    return true;
  } catch {
    return false;
  }
}
