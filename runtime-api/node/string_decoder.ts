import { Buffer } from "./buffer.ts";
import { codes } from "./internal/errors.ts";
import { normalizeEncoding } from "./internal/util.ts";

/** How many bytes at the end of a chunk are the beginning of something that the next one may go on with. */
type Held = (bytes: Uint8Array) => number;

const HELD: ReadonlyMap<string, Held> = new Map<string, Held>([
  ["utf8", heldOfUtf8],
  ["utf16le", heldOfUtf16],
  ["base64", (bytes) => bytes.length % 3],
  ["base64url", (bytes) => bytes.length % 3],
]);

/** Node's StringDecoder: text from chunks of bytes that may end in the middle of a character. */
class StringDecoderClass {
  readonly encoding: string;
  #held: Uint8Array = new Uint8Array(0);

  constructor(encoding?: unknown) {
    const known = normalizeEncoding(encoding);
    if (known === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    this.encoding = known;
  }

  write(chunk: unknown): string {
    if (typeof chunk === "string") return chunk;
    if (!ArrayBuffer.isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE("buf", ["Buffer", "TypedArray", "DataView"], chunk);
    const added = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = this.#held.length === 0 ? Buffer.from(added) : Buffer.concat([this.#held, added]);
    const ready = bytes.length - (HELD.get(this.encoding)?.(bytes) ?? 0);
    this.#held = Uint8Array.prototype.slice.call(bytes, ready);
    return bytes.toString(this.encoding, 0, ready);
  }

  end(chunk?: unknown): string {
    const text = chunk === undefined ? "" : this.write(chunk);
    const rest = Buffer.from(this.#held).toString(this.encoding);
    this.#held = new Uint8Array(0);
    // Bytes of one character that was cut off are one mark, not one each.
    return text + (this.encoding === "utf8" && rest !== "" ? "\ufffd" : rest);
  }

  text(chunk: Uint8Array, offset: number): string {
    this.#held = new Uint8Array(0);
    return this.write(chunk.subarray(offset));
  }
}

function heldOfUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const at = bytes.length - back;
    const byte = bytes[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return back < lengthOf(byte) && canGoOn(byte, bytes[at + 1]) ? back : 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

/** Some second bytes make a sequence wrong however it goes on: overlong forms, surrogates, what is past U+10FFFF. */
function canGoOn(lead: number, second: number | undefined): boolean {
  if (second === undefined) return true;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  return lead === 0xf4 ? second <= 0x8f : true;
}

function heldOfUtf16(bytes: Uint8Array): number {
  const odd = bytes.length % 2;
  const high = bytes[bytes.length - odd - 1] ?? 0;
  return bytes.length - odd >= 2 && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
}

/** Old packages call the constructor as a function on an object of their own making; it answers with a decoder. */
export const StringDecoder = new Proxy(StringDecoderClass, {
  apply: (target, _self, [encoding]: unknown[]) => new target(encoding),
});
Object.defineProperty(StringDecoderClass, "name", { value: "StringDecoder" });

export const shim = { StringDecoder };
