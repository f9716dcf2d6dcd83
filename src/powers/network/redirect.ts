import { NETWORK } from "../../catalogue/texts.ts";
import { denied, PowerError } from "../power.ts";
import { readDestination, type Destination } from "./destination.ts";
import type { NetworkLimits } from "./limits.ts";
import type { Header, Method } from "./request.ts";

/** One request on its way: the guest's own, or what a redirect made of it. */
export interface Hop {
  readonly destination: Destination;
  readonly method: Method;
  readonly headers: readonly Header[];
  readonly body: Buffer | null;
  /** Whether its URL is the guest's own: a server's may not name secrets. */
  readonly isFirst: boolean;
  /** Whether every hop so far went to the first one's origin. */
  readonly isSameOrigin: boolean;
}

/** What was sent with secrets in it, and so goes to no other origin. */
export interface SentSecrets {
  readonly headers: ReadonlySet<string>;
  readonly isInBody: boolean;
}

/** Whether an answer sends the request on; where to, its `location` says. */
export function isRedirect(status: number, location: string | undefined): location is string {
  return location !== undefined && (status === 301 || status === 302 || status === 303 || status === 307 || status === 308);
}

/** The next hop, made anew from the start as the Fetch Standard (4.4) has it. Throws PowerError. */
export function nextHop(hop: Hop, status: number, location: string, sent: SentSecrets, limits: NetworkLimits): Hop {
  // Header fields carry bytes; a URL in one is UTF-8 where it is more than ASCII.
  const destination = readDestination(Buffer.from(location, "latin1").toString("utf8"), hop.destination.url, limits);
  const { url } = destination;
  if (hop.destination.url.protocol === "https:" && url.protocol !== "https:") throw denied(NETWORK.downgrade);
  const dropsBody = status === 303 ? hop.method !== "GET" && hop.method !== "HEAD" : status <= 302 && hop.method === "POST";
  const isElsewhere = url.origin !== hop.destination.url.origin;
  if (isElsewhere && !dropsBody && hop.body !== null && sent.isInBody) throw denied(NETWORK.secretElsewhere(destination.host));
  return {
    destination,
    method: dropsBody ? "GET" : hop.method,
    headers: hop.headers.filter(({ name }) => {
      if (dropsBody && OF_THE_BODY.has(name)) return false;
      return !isElsewhere || !(CREDENTIALS.has(name) || sent.headers.has(name));
    }),
    body: dropsBody ? null : hop.body,
    isFirst: false,
    isSameOrigin: hop.isSameOrigin && !isElsewhere,
  };
}

export function tooManyRedirects(limits: NetworkLimits): PowerError {
  return new PowerError("ERR_TOO_MANY_REDIRECTS", NETWORK.redirects(limits.fetchRedirectCount));
}

const OF_THE_BODY: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-language",
  "content-location",
  "content-length",
  "content-type",
]);

// Besides the standard's own, what services commonly take a key in.
const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-auth-token",
  "x-goog-api-key",
  "private-token",
]);
