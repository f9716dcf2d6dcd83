import { FORMAT, NATIVE, PIECE_BYTES, TRANSFORM } from "../../src/bridge/natives.ts";
import { NO_BYTES, askBytes, askNumber, largestCrossing, lengthOf, part, type Bytes } from "./native.ts";

const GuestUint8Array = Uint8Array;
const INPUT_BYTES = 64 * 1024;

export type CodecFormat = "gzip" | "deflate" | "deflate-raw" | "brotli";

/** Numbers as Node's zlib takes them: a byte each. For brotli the level is its quality, the strategy its mode. */
export interface CodecSettings {
  readonly level?: number;
  readonly windowBits?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
  readonly dictionary?: Uint8Array;
}

/** A compressor or its opposite, piece by piece: nothing here or in the keeper holds the whole. */
export class Codec {
  #number: number;

  constructor(
    format: CodecFormat,
    isCompressing: boolean,
    { level, windowBits, memLevel, strategy, dictionary = NO_BYTES }: CodecSettings = {},
  ) {
    const settings = new GuestUint8Array(4);
    settings[0] = settingOf(level);
    settings[1] = settingOf(windowBits);
    settings[2] = settingOf(memLevel);
    settings[3] = settingOf(strategy);
    const kind = isCompressing ? TRANSFORM.COMPRESS : TRANSFORM.DECOMPRESS;
    this.#number = askNumber(NATIVE.OPEN, kind, numberOf(format), 0, NO_BYTES, settings, dictionary);
  }

  /** What comes out for these bytes, a piece at a time. To be read to its end before the next. Throws NativeError. */
  *push(bytes: Uint8Array, isFlushed = false): Generator<Bytes, void> {
    const length = lengthOf(bytes);
    const step = INPUT_BYTES < largestCrossing() ? INPUT_BYTES : largestCrossing();
    let at = 0;
    do {
      const to = at + step < length ? at + step : length;
      const isLast = to === length;
      yield* this.#drain(askBytes(NATIVE.PUSH, this.#number, isFlushed && isLast ? 1 : 0, 0, part(bytes, at, to)), NATIVE.MORE);
      at = to;
    } while (at < length);
  }

  /** What still comes out at the end; a text that stops short throws. */
  *end(): Generator<Bytes, void> {
    yield* this.#drain(askBytes(NATIVE.END, this.#number), NATIVE.END);
    this.#number = 0;
  }

  /** Frees what it holds, also where it did not end. */
  close(): void {
    if (this.#number !== 0) askNumber(NATIVE.DROP, this.#number);
    this.#number = 0;
  }

  *#drain(first: Bytes, op: number): Generator<Bytes, void> {
    let piece = first;
    for (;;) {
      if (piece.length > 0) yield piece;
      if (piece.length < PIECE_BYTES) return;
      piece = askBytes(op, this.#number);
    }
  }
}

function settingOf(value: number | undefined): number {
  // 255 is what is usual; whatever fits no byte is none of zlib's.
  return value === undefined ? 255 : value >= 0 && value < 255 ? value : 254;
}

function numberOf(format: CodecFormat): number {
  switch (format) {
    case "gzip":
      return FORMAT.GZIP;
    case "deflate":
      return FORMAT.DEFLATE;
    case "deflate-raw":
      return FORMAT.DEFLATE_RAW;
    case "brotli":
      return FORMAT.BROTLI;
  }
}
