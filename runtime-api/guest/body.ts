import { FETCH } from "../../src/catalogue/texts.ts";
import { TextDecoder, bytesIn, bytesOf, encodeUtf8, isAscii } from "./encoding.ts";
import { GuestTypeError, ObjectPrototype, apply, parseJson, toText } from "./intrinsics.ts";
import { latin1 } from "./powers.ts";
import { ReadableStream, isStream } from "./stream.ts";

/** Where a body comes from, as texts of one character a byte. */
export type BodySource = { readonly whole: string } | { pull(): Promise<string | null>; cancel(): void };

export interface Extracted {
  readonly source: BodySource | ReadableStream;
  /** The content type that goes with it where none is given. */
  readonly type: string | null;
}

const tagOf = ObjectPrototype.toString;
const decode = TextDecoder.prototype.decode;

/** What a caller gave for a body (Fetch Standard, 5.2, `extract`). */
export function extractBody(init: unknown): Extracted {
  if (isStream(init)) {
    if (init.locked) throw new GuestTypeError(FETCH.locked);
    return { source: init, type: null };
  }
  const bytes = bytesIn(init);
  if (bytes !== null) return { source: { whole: latin1(bytes) }, type: null };
  const isForm = typeof init === "object" && apply(tagOf, init, []) === "[object URLSearchParams]";
  const text = toText(init);
  return {
    source: { whole: isAscii(text) ? text : latin1(encodeUtf8(text)) },
    type: isForm ? "application/x-www-form-urlencoded;charset=UTF-8" : "text/plain;charset=UTF-8",
  };
}

/** The bytes of a body, once. */
export let consumeBody: (body: Body) => Promise<string>;
export let hasBody: (body: Body) => boolean;
/** A second body with the same bytes, for a clone. */
export let splitBody: (body: Body) => BodySource | ReadableStream | null;

/** What Request and Response have in common (Fetch Standard, 5.3): a body that is read once. */
export abstract class Body {
  #source: BodySource | null = null;
  #stream: ReadableStream | null = null;
  #isUsed = false;

  constructor(source: BodySource | ReadableStream | null) {
    if (isStream(source)) this.#stream = source;
    else this.#source = source;
  }

  get body(): ReadableStream | null {
    if (this.#stream === null && this.#source !== null) {
      this.#stream = streamOf(this.#source, this.#isUsed, () => {
        this.#isUsed = true;
      });
      this.#source = null;
    }
    return this.#stream;
  }

  get bodyUsed(): boolean {
    return this.#isUsed;
  }

  async text(): Promise<string> {
    const text = await this.#consume();
    return isAscii(text) ? text : apply(decode, new TextDecoder(), [bytesOf(text)]);
  }

  async json(): Promise<unknown> {
    const text = await this.#consume();
    return parseJson(isAscii(text) ? text : apply(decode, new TextDecoder(), [bytesOf(text)]));
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return bytesOf(await this.#consume());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return bytesOf(await this.#consume()).buffer;
  }

  async #consume(): Promise<string> {
    if (this.#isUsed || this.#stream?.locked === true) throw new GuestTypeError(FETCH.bodyUsed);
    if (this.#source === null && this.#stream === null) return "";
    this.#isUsed = true;
    if (this.#source !== null && "whole" in this.#source) return this.#source.whole;
    let text = "";
    if (this.#source !== null) {
      for (let part = await this.#source.pull(); part !== null; part = await this.#source.pull()) text += part;
      return text;
    }
    const reader = (this.#stream as ReadableStream).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      const bytes = bytesIn(value);
      if (bytes === null) throw new GuestTypeError(FETCH.notStream);
      text += latin1(bytes);
    }
  }

  static {
    consumeBody = (body) => body.#consume();
    hasBody = (body) => body.#source !== null || body.#stream !== null;
    splitBody = (body) => {
      if (body.#isUsed || body.#stream?.locked === true) throw new GuestTypeError(FETCH.bodyUsed);
      if (body.#source !== null && "whole" in body.#source) return body.#source;
      const stream = body.body;
      if (stream === null) return null;
      const [kept, given] = stream.tee();
      body.#stream = markedStream(kept, () => {
        body.#isUsed = true;
      });
      return given;
    };
  }
}

function streamOf(source: BodySource, isUsed: boolean, onRead: () => void): ReadableStream {
  if ("whole" in source) {
    let isGiven = isUsed || source.whole === "";
    return new ReadableStream({
      pull(controller) {
        onRead();
        if (!isGiven) controller.enqueue(bytesOf(source.whole));
        if (isGiven) controller.close();
        isGiven = true;
      },
      cancel: onRead,
    });
  }
  return new ReadableStream({
    async pull(controller) {
      onRead();
      const part = await source.pull();
      if (part === null) controller.close();
      else controller.enqueue(bytesOf(part));
    },
    cancel() {
      onRead();
      source.cancel();
    },
  });
}

function markedStream(stream: ReadableStream, onRead: () => void): ReadableStream {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      onRead();
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      onRead();
      return reader.cancel(reason);
    },
  });
}
