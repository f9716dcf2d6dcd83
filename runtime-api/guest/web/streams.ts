import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from "web-streams-polyfill";
import { installInterface } from "./interface.ts";

const getMember = Reflect.get;

export { ReadableStream, TransformStream, WritableStream };

/**
 * The streams of the standard's reference implementation, as web-streams-polyfill keeps it: byte streams, piping, teeing and
 * iteration to the letter, in 69 KB. The bodies of requests and responses go round them wherever nobody asks for a stream.
 */
export function installStreams(target: object): void {
  // The library's own, from before the controller had a signal.
  delete (WritableStreamDefaultController.prototype as { abortReason?: unknown }).abortReason;
  installInterface(target, "ByteLengthQueuingStrategy", ByteLengthQueuingStrategy);
  installInterface(target, "CountQueuingStrategy", CountQueuingStrategy);
  installInterface(target, "ReadableByteStreamController", ReadableByteStreamController);
  installInterface(target, "ReadableStream", ReadableStream);
  installInterface(target, "ReadableStreamBYOBReader", ReadableStreamBYOBReader);
  installInterface(target, "ReadableStreamBYOBRequest", ReadableStreamBYOBRequest);
  installInterface(target, "ReadableStreamDefaultController", ReadableStreamDefaultController);
  installInterface(target, "ReadableStreamDefaultReader", ReadableStreamDefaultReader);
  installInterface(target, "TransformStream", TransformStream);
  installInterface(target, "TransformStreamDefaultController", TransformStreamDefaultController);
  installInterface(target, "WritableStream", WritableStream);
  installInterface(target, "WritableStreamDefaultController", WritableStreamDefaultController);
  installInterface(target, "WritableStreamDefaultWriter", WritableStreamDefaultWriter);
}

/** Whether a value is a stream of ours. */
export function isStream(value: unknown): value is ReadableStream {
  return value instanceof ReadableStream;
}

/** Whether somebody has read from a stream, or cancelled it: what the library keeps, and no member of the standard's tells. */
export function isDisturbed(stream: ReadableStream): boolean {
  return getMember(stream, "_disturbed") === true;
}
