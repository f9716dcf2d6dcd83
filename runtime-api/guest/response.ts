import { FETCH } from "../../src/catalogue/texts.ts";
import { Body, extractBody, splitBody, type BodySource } from "./body.ts";
import { Headers, freezeHeaders } from "./headers.ts";
import { GuestRangeError, GuestTypeError, apply, toJson, toNumber, toText } from "./intrinsics.ts";
import type { ReadableStream } from "./stream.ts";

export interface ResponseInit {
  readonly status?: unknown;
  readonly statusText?: unknown;
  readonly headers?: unknown;
}

/** What the host said of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: readonly (readonly [string, string])[];
}

const test = RegExp.prototype.test;
const PHRASE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/u;

/** What fetch resolves with. */
export let responseOf: (head: ResponseHead, source: BodySource | null) => Response;

/** Response (Fetch Standard, 5.5). */
export class Response extends Body {
  readonly #status: number;
  readonly #statusText: string;
  readonly #headers: Headers;
  #type: "default" | "basic" | "error" = "default";
  #url = "";
  #isRedirected = false;

  constructor(body: unknown = null, init: ResponseInit | null = {}) {
    const { status = 200, statusText = "", headers } = init ?? {};
    const made = ownBody !== null && body === ownBody ? ownBody : null;
    const { source, type } =
      made !== null ? { source: made.source, type: null } : body === null || body === undefined ? NO_BODY : extractBody(body);
    super(source);
    this.#status = made === null ? statusOf(status) : toNumber(status);
    if (made === null && source !== null && isNullBody(this.#status)) throw new GuestTypeError(FETCH.bodyOfNull(this.#status));
    this.#statusText = toText(statusText);
    if (!apply(test, PHRASE, [this.#statusText])) throw new GuestTypeError(FETCH.statusText);
    this.#headers = new Headers(headers);
    if (type !== null && !this.#headers.has("content-type")) this.#headers.set("content-type", type);
  }

  get type(): string {
    return this.#type;
  }

  get url(): string {
    return this.#url;
  }

  get redirected(): boolean {
    return this.#isRedirected;
  }

  get status(): number {
    return this.#status;
  }

  get ok(): boolean {
    return this.#status >= 200 && this.#status <= 299;
  }

  get statusText(): string {
    return this.#statusText;
  }

  get headers(): Headers {
    return this.#headers;
  }

  clone(): Response {
    const { status, statusText, headers, url, redirected } = this;
    const copy = make(splitBody(this), { status, statusText, headers });
    copy.#type = this.#type;
    copy.#url = url;
    copy.#isRedirected = redirected;
    return copy;
  }

  get [Symbol.toStringTag](): string {
    return "Response";
  }

  static error(): Response {
    const response = make(null, { status: 0 });
    response.#type = "error";
    freezeHeaders(response.#headers);
    return response;
  }

  static redirect(url: unknown, status: unknown = 302): Response {
    const code = toNumber(status);
    if (code !== 301 && code !== 302 && code !== 303 && code !== 307 && code !== 308) throw new GuestRangeError(FETCH.redirectStatus);
    const response = make(null, { status: code, headers: { __proto__: null, location: toText(url) } });
    freezeHeaders(response.#headers);
    return response;
  }

  static json(data: unknown, init: ResponseInit | null = {}): Response {
    const text: unknown = toJson(data);
    if (typeof text !== "string") throw new GuestTypeError(FETCH.notStream);
    const response = new Response(text, init);
    if (new Headers(init?.headers).get("content-type") === null) response.#headers.set("content-type", "application/json");
    return response;
  }

  static {
    responseOf = ({ status, statusText, url, redirected, headers }, source) => {
      const response = make(source, { status, statusText: cleanPhrase(statusText), headers });
      response.#type = "basic";
      response.#url = url;
      response.#isRedirected = redirected;
      freezeHeaders(response.#headers);
      return response;
    };
  }
}

const NO_BODY = { source: null, type: null };

// A body in our own form, while the constructor takes it: a caller's own values are never taken for it.
let ownBody: { readonly source: BodySource | ReadableStream | null } | null = null;

function make(source: BodySource | ReadableStream | null, init: ResponseInit): Response {
  ownBody = { source };
  try {
    return new Response(ownBody, init);
  } finally {
    ownBody = null;
  }
}

function statusOf(given: unknown): number {
  const status = toNumber(given);
  if (!(status >= 200 && status <= 599) || status % 1 !== 0) throw new GuestRangeError(FETCH.status);
  return status;
}

function isNullBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function cleanPhrase(text: string): string {
  return apply(test, PHRASE, [text]) ? text : "";
}
