import { FETCH, WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, apply, toText } from "../intrinsics.ts";
import { Body, mixBody } from "./body.ts";
import { extractBody, type BodySource } from "./body-source.ts";
import { Headers } from "./headers.ts";
import { assertArguments, installInterface, isObject, toDictionary, toScalarText } from "./interface.ts";
import { followSignals, isSignal, type AbortSignal } from "./signal.ts";
import { isStream, type ReadableStream } from "./streams.ts";
import { invalidUrl } from "./url/invalid-url.ts";
import { parseUrl } from "./url/parser.ts";
import { hasCredentials, serializeUrl } from "./url/record.ts";

const toUpperCase = String.prototype.toUpperCase;
const test = RegExp.prototype.test;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;

/** What fetch needs of a request. */
export interface RequestParts {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly redirect: string;
  readonly signal: AbortSignal;
  readonly body: Body;
}

let isRequest: (value: unknown) => value is Request;
export let partsOf: (request: Request) => RequestParts;

// Attributes that mean something to a browser alone: what is set is kept, and checked.
const MODES = {
  mode: ["cors", "navigate", "no-cors", "same-origin"],
  credentials: ["same-origin", "omit", "include"],
  cache: ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
  redirect: ["follow", "error", "manual"],
  referrerPolicy: [
    "",
    "no-referrer",
    "no-referrer-when-downgrade",
    "same-origin",
    "origin",
    "strict-origin",
    "origin-when-cross-origin",
    "strict-origin-when-cross-origin",
    "unsafe-url",
  ],
} as const;
type Modes = { readonly [name in keyof typeof MODES]: string };

/** Request (Fetch Standard, 5.4), as far as it means something where there is no page, no cache and no cookie. */
export class Request {
  readonly #parts: RequestParts;
  readonly #modes: Modes & { readonly integrity: string; readonly keepalive: boolean; readonly referrer: string; readonly duplex: string };

  constructor(input: unknown, init: unknown = undefined) {
    assertArguments(arguments.length, 1, "Request");
    const from = isRequest(input) ? input.#parts : null;
    const before = isRequest(input) ? input.#modes : null;
    const given = toDictionary(init, "RequestInit");
    const url = from === null ? toUrl(input) : from.url;
    const { method: asked, headers, body, signal, integrity, keepalive, duplex, window } = given;
    if (window !== undefined && window !== null) throw new GuestTypeError(WEB.noWindow);
    this.#modes = {
      mode: choose("mode", given, before?.mode ?? "cors"),
      credentials: choose("credentials", given, before?.credentials ?? "same-origin"),
      cache: choose("cache", given, before?.cache ?? "default"),
      redirect: choose("redirect", given, before?.redirect ?? "follow"),
      referrerPolicy: choose("referrerPolicy", given, before?.referrerPolicy ?? ""),
      integrity: integrity === undefined ? (before?.integrity ?? "") : toText(integrity),
      keepalive: keepalive === undefined ? (before?.keepalive ?? false) : Boolean(keepalive),
      referrer: "about:client",
      duplex: "half",
    };
    if (given["mode"] === "navigate") throw new GuestTypeError(WEB.noMode("mode", "navigate"));
    if (duplex !== undefined && toText(duplex) !== "half") throw new GuestTypeError(FETCH.duplex);
    const method = asked === undefined ? (from?.method ?? "GET") : methodOf(asked);
    const made = new Headers(headers ?? from?.headers);
    const { source, type } = bodyFor(body, from, method, duplex !== undefined);
    if (type !== null && !made.has("content-type")) made.set("content-type", type);
    this.#parts = {
      url,
      method,
      headers: made,
      redirect: this.#modes.redirect,
      signal: signalOf(signal, from?.signal ?? null),
      body: new Body(source),
    };
  }

  get method(): string {
    return this.#parts.method;
  }

  get url(): string {
    return this.#parts.url;
  }

  get headers(): Headers {
    return this.#parts.headers;
  }

  get destination(): string {
    void this.#parts;
    return "";
  }

  get referrer(): string {
    return this.#modes.referrer;
  }

  get referrerPolicy(): string {
    return this.#modes.referrerPolicy;
  }

  get mode(): string {
    return this.#modes.mode;
  }

  get credentials(): string {
    return this.#modes.credentials;
  }

  get cache(): string {
    return this.#modes.cache;
  }

  get redirect(): string {
    return this.#modes.redirect;
  }

  get integrity(): string {
    return this.#modes.integrity;
  }

  get keepalive(): boolean {
    return this.#modes.keepalive;
  }

  get isReloadNavigation(): boolean {
    void this.#parts;
    return false;
  }

  get isHistoryNavigation(): boolean {
    void this.#parts;
    return false;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  get duplex(): string {
    return this.#modes.duplex;
  }

  clone(): Request {
    const source = this.#parts.body.split();
    const { url, method, headers, signal } = this.#parts;
    return new Request(url, { __proto__: null, ...this.#modes, method, headers, signal, body: source === null ? null : new Own(source) });
  }

  static {
    isRequest = (value) => isObject(value) && #parts in value;
    partsOf = (request) => request.#parts;
    mixBody(this, { bodyOf: (request) => request.#parts.body, headersOf: (request) => request.#parts.headers });
  }
}

export function installRequest(target: object): void {
  installInterface(target, "Request", Request);
}

// A body that is in our own form already.
class Own {
  readonly #source: BodySource | ReadableStream;

  constructor(source: BodySource | ReadableStream) {
    this.#source = source;
  }

  static sourceOf(value: unknown): BodySource | ReadableStream | null {
    return isObject(value) && #source in value ? value.#source : null;
  }
}

function choose(name: keyof typeof MODES, given: Record<string, unknown>, otherwise: string): string {
  const value = given[name];
  if (value === undefined) return otherwise;
  const text = toText(value);
  for (let at = 0; at < MODES[name].length; at += 1) if (MODES[name][at] === text) return text;
  throw new GuestTypeError(WEB.noMode(name, text.length > 40 ? "" : text));
}

function bodyFor(
  init: unknown,
  from: RequestParts | null,
  method: string,
  hasDuplex: boolean,
): { readonly source: BodySource | ReadableStream | null; readonly type: string | null } {
  const isGiven = init !== undefined && init !== null;
  const inherited = from === null || init === null ? null : from.body;
  if ((isGiven || inherited?.isNull === false) && (method === "GET" || method === "HEAD")) throw new GuestTypeError(FETCH.bodyOfGet);
  if (!isGiven) return { source: inherited === null ? null : inherited.take(), type: null };
  const own = Own.sourceOf(init);
  if (own !== null) return { source: own, type: null };
  if (isStream(init) && !hasDuplex) throw new GuestTypeError(FETCH.duplex);
  return extractBody(init);
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

function toUrl(input: unknown): string {
  const record = parseUrl(toScalarText(input));
  if (record === null) throw new GuestTypeError(FETCH.noUrl, { cause: invalidUrl() });
  if (hasCredentials(record)) throw new GuestTypeError(FETCH.urlWithPassword);
  return serializeUrl(record);
}

function signalOf(given: unknown, from: AbortSignal | null): AbortSignal {
  if (given === undefined) return followSignals(from === null ? [] : [from]);
  if (given === null) return followSignals([]);
  if (!isSignal(given)) throw new GuestTypeError(WEB.notSignal);
  return followSignals([given]);
}
