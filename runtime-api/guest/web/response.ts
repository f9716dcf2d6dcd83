import { FETCH } from "../../../src/catalogue/texts.ts";
import { GuestRangeError, GuestTypeError, apply, toJson, toNumber, toText } from "../intrinsics.ts";
import { Body, mixBody } from "./body.ts";
import { extractBody, type BodySource } from "./body-source.ts";
import { Headers, freezeHeaders } from "./headers.ts";
import { assertArguments, installInterface, toDictionary, toScalarText } from "./interface.ts";
import type { ReadableStream } from "./streams.ts";
import { invalidUrl } from "./url/invalid-url.ts";
import { parseUrl } from "./url/parser.ts";
import { serializeUrl } from "./url/record.ts";

/** What the host said of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: readonly (readonly [string, string])[];
}

const test = RegExp.prototype.test;
const trunc = Math.trunc;
const PHRASE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/u;

/** What fetch resolves with. */
export let responseOf: (head: ResponseHead, source: BodySource | null) => Response;

/** Response (Fetch Standard, 5.5). */
export class Response {
  readonly #body: Body;
  readonly #status: number;
  readonly #statusText: string;
  readonly #headers: Headers;
  #type: "default" | "basic" | "error" = "default";
  #url = "";
  #isRedirected = false;

  constructor(body: unknown = null, init: unknown = undefined) {
    const { status = 200, statusText = "", headers } = toDictionary(init, "ResponseInit");
    const made = ownBody !== null && body === ownBody ? ownBody : null;
    this.#status = made === null ? statusOf(status) : toNumber(status);
    this.#statusText = toText(statusText);
    if (!apply(test, PHRASE, [this.#statusText])) throw new GuestTypeError(FETCH.statusText);
    this.#headers = new Headers(headers);
    const { source, type } =
      made !== null ? { source: made.source, type: null } : body === null || body === undefined ? NO_BODY : extractBody(body);
    if (made === null && source !== null && isNullBody(this.#status)) throw new GuestTypeError(FETCH.bodyOfNull(this.#status));
    this.#body = new Body(source);
    if (type !== null && !this.#headers.has("content-type")) this.#headers.set("content-type", type);
  }

  static error(): Response {
    const response = make(null, { status: 0 });
    response.#type = "error";
    freezeHeaders(response.#headers);
    return response;
  }

  static redirect(url: unknown, status: unknown = 302): Response {
    assertArguments(arguments.length, 1, "Response.redirect");
    const record = parseUrl(toScalarText(url));
    if (record === null) throw new GuestTypeError(FETCH.noUrl, { cause: invalidUrl() });
    const code = toNumber(status);
    if (code !== 301 && code !== 302 && code !== 303 && code !== 307 && code !== 308) throw new GuestRangeError(FETCH.redirectStatus);
    const response = make(null, { status: code, headers: { __proto__: null, location: serializeUrl(record) } });
    freezeHeaders(response.#headers);
    return response;
  }

  static json(data: unknown, init: unknown = undefined): Response {
    assertArguments(arguments.length, 1, "Response.json");
    const text: unknown = toJson(data);
    if (typeof text !== "string") throw new GuestTypeError(FETCH.notJson);
    const response = new Response(text, init);
    const { headers } = toDictionary(init, "ResponseInit");
    if (new Headers(headers).get("content-type") === null) response.#headers.set("content-type", "application/json");
    return response;
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
    const copy = make(this.#body.split(), { status: this.#status, statusText: this.#statusText, headers: this.#headers });
    copy.#type = this.#type;
    copy.#url = this.#url;
    copy.#isRedirected = this.#isRedirected;
    if (this.#type !== "default") freezeHeaders(copy.#headers);
    return copy;
  }

  static {
    mixBody(this, { bodyOf: (response) => response.#body, headersOf: (response) => response.#headers });
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

export function installResponse(target: object): void {
  installInterface(target, "Response", Response);
}

function make(source: BodySource | ReadableStream | null, init: object): Response {
  ownBody = { source };
  try {
    return new Response(ownBody, init);
  } finally {
    ownBody = null;
  }
}

// `[EnforceRange] unsigned short`, then the standard's own range.
function statusOf(given: unknown): number {
  const status = trunc(toNumber(given));
  if (!(status >= 200 && status <= 599))
    throw status >= 0 && status <= 0xffff ? new GuestRangeError(FETCH.status) : new GuestTypeError(FETCH.status);
  return status;
}

function isNullBody(status: number): boolean {
  return status === 101 || status === 103 || status === 204 || status === 205 || status === 304;
}

function cleanPhrase(text: string): string {
  return apply(test, PHRASE, [text]) ? text : "";
}
