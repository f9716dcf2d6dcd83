import { FETCH, WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, parseJson } from "../intrinsics.ts";
import { dropMark, makeBlob, type Blob } from "./blob.ts";
import { drain, streamOf, type BodySource } from "./body-source.ts";
import { bytesOf } from "./bytes.ts";
import { FormData } from "./form-data.ts";
import { Headers } from "./headers.ts";
import { parameterOf, parseMimeType, serializeMimeType, type MimeType } from "./mime-type.ts";
import { decodeForm } from "./multipart.ts";
import { TransformStream, isDisturbed, isStream, type ReadableStream } from "./streams.ts";
import { parsePairs } from "./url/search-params.ts";
import { decodeUtf8, isAscii } from "./utf8.ts";

const getHeader = Headers.prototype.get;

/** The body of a request or a response: it is read once. Nobody pays for a stream who does not ask for one. */
export class Body {
  #source: BodySource | null = null;
  #stream: ReadableStream | null = null;
  #isUsed = false;

  constructor(source: BodySource | ReadableStream | null) {
    if (isStream(source)) this.#stream = source;
    else this.#source = source;
  }

  get isNull(): boolean {
    return this.#source === null && this.#stream === null;
  }

  get isUsed(): boolean {
    return this.#isUsed || (this.#stream !== null && isDisturbed(this.#stream));
  }

  get isUnusable(): boolean {
    return this.isUsed || this.#stream?.locked === true;
  }

  get stream(): ReadableStream | null {
    if (this.#stream === null && this.#source !== null) {
      this.#stream = streamOf(this.#source);
      // Its bytes went to whoever asked for them before, and still holds the stream.
      if (this.#isUsed) void this.#stream.getReader().cancel();
    }
    return this.#stream;
  }

  /** The bytes, as a text of one character each. */
  async consume(): Promise<string> {
    if (this.isUnusable) throw new GuestTypeError(FETCH.bodyUsed);
    const source = this.#stream ?? this.#source;
    if (source === null) return "";
    this.#isUsed = true;
    return await drain(source);
  }

  /** A second body with the same bytes, for a clone. */
  split(): BodySource | ReadableStream | null {
    if (this.isUnusable) throw new GuestTypeError(FETCH.bodyUsed);
    if (this.#stream === null && (this.#source === null || "whole" in this.#source)) return this.#source;
    const [kept, given] = (this.stream as ReadableStream).tee();
    this.#stream = kept;
    return given;
  }

  /** The body itself, for another owner: this one is used from here on. */
  take(): BodySource | ReadableStream | null {
    if (this.isUnusable) throw new GuestTypeError(FETCH.bodyUsed);
    if (this.isNull) return null;
    this.#isUsed = true;
    return this.#stream === null ? this.#source : this.#stream.pipeThrough(new TransformStream());
  }
}

type Owner<T> = { readonly bodyOf: (self: T) => Body; readonly headersOf: (self: T) => Headers };

/** Gives a class the members of the Body mixin (Fetch Standard, 5.3). */
export function mixBody<T extends object>(owner: abstract new (...args: never[]) => T, { bodyOf, headersOf }: Owner<T>): void {
  const members = {
    get body(): ReadableStream | null {
      return bodyOf(this as unknown as T).stream;
    },
    get bodyUsed(): boolean {
      return bodyOf(this as unknown as T).isUsed;
    },
    async arrayBuffer(this: T): Promise<ArrayBuffer> {
      return bytesOf(await bodyOf(this).consume()).buffer;
    },
    async blob(this: T): Promise<Blob> {
      const type = typeOf(headersOf(this));
      return makeBlob(bytesOf(await bodyOf(this).consume()), type === null ? "" : serializeMimeType(type));
    },
    async bytes(this: T): Promise<Uint8Array<ArrayBuffer>> {
      return bytesOf(await bodyOf(this).consume());
    },
    async formData(this: T): Promise<FormData> {
      const type = typeOf(headersOf(this));
      return toForm(await bodyOf(this).consume(), type);
    },
    async json(this: T): Promise<unknown> {
      return parseJson(toText(await bodyOf(this).consume()));
    },
    async text(this: T): Promise<string> {
      return toText(await bodyOf(this).consume());
    },
  };
  const descriptors = Object.getOwnPropertyDescriptors(members);
  Object.defineProperties(owner.prototype, descriptors);
}

function typeOf(headers: Headers): MimeType | null {
  const value = apply(getHeader, headers, ["content-type"]);
  return value === null ? null : parseMimeType(value);
}

function toText(latin1: string): string {
  return isAscii(latin1) ? latin1 : decodeUtf8(dropMark(bytesOf(latin1)));
}

function toForm(latin1: string, type: MimeType | null): FormData {
  if (type?.essence === "application/x-www-form-urlencoded") {
    const form = new FormData();
    const pairs = parsePairs(toText(latin1));
    for (let at = 0; at < pairs.length; at += 1) form.append(pairs[at]?.[0], pairs[at]?.[1]);
    return form;
  }
  const boundary = type?.essence === "multipart/form-data" ? parameterOf(type, "boundary") : null;
  const form = boundary === null ? null : decodeForm(latin1, boundary);
  if (form === null) throw new GuestTypeError(WEB.notFormData);
  return form;
}
