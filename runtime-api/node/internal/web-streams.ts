import stream from "readable-stream/lib/stream.js";
import { realm } from "./realm.ts";

interface NodeReadable extends AsyncIterable<unknown> {
  destroy(error?: unknown): void;
}
interface NodeWritable {
  write(chunk: unknown): boolean;
  end(done?: () => void): void;
  once(event: string, listener: (error?: unknown) => void): void;
  removeListener(event: string, listener: (error?: unknown) => void): void;
  destroy(error?: unknown): void;
}
interface WebReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(reason?: unknown): Promise<void>;
}
interface WebWriter {
  readonly ready: Promise<void>;
  write(chunk: unknown): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}
interface WebReadable {
  getReader(): WebReader;
}
interface WebWritable {
  getWriter(): WebWriter;
}
interface WebPair {
  readonly readable: WebReadable;
  readonly writable: WebWritable;
}
interface Controller {
  enqueue(chunk: unknown): void;
  close(): void;
  error(reason: unknown): void;
}
type StreamClass = new (options: object) => object;
type WebClass = new (source: object, strategy?: object) => object;
type Done = (error?: Error | null) => void;

const classes = stream as unknown as Readonly<Record<"Readable" | "Writable" | "Duplex", StreamClass>>;

/** Streams of the web's platform as Node's. */
export const fromWeb = {
  readable: (web: WebReadable, options: object = {}) => new classes.Readable({ ...options, ...readsFrom(web.getReader()) }),
  writable: (web: WebWritable, options: object = {}) => new classes.Writable({ ...options, ...writesTo(web.getWriter()) }),
  duplex: ({ readable, writable }: WebPair, options: object = {}) =>
    new classes.Duplex({ ...options, ...readsFrom(readable.getReader()), ...writesTo(writable.getWriter()) }),
};

/** And Node's as the web's. */
export const toWeb = {
  readable: toWebReadable,
  writable: toWebWritable,
  duplex: (node: NodeReadable & NodeWritable) => ({ readable: toWebReadable(node), writable: toWebWritable(node) }),
};

function readsFrom(reader: WebReader) {
  let isDone = false;
  return {
    read(this: { push(chunk: unknown): boolean; destroy(error: unknown): void }): void {
      reader.read().then(
        ({ done, value }) => {
          isDone = done;
          this.push(done ? null : value);
        },
        (error: unknown) => {
          isDone = true;
          this.destroy(error);
        },
      );
    },
    destroy(error: Error | null, done: Done): void {
      if (isDone) done(error);
      else settle(reader.cancel(error ?? undefined), error, done);
    },
  };
}

function writesTo(writer: WebWriter) {
  let isDone = false;
  return {
    write(chunk: unknown, _encoding: unknown, done: Done): void {
      settle(
        writer.ready.then(() => writer.write(chunk)),
        null,
        done,
      );
    },
    final(done: Done): void {
      isDone = true;
      settle(writer.close(), null, done);
    },
    destroy(error: Error | null, done: Done): void {
      if (isDone) done(error);
      else settle(writer.abort(error ?? undefined), error, done);
    },
  };
}

function settle(promise: Promise<unknown>, error: Error | null, done: Done): void {
  promise.then(
    () => done(error),
    (reason: unknown) => done(error ?? (reason as Error)),
  );
}

function toWebReadable(node: NodeReadable): object {
  const chunks = node[Symbol.asyncIterator]();
  return new (realm["ReadableStream"] as WebClass)(
    {
      async pull(controller: Controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value);
      },
      cancel: (reason: unknown) => node.destroy(reason),
    },
    { highWaterMark: 0 },
  );
}

function toWebWritable(node: NodeWritable): object {
  return new (realm["WritableStream"] as WebClass)({
    start(controller: Controller) {
      node.once("error", (error) => controller.error(error));
    },
    write: (chunk: unknown) => (node.write(chunk) ? undefined : new Promise<void>((resolve) => node.once("drain", () => resolve()))),
    close: () => new Promise<void>((resolve) => node.end(resolve)),
    abort: (reason: unknown) => node.destroy(reason),
  });
}
