import { WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, bareArray, isFinite, max, min, now, toNumber, toText } from "../intrinsics.ts";
import { bytesIn } from "./bytes.ts";
import { assertArguments, installInterface, isObject, toDictionary, toScalarText } from "./interface.ts";
import { ReadableStream } from "./streams.ts";
import { TextDecoderStream } from "./transform-streams.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const GuestUint8Array = Uint8Array;
const setBytes = Uint8Array.prototype.set;
const subarray = Uint8Array.prototype.subarray as (this: Uint8Array, from: number, to?: number) => Uint8Array<ArrayBuffer>;
const sliceBytes = Uint8Array.prototype.slice;
const toLowerCase = String.prototype.toLowerCase;
const test = RegExp.prototype.test;
const { floor, trunc } = Math;
const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const TYPE = /^[\u0020-\u007e]*$/u;
const STREAM_BYTES = 64 * 1024;

export let isBlob: (value: unknown) => value is Blob;
export let isFile: (value: unknown) => value is File;
/** The bytes of a blob, which nobody may change. */
export let bytesOfBlob: (blob: Blob) => Uint8Array<ArrayBuffer>;
export let makeBlob: (bytes: Uint8Array<ArrayBuffer>, type: string) => Blob;

/** Blob (File API, 3). */
export class Blob {
  #bytes: Uint8Array<ArrayBuffer>;
  #type: string;

  constructor(parts: unknown = undefined, options: unknown = undefined) {
    if (parts !== undefined && !isSequence(parts)) throw new GuestTypeError(WEB.notParts);
    const all: Uint8Array[] = bareArray();
    const { endings, type } = toDictionary(options, "BlobPropertyBag");
    if (endings !== undefined && toText(endings) !== "transparent" && toText(endings) !== "native") throw new GuestTypeError(WEB.endings);
    if (parts !== undefined)
      for (const part of parts) all[all.length] = bytesOfPart(part, endings === undefined ? "transparent" : toText(endings));
    this.#bytes = join(all);
    this.#type = type === undefined ? "" : typeOf(type);
  }

  get size(): number {
    return this.#bytes.length;
  }

  get type(): string {
    return this.#type;
  }

  slice(start: unknown = undefined, end: unknown = undefined, contentType: unknown = undefined): Blob {
    const size = this.#bytes.length;
    const from = place(start, 0, size);
    const to = place(end, size, size);
    return makeBlob(apply(subarray, this.#bytes, [from, max(from, to)]), contentType === undefined ? "" : typeOf(contentType));
  }

  async text(): Promise<string> {
    return decodeUtf8(dropMark(this.#bytes));
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return copyOf(this.#bytes).buffer;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return copyOf(this.#bytes);
  }

  stream(): ReadableStream<Uint8Array> {
    const bytes = this.#bytes;
    let at = 0;
    return new ReadableStream<Uint8Array>({
      type: "bytes",
      pull(controller) {
        const end = min(at + STREAM_BYTES, bytes.length);
        if (at < end) controller.enqueue(copyOf(apply(subarray, bytes, [at, end])));
        at = end;
        if (at < bytes.length) return;
        controller.close();
        (controller.byobRequest as { respond(count: number): void } | null)?.respond(0);
      },
    });
  }

  textStream(): ReadableStream<unknown> {
    return this.stream().pipeThrough(new TextDecoderStream());
  }

  static {
    isBlob = (value) => isObject(value) && #bytes in value;
    bytesOfBlob = (blob) => blob.#bytes;
    makeBlob = (bytes, type) => {
      const blob = new Blob();
      blob.#bytes = bytes;
      blob.#type = type;
      return blob;
    };
  }
}

/** File (File API, 4). */
export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(parts: unknown, name: unknown, options: unknown = undefined) {
    assertArguments(arguments.length, 2, "File");
    if (!isSequence(parts)) throw new GuestTypeError(WEB.notParts);
    super(parts, options);
    const { lastModified } = toDictionary(options, "FilePropertyBag");
    this.#name = toScalarText(name);
    this.#lastModified = lastModified === undefined ? now() : toLong(lastModified);
  }

  get name(): string {
    return this.#name;
  }

  get lastModified(): number {
    return this.#lastModified;
  }

  static {
    isFile = (value) => isObject(value) && #name in value;
  }
}

export function installBlob(target: object): void {
  installInterface(target, "Blob", Blob);
  installInterface(target, "File", File);
}

/** One array of many. */
function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (let at = 0; at < parts.length; at += 1) length += (parts[at] as Uint8Array).length;
  const bytes = new GuestUint8Array(length);
  for (let at = 0, to = 0; at < parts.length; at += 1) {
    const part = parts[at] as Uint8Array;
    apply(setBytes, bytes, [part, to]);
    to += part.length;
  }
  return bytes;
}

function bytesOfPart(part: unknown, endings: string): Uint8Array {
  if (isBlob(part)) return bytesOfBlob(part);
  const bytes = bytesIn(part);
  if (bytes !== null) return copyOf(bytes);
  const text = toScalarText(part);
  return encodeUtf8(endings === "native" ? text.replace(/\r\n|\r/gu, "\n") : text);
}

/** The content of bytes, without UTF-8's byte order mark. */
export function dropMark(bytes: Uint8Array): Uint8Array {
  const isMarked = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? apply(subarray, bytes, [3]) : bytes;
}

function copyOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return apply(sliceBytes, bytes, []);
}

function isSequence(value: unknown): value is Iterable<unknown> {
  return isObject(value) && typeof (value as { [Symbol.iterator]?: unknown })[symbolIterator] === "function";
}

function typeOf(value: unknown): string {
  const text = toText(value);
  return apply(test, TYPE, [text]) ? apply(toLowerCase, text, []) : "";
}

// A place in a blob, from its end where it is negative (`[Clamp] long long`).
function place(value: unknown, absent: number, size: number): number {
  if (value === undefined) return absent;
  const number = toNumber(value);
  const whole = number === number ? nearest(number) : 0;
  return whole < 0 ? max(size + whole, 0) : min(whole, size);
}

function nearest(number: number): number {
  const below = floor(number);
  const rest = number - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
}

function toLong(value: unknown): number {
  const number = toNumber(value);
  return isFinite(number) ? trunc(number) : 0;
}
