import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { later } from "../crypto/random.ts";
import { toolcell } from "../toolcell.ts";
import { constants } from "./constants.ts";

export type Format = "gzip" | "deflate" | "deflate-raw" | "brotli";

/** One of Node's functions and classes: what it reads or writes. "unzip" is whichever of two its first bytes say. */
export interface Kind {
  readonly format: Format | "unzip";
  readonly isCompressing: boolean;
}

export interface ZlibOptions {
  readonly level?: number;
  readonly windowBits?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
  readonly dictionary?: Uint8Array;
  readonly finishFlush?: number;
  readonly maxOutputLength?: number;
  readonly params?: Readonly<Record<number, number>>;
  readonly [name: string]: unknown;
}

export type Codec = ReturnType<ReturnType<typeof toolcell>["natives"]["createCodec"]>;
type Callback = (error: Error | null, result?: unknown) => void;

/** Text or bytes through a codec at once. */
export function runWhole(kind: Kind, data: unknown, options: ZlibOptions = {}): unknown {
  const bytes = toInput(data);
  const codec = openCodec(kind, bytes, options);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > (options.maxOutputLength ?? Infinity)) throw new codes.ERR_BUFFER_TOO_LARGE(options.maxOutputLength);
    pieces.push(piece);
  };
  try {
    for (const piece of codec.push(bytes)) take(piece);
    for (const piece of ending(codec, options)) take(piece);
  } catch (error) {
    throw asZlib(error);
  } finally {
    codec.close();
  }
  return Buffer.concat(pieces);
}

export function runLater(kind: Kind, data: unknown, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback;
  const bytes = toInput(data);
  later(callback, () => runWhole(kind, bytes, rest[0] as ZlibOptions | undefined));
}

export function openCodec({ format, isCompressing }: Kind, first: Uint8Array, options: ZlibOptions): Codec {
  const actual = format === "unzip" ? (first[0] === 0x1f && first[1] === 0x8b ? "gzip" : "deflate") : format;
  const quality = options.params?.[constants["BROTLI_PARAM_QUALITY"] as number];
  const mode = options.params?.[constants["BROTLI_PARAM_MODE"] as number];
  const window = options.params?.[constants["BROTLI_PARAM_LGWIN"] as number];
  const settings =
    actual === "brotli"
      ? { level: quality, strategy: mode, windowBits: window }
      : {
          level: options.level === -1 ? undefined : options.level,
          windowBits: options.windowBits === 0 ? undefined : options.windowBits,
          memLevel: options.memLevel,
          strategy: options.strategy,
          dictionary: options.dictionary,
        };
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  return toolcell().natives.createCodec(actual, isCompressing, given);
}

/** A text that stops short is an error, except to whoever asked for what there is of it. */
export function* ending(codec: Codec, { finishFlush }: ZlibOptions): Generator<Uint8Array, void> {
  try {
    yield* codec.end();
  } catch (error) {
    if (faultOf(error) !== "data") throw error;
    if (finishFlush !== constants["Z_SYNC_FLUSH"] && finishFlush !== constants["BROTLI_OPERATION_FLUSH"]) {
      throw zlibError("Z_BUF_ERROR", -5, "unexpected end of file");
    }
  }
}

/** What the keeper says of data that is none, in zlib's words. */
export function asZlib(error: unknown): unknown {
  return faultOf(error) === "data" ? zlibError("Z_DATA_ERROR", -3, "incorrect header check") : error;
}

function faultOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "fault") : undefined;
}

function zlibError(code: string, errno: number, message: string): Error {
  return Object.assign(new Error(message), { errno, code });
}

export function toInput(data: unknown): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new codes.ERR_INVALID_ARG_TYPE("buffer", ["string", "Buffer", "TypedArray", "DataView", "ArrayBuffer"], data);
}
