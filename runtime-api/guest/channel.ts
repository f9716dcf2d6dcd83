import { FETCH } from "../../src/catalogue/texts.ts";
import { GuestPromise, GuestTypeError, bareArray, then } from "./intrinsics.ts";

export interface StreamSource {
  start?(controller: StreamController): unknown;
  pull?(controller: StreamController): unknown;
  cancel?(reason: unknown): unknown;
}

export interface StreamController {
  readonly desiredSize: number | null;
  enqueue(chunk?: unknown): void;
  close(): void;
  error(reason?: unknown): void;
}

export type ReadResult = { readonly done: false; readonly value: unknown } | { readonly done: true; readonly value: undefined };

interface Waiting {
  resolve(result: ReadResult): void;
  reject(reason: unknown): void;
}

/** What happens behind a stream: chunks from a source, which is asked when somebody waits for one. */
export class Channel {
  readonly #source: StreamSource;
  readonly #onEnd: (error: { readonly reason: unknown } | null) => void;
  #queue: unknown[] = bareArray();
  #waiting: Waiting[] = bareArray();
  #state: "readable" | "closing" | "closed" | "errored" = "readable";
  #reason: unknown;
  #isPulling = false;
  #pullsAgain = false;
  readonly #controller: StreamController;

  constructor(source: StreamSource, onEnd: (error: { readonly reason: unknown } | null) => void) {
    this.#source = source;
    this.#onEnd = onEnd;
    const desiredSize = (): number | null => (this.#state === "errored" ? null : this.#state === "readable" ? 1 - this.#queue.length : 0);
    this.#controller = {
      get desiredSize() {
        return desiredSize();
      },
      enqueue: (chunk) => this.#enqueue(chunk),
      close: () => this.#close(),
      error: (reason) => this.#fail(reason),
    };
  }

  /** Null while chunks may come. */
  get end(): { readonly error: { readonly reason: unknown } | null } | null {
    if (this.#state === "errored") return { error: { reason: this.#reason } };
    return this.#state === "closed" ? { error: null } : null;
  }

  start(): void {
    this.#settle(this.#source.start?.(this.#controller), () => undefined);
  }

  read(): Promise<ReadResult> {
    if (this.#queue.length > 0) {
      const value = this.#queue[0];
      this.#queue = tailOf(this.#queue);
      if (this.#state === "closing" && this.#queue.length === 0) this.#finish();
      return new GuestPromise((resolve) => resolve({ done: false, value }));
    }
    return new GuestPromise((resolve, reject) => {
      if (this.#state === "errored") return reject(this.#reason);
      if (this.#state !== "readable") return resolve({ done: true, value: undefined });
      this.#waiting[this.#waiting.length] = { resolve, reject };
      this.#pullIfNeeded();
    });
  }

  cancel(reason: unknown): Promise<void> {
    return new GuestPromise((resolve, reject) => {
      if (this.#state === "closed") return resolve();
      if (this.#state === "errored") return reject(this.#reason);
      this.#queue = bareArray();
      this.#finish();
      this.#settle(this.#source.cancel?.(reason), () => resolve(), reject);
    });
  }

  /** Those who wait get nothing any more. */
  abandon(reason: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = bareArray();
    for (let at = 0; at < waiting.length; at += 1) waiting[at]?.reject(reason);
  }

  #enqueue(chunk: unknown): void {
    if (this.#state !== "readable") throw new GuestTypeError(FETCH.closed);
    const first = this.#waiting[0];
    if (first === undefined) this.#queue[this.#queue.length] = chunk;
    else {
      this.#waiting = tailOf(this.#waiting);
      first.resolve({ done: false, value: chunk });
    }
    this.#pullIfNeeded();
  }

  #close(): void {
    if (this.#state !== "readable") throw new GuestTypeError(FETCH.closed);
    if (this.#queue.length > 0) this.#state = "closing";
    else this.#finish();
  }

  #finish(): void {
    this.#state = "closed";
    const waiting = this.#waiting;
    this.#waiting = bareArray();
    for (let at = 0; at < waiting.length; at += 1) waiting[at]?.resolve({ done: true, value: undefined });
    this.#onEnd(null);
  }

  #fail(reason: unknown): void {
    if (this.#state === "closed" || this.#state === "errored") return;
    this.#state = "errored";
    this.#reason = reason;
    this.#queue = bareArray();
    this.abandon(reason);
    this.#onEnd({ reason });
  }

  #pullIfNeeded(): void {
    if (this.#state !== "readable" || this.#waiting.length === 0) return;
    if (this.#isPulling) {
      this.#pullsAgain = true;
      return;
    }
    this.#isPulling = true;
    let pulled: unknown;
    try {
      pulled = this.#source.pull?.(this.#controller);
    } catch (error) {
      return this.#fail(error);
    }
    this.#settle(pulled, () => {
      this.#isPulling = false;
      if (!this.#pullsAgain) return;
      this.#pullsAgain = false;
      this.#pullIfNeeded();
    });
  }

  #settle(value: unknown, ok: () => void, bad: (reason: unknown) => void = (reason) => this.#fail(reason)): void {
    void then(value instanceof GuestPromise ? value : new GuestPromise((resolve) => resolve(value)), ok, bad);
  }
}

function tailOf<T>(list: T[]): T[] {
  const tail: T[] = bareArray();
  for (let at = 1; at < list.length; at += 1) tail[at - 1] = list[at] as T;
  return tail;
}
