import type { Json, JsonObject } from "../../catalogue/json.ts";
import { NETWORK, POWER } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError } from "../power.ts";
import { readDestination, type Destination } from "./destination.ts";
import type { NetworkLimits } from "./limits.ts";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type RedirectMode = "follow" | "manual" | "error";

export interface Header {
  /** Lower case. */
  readonly name: string;
  readonly value: string;
}

/** What a guest asks for, each part of it checked. */
export interface FetchRequest {
  /** The guest's own number for it. */
  readonly id: number;
  readonly destination: Destination;
  readonly method: Method;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  readonly redirect: RedirectMode;
}

/** Reads a request out of a guest's arguments. Throws PowerError. */
export function readRequest(args: JsonObject, bytes: Buffer | null, limits: NetworkLimits): FetchRequest {
  const id = readId(args);
  const { url, method: given, headers, redirect = "follow" } = args;
  if (typeof url !== "string") throw malformed("url");
  if (redirect !== "follow" && redirect !== "manual" && redirect !== "error") throw malformed("redirect");
  const method = readMethod(given);
  if (bytes !== null && bytes.length > limits.fetchBodyBytes) throw overLimit(NETWORK.bodyBytes(limits.fetchBodyBytes));
  if (bytes !== null && (method === "GET" || method === "HEAD")) throw denied(NETWORK.bodyOf(method));
  return { id, destination: readDestination(url, null, limits), method, headers: readHeaders(headers, limits), body: bytes, redirect };
}

/** The guest's number of a request. */
export function readId({ id }: JsonObject): number {
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id < 0) throw malformed("id");
  return id;
}

/** Whether asking twice does no harm: the safe methods of RFC 9110. */
export function isSafe(method: Method): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** Whether a value may stand in a header: no line break, no NUL, nothing past Latin-1. */
export function isHeaderValue(value: string): boolean {
  return VALUE.test(value);
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/u;

/** What belongs to the connection, or speaks for a user who is not there. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "cookie",
  "cookie2",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "keep-alive",
  "set-cookie",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);

function readMethod(given: Json | undefined): Method {
  if (typeof given !== "string") throw malformed("method");
  const method = METHODS.find((name) => name === given);
  if (method === undefined) throw denied(NETWORK.method(METHODS.join(", ")));
  return method;
}

function readHeaders(given: Json | undefined, { fetchHeaderBytes, fetchHeaderCount }: NetworkLimits): readonly Header[] {
  if (!Array.isArray(given)) throw malformed("headers");
  if (given.length > fetchHeaderCount) throw overLimit(NETWORK.headerCount(fetchHeaderCount));
  let bytes = 0;
  return (given as readonly Json[]).map((pair) => {
    if (!Array.isArray(pair)) throw malformed("headers");
    const [name, value] = pair as readonly Json[];
    if (typeof name !== "string" || typeof value !== "string" || pair.length !== 2) throw malformed("headers");
    bytes += name.length + value.length;
    if (bytes > fetchHeaderBytes) throw overLimit(NETWORK.headerBytes(fetchHeaderBytes));
    const lower = name.toLowerCase();
    if (!NAME.test(lower)) throw denied(NETWORK.headerName);
    if (!isHeaderValue(value)) throw denied(NETWORK.headerValue(lower.slice(0, 100)));
    if (FORBIDDEN.has(lower) || lower.startsWith("proxy-")) throw denied(NETWORK.headerForbidden(lower));
    return { name: lower, value };
  });
}

function malformed(what: string): PowerError {
  return new PowerError("ERR_INVALID_ARG_VALUE", POWER.malformed(`\`${what}\``));
}
