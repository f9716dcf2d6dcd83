import { FETCH, WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, charCodeAt, slice, toText } from "../intrinsics.ts";
import { NativeError } from "../native.ts";
import { Codec, type CodecFormat } from "../native-codec.ts";
import { bytesIn } from "./bytes.ts";
import { TextDecoder } from "./encoding.ts";
import { assertArguments, installInterface } from "./interface.ts";
import { TransformStream, type ReadableStream, type WritableStream } from "./streams.ts";
import { encodeUtf8 } from "./utf8.ts";

interface Sink {
  enqueue(chunk: unknown): void;
}

/** TextEncoderStream (Encoding Standard, 7.6). */
class TextEncoderStream {
  readonly #transform: TransformStream<unknown, unknown>;

  constructor() {
    let high = "";
    this.#transform = new TransformStream<unknown, unknown>({
      transform(chunk, controller) {
        let text = high + toText(chunk);
        // Half a character waits for its other half.
        const last = charCodeAt(text, text.length - 1);
        high = last >= 0xd800 && last <= 0xdbff ? slice(text, -1) : "";
        if (high !== "") text = slice(text, 0, -1);
        if (text !== "") controller.enqueue(encodeUtf8(text));
      },
      flush(controller) {
        if (high !== "") controller.enqueue(encodeUtf8(high));
      },
    });
  }

  get encoding(): string {
    void this.#transform;
    return "utf-8";
  }

  get readable(): ReadableStream<unknown> {
    return this.#transform.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#transform.writable;
  }
}

/** TextDecoderStream (Encoding Standard, 7.5). */
export class TextDecoderStream {
  readonly #decoder: TextDecoder;
  readonly #transform: TransformStream<unknown, unknown>;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    const decoder = new TextDecoder(label, options);
    const put = (text: string, controller: Sink): void => {
      if (text !== "") controller.enqueue(text);
    };
    this.#decoder = decoder;
    this.#transform = new TransformStream<unknown, unknown>({
      transform(chunk, controller) {
        put(decoder.decode(bytesOrThrow(chunk), { stream: true }), controller);
      },
      flush(controller) {
        put(decoder.decode(), controller);
      },
    });
  }

  get encoding(): string {
    return this.#decoder.encoding;
  }

  get fatal(): boolean {
    return this.#decoder.fatal;
  }

  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }

  get readable(): ReadableStream<unknown> {
    return this.#transform.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#transform.writable;
  }
}

/** CompressionStream (Compression Standard, 5). */
class CompressionStream {
  readonly #transform: TransformStream<unknown, unknown>;

  constructor(format: unknown) {
    assertArguments(arguments.length, 1, "CompressionStream");
    this.#transform = codecStream(toFormat(format), true);
  }

  get readable(): ReadableStream<unknown> {
    return this.#transform.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#transform.writable;
  }
}

/** DecompressionStream (Compression Standard, 6). */
class DecompressionStream {
  readonly #transform: TransformStream<unknown, unknown>;

  constructor(format: unknown) {
    assertArguments(arguments.length, 1, "DecompressionStream");
    this.#transform = codecStream(toFormat(format), false);
  }

  get readable(): ReadableStream<unknown> {
    return this.#transform.readable;
  }

  get writable(): WritableStream<unknown> {
    return this.#transform.writable;
  }
}

export function installTransformStreams(target: object): void {
  installInterface(target, "TextEncoderStream", TextEncoderStream);
  installInterface(target, "TextDecoderStream", TextDecoderStream);
  installInterface(target, "CompressionStream", CompressionStream);
  installInterface(target, "DecompressionStream", DecompressionStream);
}

function toFormat(value: unknown): CodecFormat {
  const format = toText(value);
  if (format !== "gzip" && format !== "deflate" && format !== "deflate-raw" && format !== "brotli")
    throw new GuestTypeError(WEB.noFormat(slice(format, 0, 40)));
  return format;
}

function codecStream(format: CodecFormat, isCompressing: boolean): TransformStream<unknown, unknown> {
  // Opened by the first chunk: a stream that nobody uses holds nothing in the keeper.
  let codec: Codec | null = null;
  const open = (): Codec => {
    codec ??= new Codec(format, isCompressing);
    return codec;
  };
  const run = (pieces: () => Iterable<Uint8Array>, controller: Sink): void => {
    try {
      for (const piece of pieces()) if (piece.length > 0) controller.enqueue(piece);
    } catch (error) {
      codec?.close();
      throw error instanceof NativeError && error.fault === "data"
        ? new GuestTypeError(WEB.notCompressed(format), { cause: error })
        : error;
    }
  };
  return new TransformStream<unknown, unknown>({
    transform: (chunk, controller) => run(() => open().push(bytesOrThrow(chunk)), controller),
    flush: (controller) => run(() => open().end(), controller),
    cancel: () => codec?.close(),
  });
}

function bytesOrThrow(chunk: unknown): Uint8Array {
  const bytes = bytesIn(chunk);
  if (bytes === null) throw new GuestTypeError(FETCH.notBytes);
  return bytes;
}
