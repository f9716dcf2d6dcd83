import stream from "readable-stream/lib/stream.js";
import { Buffer } from "../../buffer.ts";
import type { BufferLike } from "../buffer-types.ts";
import { promises, pathOf } from "./promises.ts";

interface ReadOptions {
  readonly encoding?: string | null;
  readonly highWaterMark?: number;
  readonly start?: number;
  readonly end?: number;
  readonly [name: string]: unknown;
}
interface WriteOptions {
  readonly encoding?: string;
  readonly flags?: string;
  readonly [name: string]: unknown;
}
interface Pushing {
  push(chunk: unknown): boolean;
  emit(event: string, ...args: unknown[]): boolean;
}
type Done = (error?: unknown) => void;
type StreamClass = new (options: object) => object;

const { Readable, Writable } = stream as unknown as Readonly<Record<"Readable" | "Writable", StreamClass>>;
const CHUNK_BYTES = 64 * 1024;

/** A file as a stream: the host gives it whole, within its limit, as soon as the stream is made, and it is handed on in pieces. */
export function createReadStream(path: unknown, options?: ReadOptions | string): object {
  const { encoding = null, highWaterMark = CHUNK_BYTES, start = 0, end = Infinity } = optionsOf<ReadOptions>(options);
  let bytes: Uint8Array = new Uint8Array(0);
  let at = start;
  const opened: Pushing = new Readable({
    encoding,
    highWaterMark,
    construct(done: Done) {
      const loaded = promises.readFile(path).then((content) => {
        bytes = content as BufferLike;
        opened.emit("open", 0);
        opened.emit("ready");
      });
      finish(loaded, done);
    },
    read() {
      const until = Math.min(at + highWaterMark, end + 1, bytes.length);
      const chunk = at < until ? bytes.subarray(at, until) : null;
      at = until;
      opened.push(chunk);
    },
  }) as Pushing;
  return Object.assign(opened, { path: pathOf(path) });
}

/** A stream into a file, which is written piece by piece as pieces come. */
export function createWriteStream(path: unknown, options?: WriteOptions | string): object {
  const { encoding = "utf8", flags = "w" } = optionsOf<WriteOptions>(options);
  let flag = flags;
  let bytesWritten = 0;
  async function put(content: Uint8Array): Promise<void> {
    await promises.writeFile(path, content, { flag });
    flag = "a";
    bytesWritten += content.length;
  }
  const written = new Writable({
    defaultEncoding: encoding,
    // The file is there, and empty, as soon as the stream is open.
    construct: (done: Done) => finish(put(new Uint8Array(0)), done),
    write: (chunk: Uint8Array, _encoding: unknown, done: Done) => finish(put(chunk), done),
    writev: (chunks: readonly { readonly chunk: Uint8Array }[], done: Done) =>
      finish(put(Buffer.concat(chunks.map(({ chunk }) => chunk))), done),
  });
  Object.defineProperty(written, "bytesWritten", { get: () => bytesWritten });
  return Object.assign(written, { path: pathOf(path) });
}

function finish(step: Promise<void>, done: Done): void {
  step.then(() => done(), done);
}

function optionsOf<T extends object>(options: T | string | undefined): T {
  return typeof options === "string" ? ({ encoding: options } as unknown as T) : (options ?? ({} as T));
}
