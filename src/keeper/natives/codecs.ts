import type { Inflate, ZlibOptions } from "node:zlib";
import { FORMAT, PIECE_BYTES } from "../../bridge/natives.ts";
import { Refusal, type Arguments } from "./arguments.ts";
import type { Transform } from "./transform.ts";
import { zlib } from "./node.ts";

// What Node's streams have under them: one step over given buffers, at once, that tells what is left of both. It is in no
// documentation, and libraries have stood on it for ten years; where it is missing there is no compression.
interface Handle {
  writeSync(flush: number, input: Uint8Array, from: number, length: number, output: Uint8Array, at: number, room: number): void;
}
interface Engine extends Inflate {
  readonly _handle?: Handle;
  readonly _writeState?: Uint32Array;
}

const DICTIONARY_BYTES = 32 * 1024;
/** The byte that stands for whatever is usual. */
const USUAL = 255;
// Past these a compressor takes as much memory as a cell has, for a percent.
const BROTLI_WINDOW_BITS = 22;

// Every step of every codec writes here, and what it wrote is copied out: making and clearing a piece takes longer than most steps.
const output = new Uint8Array(PIECE_BYTES);

/** A compressor or its opposite. However much comes out of a byte, it comes out a piece at a time. */
export function openCodec(given: Arguments, isCompressing: boolean): Transform {
  const { b: format } = given;
  const settings = given.y(4);
  const engine = engineOf(format, isCompressing, settings, given.z(DICTIONARY_BYTES)) as Engine;
  return new Codec(engine, format === FORMAT.BROTLI);
}

function engineOf(format: number, isCompressing: boolean, settings: Uint8Array, dictionary: Uint8Array): unknown {
  if (format === FORMAT.BROTLI)
    return isCompressing ? zlib().createBrotliCompress({ params: brotliParams(settings) }) : zlib().createBrotliDecompress();
  const options = zlibOptions(settings, dictionary);
  switch (format) {
    case FORMAT.GZIP:
      return isCompressing ? zlib().createGzip(options) : zlib().createGunzip(options);
    case FORMAT.DEFLATE:
      return isCompressing ? zlib().createDeflate(options) : zlib().createInflate(options);
    case FORMAT.DEFLATE_RAW:
      return isCompressing ? zlib().createDeflateRaw(options) : zlib().createInflateRaw(options);
    default:
      throw new Refusal("arguments");
  }
}

function zlibOptions(settings: Uint8Array, dictionary: Uint8Array): ZlibOptions {
  const [level = USUAL, windowBits = USUAL, memLevel = USUAL, strategy = USUAL] = settings;
  return {
    ...(level === USUAL ? {} : { level }),
    ...(windowBits === USUAL ? {} : { windowBits }),
    ...(memLevel === USUAL ? {} : { memLevel }),
    ...(strategy === USUAL ? {} : { strategy }),
    ...(dictionary.length === 0 ? {} : { dictionary }),
  };
}

function brotliParams([level = USUAL, windowBits = USUAL, , mode = USUAL]: Uint8Array): Record<number, number> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE } = zlib().constants;
  return {
    ...(level === USUAL ? {} : { [BROTLI_PARAM_QUALITY]: level }),
    [BROTLI_PARAM_LGWIN]: Math.min(windowBits, BROTLI_WINDOW_BITS),
    ...(mode === USUAL ? {} : { [BROTLI_PARAM_MODE]: mode }),
  };
}

class Codec implements Transform {
  hasEnded = false;
  readonly #engine: Engine;
  readonly #handle: Handle;
  readonly #state: Uint32Array;
  readonly #isBrotli: boolean;
  // What was pushed and not taken yet.
  #input: Uint8Array = new Uint8Array(0);
  #flush = 0;

  constructor(engine: Engine, isBrotli: boolean) {
    const { _handle: handle, _writeState: state } = engine;
    // It tells a failure in its own words, and nobody waits for this stream.
    engine.on("error", () => undefined);
    if (typeof handle?.writeSync !== "function" || state === undefined) {
      engine.close();
      throw new Refusal("missing");
    }
    this.#engine = engine;
    this.#handle = handle;
    this.#state = state;
    this.#isBrotli = isBrotli;
  }

  push(bytes: Uint8Array, isFlushed: boolean): Uint8Array {
    if (this.#input.length > 0) throw new Refusal("state");
    this.#input = bytes;
    const { BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS, Z_NO_FLUSH, Z_SYNC_FLUSH } = zlib().constants;
    this.#flush = this.#isBrotli ? (isFlushed ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS) : isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH;
    return this.more();
  }

  more(): Uint8Array {
    const { bytes, isFull } = this.#step(this.#flush);
    // Bytes behind the end of a compressed text are part of nothing.
    if (!isFull && this.#input.length > 0) throw new Refusal("data");
    return bytes;
  }

  end(): Uint8Array {
    if (this.#input.length > 0) throw new Refusal("state");
    const { bytes, isFull } = this.#step(this.#isBrotli ? zlib().constants.BROTLI_OPERATION_FINISH : zlib().constants.Z_FINISH);
    this.hasEnded = !isFull;
    return bytes;
  }

  copy(): Transform {
    throw new Refusal("state");
  }

  close(): void {
    this.#engine.close();
  }

  #step(flush: number): { readonly bytes: Uint8Array; readonly isFull: boolean } {
    if (this.#engine.destroyed) throw new Refusal("data");
    this.#handle.writeSync(flush, this.#input, 0, this.#input.length, output, 0, PIECE_BYTES);
    // It has closed itself where the data was bad.
    if (this.#engine.destroyed) throw new Refusal("data");
    const [room = 0, left = 0] = this.#state;
    this.#input = this.#input.subarray(this.#input.length - left);
    return { bytes: output.slice(0, PIECE_BYTES - room), isFull: room === 0 };
  }
}
