import { realm } from "./internal/realm.ts";

const NAMES = [
  "ReadableStream ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController",
  "ReadableStreamDefaultController TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController",
  "WritableStreamDefaultWriter ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream",
  "CompressionStream DecompressionStream",
].flatMap((names) => names.split(" "));

/** The streams of the web's platform, as far as the guest's runtime has them. */
export const shim = Object.fromEntries(NAMES.map((name) => [name, realm[name]]));
