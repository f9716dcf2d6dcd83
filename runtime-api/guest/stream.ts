import { FETCH } from "../../src/catalogue/texts.ts";
import { Channel, type ReadResult, type StreamController, type StreamSource } from "./channel.ts";
import { GuestPromise, GuestTypeError, bareArray, define, then } from "./intrinsics.ts";

let claim: (stream: ReadableStream, reader: ReadableStreamDefaultReader) => Channel;
let release: (stream: ReadableStream) => void;
let settleClosed: (reader: ReadableStreamDefaultReader, error: { readonly reason: unknown } | null) => void;

/** Whether a value is a stream of ours. */
export let isStream: (value: unknown) => value is ReadableStream;

/** The default kind of ReadableStream (Streams Standard, 4.2): no byte mode, no piping, and its source is asked when somebody reads. */
export class ReadableStream {
  readonly #channel: Channel;
  #reader: ReadableStreamDefaultReader | null = null;

  constructor(source: StreamSource | null = {}) {
    this.#channel = new Channel(source ?? {}, (error) => {
      if (this.#reader !== null) settleClosed(this.#reader, error);
    });
    this.#channel.start();
  }

  get locked(): boolean {
    return this.#reader !== null;
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader === null ? this.#channel.cancel(reason) : rejected(new GuestTypeError(FETCH.locked));
  }

  getReader(): ReadableStreamDefaultReader {
    return new ReadableStreamDefaultReader(this);
  }

  /** Two streams of the same chunks, which are not copied. */
  tee(): [ReadableStream, ReadableStream] {
    const reader = this.getReader();
    const branches: StreamController[] = bareArray();
    let isReading = false;
    let cancelled = 0;
    const each = (act: (controller: StreamController) => void): void => {
      isReading = false;
      for (let at = 0; at < branches.length; at += 1) {
        try {
          act(branches[at] as StreamController);
        } catch {
          // This one was cancelled.
        }
      }
    };
    const branch = (): ReadableStream =>
      new ReadableStream({
        start(controller) {
          branches[branches.length] = controller;
        },
        pull() {
          if (isReading) return;
          isReading = true;
          void then(
            reader.read(),
            (result) =>
              each((controller) => ((result as ReadResult).done ? controller.close() : controller.enqueue((result as ReadResult).value))),
            (reason) => each((controller) => controller.error(reason)),
          );
        },
        cancel(reason) {
          cancelled += 1;
          return cancelled === 2 ? reader.cancel(reason) : undefined;
        },
      });
    return [branch(), branch()];
  }

  async *values({ preventCancel = false }: { readonly preventCancel?: boolean } = {}): AsyncGenerator<unknown, undefined> {
    const reader = this.getReader();
    let isOver = false;
    try {
      for (;;) {
        isOver = true;
        const { done, value } = await reader.read();
        if (done) return;
        isOver = false;
        yield value;
      }
    } finally {
      if (!isOver && !preventCancel) await reader.cancel();
      reader.releaseLock();
    }
  }

  get [Symbol.toStringTag](): string {
    return "ReadableStream";
  }

  static {
    define(this.prototype, Symbol.asyncIterator, this.prototype.values);
    claim = (stream, reader) => {
      if (stream.#reader !== null) throw new GuestTypeError(FETCH.locked);
      stream.#reader = reader;
      return stream.#channel;
    };
    release = (stream) => {
      stream.#reader = null;
      stream.#channel.abandon(new GuestTypeError(FETCH.released));
    };
    isStream = (value) => typeof value === "object" && value !== null && #channel in value;
  }
}

/** ReadableStreamDefaultReader (Streams Standard, 4.4). */
export class ReadableStreamDefaultReader {
  readonly #closed: Promise<undefined>;
  #settle: { resolve(value: undefined): void; reject(reason: unknown): void } | null = null;
  #stream: ReadableStream | null;
  readonly #channel: Channel;

  constructor(stream: ReadableStream) {
    this.#closed = new GuestPromise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Nobody has to look at it.
    void then(this.#closed, ignore, ignore);
    this.#channel = claim(stream, this);
    this.#stream = stream;
    const { end } = this.#channel;
    if (end !== null) settleClosed(this, end.error);
  }

  get closed(): Promise<undefined> {
    return this.#closed;
  }

  read(): Promise<ReadResult> {
    return this.#stream === null ? rejected(new GuestTypeError(FETCH.released)) : this.#channel.read();
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#stream === null ? rejected(new GuestTypeError(FETCH.released)) : this.#channel.cancel(reason);
  }

  releaseLock(): void {
    if (this.#stream === null) return;
    release(this.#stream);
    this.#stream = null;
    this.#settle?.reject(new GuestTypeError(FETCH.released));
  }

  get [Symbol.toStringTag](): string {
    return "ReadableStreamDefaultReader";
  }

  static {
    settleClosed = (reader, error) => {
      if (error === null) reader.#settle?.resolve(undefined);
      else reader.#settle?.reject(error.reason);
    };
  }
}

function rejected<T>(reason: unknown): Promise<T> {
  return new GuestPromise((_resolve, reject) => reject(reason));
}

function ignore(): void {
  // What it says is known already.
}
