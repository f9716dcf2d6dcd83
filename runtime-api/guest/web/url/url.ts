import { bareArray, slice, toText } from "../../intrinsics.ts";
import { assertArguments, installInterface, toScalarText } from "../interface.ts";
import { invalidUrl } from "./invalid-url.ts";
import { parsePart, parseUrl } from "./parser.ts";
import { STATE } from "./parsing.ts";
import { USERINFO, percentEncode } from "./percent.ts";
import { isBare, serializeHost, serializePath, serializeUrl, type UrlRecord } from "./record.ts";
import { URLSearchParams, bindParams, resetParams } from "./search-params.ts";

let isRecord = false;

/** URL (URL Standard, 6.1). */
export class URL {
  readonly #record: UrlRecord;
  readonly #params: URLSearchParams;

  constructor(url: unknown, base: unknown = undefined) {
    assertArguments(arguments.length, 1, "URL");
    const record = isRecord ? (url as UrlRecord) : parse(url, base);
    if (record === null) throw invalidUrl();
    this.#record = record;
    this.#params = bindParams(record.query ?? "", (query) => {
      record.query = query === "" ? null : query;
    });
  }

  static parse(url: unknown, base: unknown = undefined): URL | null {
    assertArguments(arguments.length, 1, "URL.parse");
    const record = parse(url, base);
    if (record === null) return null;
    isRecord = true;
    try {
      return new URL(record);
    } finally {
      isRecord = false;
    }
  }

  static canParse(url: unknown, base: unknown = undefined): boolean {
    assertArguments(arguments.length, 1, "URL.canParse");
    return parse(url, base) !== null;
  }

  get href(): string {
    return serializeUrl(this.#record);
  }

  set href(value: unknown) {
    const parsed = parseUrl(toScalarText(value));
    if (parsed === null) throw invalidUrl();
    assign(this.#record, parsed);
    resetParams(this.#params, parsed.query ?? "");
  }

  get origin(): string {
    const { scheme, path } = this.#record;
    if (scheme === "blob" && typeof path === "string") {
      const inner = parseUrl(path);
      return inner?.scheme === "http" || inner?.scheme === "https" ? originOf(inner) : "null";
    }
    return originOf(this.#record);
  }

  get protocol(): string {
    return `${this.#record.scheme}:`;
  }

  set protocol(value: unknown) {
    parsePart(`${toScalarText(value)}:`, this.#record, STATE.SCHEME_START);
  }

  get username(): string {
    return this.#record.username;
  }

  set username(value: unknown) {
    const text = toScalarText(value);
    if (!isBare(this.#record)) this.#record.username = percentEncode(text, USERINFO);
  }

  get password(): string {
    return this.#record.password;
  }

  set password(value: unknown) {
    const text = toScalarText(value);
    if (!isBare(this.#record)) this.#record.password = percentEncode(text, USERINFO);
  }

  get host(): string {
    return serializeHost(this.#record);
  }

  set host(value: unknown) {
    const text = toScalarText(value);
    if (typeof this.#record.path !== "string") parsePart(text, this.#record, STATE.HOST);
  }

  get hostname(): string {
    return this.#record.host ?? "";
  }

  set hostname(value: unknown) {
    const text = toScalarText(value);
    if (typeof this.#record.path !== "string") parsePart(text, this.#record, STATE.HOSTNAME);
  }

  get port(): string {
    return this.#record.port === null ? "" : toText(this.#record.port);
  }

  set port(value: unknown) {
    const text = toScalarText(value);
    if (isBare(this.#record)) return;
    if (text === "") this.#record.port = null;
    else parsePart(text, this.#record, STATE.PORT);
  }

  get pathname(): string {
    return serializePath(this.#record);
  }

  set pathname(value: unknown) {
    const text = toScalarText(value);
    if (typeof this.#record.path === "string") return;
    this.#record.path = bareArray();
    parsePart(text, this.#record, STATE.PATH_START);
  }

  get search(): string {
    const { query } = this.#record;
    return query === null || query === "" ? "" : `?${query}`;
  }

  set search(value: unknown) {
    const text = toScalarText(value);
    const query = text[0] === "?" ? slice(text, 1) : text;
    this.#record.query = text === "" ? null : "";
    if (text !== "") parsePart(query, this.#record, STATE.QUERY);
    resetParams(this.#params, query);
  }

  get searchParams(): URLSearchParams {
    return this.#params;
  }

  get hash(): string {
    const { fragment } = this.#record;
    return fragment === null || fragment === "" ? "" : `#${fragment}`;
  }

  set hash(value: unknown) {
    const text = toScalarText(value);
    this.#record.fragment = text === "" ? null : "";
    if (text !== "") parsePart(text[0] === "#" ? slice(text, 1) : text, this.#record, STATE.FRAGMENT);
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}

/** Puts URL and URLSearchParams on the global object. */
export function installUrl(target: object): void {
  installInterface(target, "URL", URL);
  installInterface(target, "URLSearchParams", URLSearchParams);
}

function parse(url: unknown, base: unknown): UrlRecord | null {
  const text = toScalarText(url);
  if (base === undefined) return parseUrl(text);
  const record = parseUrl(toScalarText(base));
  return record === null ? null : parseUrl(text, record);
}

function originOf(record: UrlRecord): string {
  switch (record.scheme) {
    case "ftp":
    case "http":
    case "https":
    case "ws":
    case "wss":
      return `${record.scheme}://${serializeHost(record)}`;
    default:
      return "null";
  }
}

function assign(url: UrlRecord, from: UrlRecord): void {
  url.scheme = from.scheme;
  url.username = from.username;
  url.password = from.password;
  url.host = from.host;
  url.port = from.port;
  url.path = from.path;
  url.query = from.query;
  url.fragment = from.fragment;
}
