import { FETCH } from "../../src/catalogue/texts.ts";
import { Body, extractBody, hasBody, splitBody, type BodySource } from "./body.ts";
import { Headers } from "./headers.ts";
import { GuestTypeError, apply, toText } from "./intrinsics.ts";
import { AbortController, isSignal, type AbortSignal } from "./signal.ts";
import type { ReadableStream } from "./stream.ts";

export interface RequestInit {
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly redirect?: unknown;
  readonly signal?: unknown;
}

const toUpperCase = String.prototype.toUpperCase;
const test = RegExp.prototype.test;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

let isRequest: (value: unknown) => value is Request;

/** Request (Fetch Standard, 5.4), as far as it means something where there is no page, no cache and no cookie. */
export class Request extends Body {
  readonly #url: string;
  readonly #method: string;
  readonly #headers: Headers;
  readonly #redirect: "follow" | "manual" | "error";
  readonly #signal: AbortSignal;

  constructor(input: unknown, init: RequestInit | null = {}) {
    const given = init ?? {};
    const from = isRequest(input) ? input : null;
    const method = given.method === undefined ? (from?.method ?? "GET") : methodOf(given.method);
    const headers = new Headers(given.headers ?? from?.headers);
    const { source, type } = bodyFor(given.body, from, method);
    super(source);
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    this.#url = from?.url ?? urlOf(input);
    this.#method = method;
    this.#headers = headers;
    this.#redirect = redirectOf(given.redirect ?? from?.redirect ?? "follow");
    this.#signal = signalOf(given.signal, from);
  }

  get url(): string {
    return this.#url;
  }

  get method(): string {
    return this.#method;
  }

  get headers(): Headers {
    return this.#headers;
  }

  get redirect(): "follow" | "manual" | "error" {
    return this.#redirect;
  }

  get signal(): AbortSignal {
    return this.#signal;
  }

  clone(): Request {
    const source = splitBody(this);
    return new Request(this.#url, {
      method: this.#method,
      headers: this.#headers,
      redirect: this.#redirect,
      signal: this.#signal,
      ...(source === null ? {} : { body: new Split(source) }),
    });
  }

  get [Symbol.toStringTag](): string {
    return "Request";
  }

  static {
    isRequest = (value) => typeof value === "object" && value !== null && #redirect in value;
  }
}

// A body that is in our own form already.
class Split {
  readonly source: BodySource | ReadableStream;

  constructor(source: BodySource | ReadableStream) {
    this.source = source;
  }
}

function bodyFor(
  init: unknown,
  from: Request | null,
  method: string,
): { readonly source: BodySource | ReadableStream | null; readonly type: string | null } {
  const isGiven = init !== undefined && init !== null;
  if ((isGiven || (from !== null && hasBody(from))) && (method === "GET" || method === "HEAD")) throw new GuestTypeError(FETCH.bodyOfGet);
  if (init instanceof Split) return { source: init.source, type: null };
  if (isGiven) return extractBody(init);
  if (from === null || !hasBody(from)) return { source: null, type: null };
  return { source: splitBody(from), type: null };
}

function methodOf(given: unknown): string {
  const text = toText(given);
  if (!apply(test, TOKEN, [text])) throw new GuestTypeError(FETCH.notMethod);
  const upper = apply(toUpperCase, text, []);
  switch (upper) {
    case "DELETE":
    case "GET":
    case "HEAD":
    case "OPTIONS":
    case "POST":
    case "PUT":
      return upper;
    case "CONNECT":
    case "TRACE":
    case "TRACK":
      throw new GuestTypeError(FETCH.forbiddenMethod(upper));
    default:
      return text;
  }
}

function urlOf(input: unknown): string {
  if (typeof input === "string") return input;
  const href = typeof input === "object" && input !== null ? (input as { href?: unknown }).href : undefined;
  if (typeof href !== "string") throw new GuestTypeError(FETCH.noUrl);
  return href;
}

function redirectOf(mode: unknown): "follow" | "manual" | "error" {
  if (mode !== "follow" && mode !== "manual" && mode !== "error") throw new GuestTypeError(FETCH.redirectMode);
  return mode;
}

function signalOf(given: unknown, from: Request | null): AbortSignal {
  if (given === undefined && from !== null) return from.signal;
  if (given === undefined || given === null) return new AbortController().signal;
  if (!isSignal(given)) throw new GuestTypeError(FETCH.notSignal);
  return given;
}
