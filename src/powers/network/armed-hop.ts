import { isUtf8 } from "node:buffer";
import { NETWORK } from "../../catalogue/texts.ts";
import type { Permissions } from "../permissions.ts";
import { denied } from "../power.ts";
import { classifyAddress } from "./address.ts";
import type { Hop, SentSecrets } from "./redirect.ts";
import { isHeaderValue } from "./request.ts";
import type { SecretInjector, SecretTarget } from "./secret-injector.ts";

/** A hop as it is sent: the one place where values of secrets stand in it. */
export interface ArmedHop {
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  readonly sent: SentSecrets;
}

/** Puts the secrets into a hop that its headers, its query and its text name. Throws PowerError. */
export function armHop(
  hop: Hop,
  secrets: SecretInjector,
  { capability, permissions }: { readonly capability: string; readonly permissions: Permissions },
): ArmedHop {
  const { destination } = hop;
  const { url, host, port, isDefaultPort, address } = destination;
  const target: SecretTarget = { capability, host, port, isDefaultPort, permissions };
  const inject = (text: string): string => {
    const injected = secrets.inject(text, target);
    // A private address is on the owner's own network, by the owner's own grant.
    const isInside = address !== null && classifyAddress(address) === "private";
    if (injected !== text && url.protocol !== "https:" && !isInside) throw denied(NETWORK.secretInClear(host));
    return injected;
  };
  const named = new Set<string>();
  const headers = hop.headers.flatMap(({ name, value }) => {
    const injected = hop.isSameOrigin ? inject(value) : value;
    if (injected !== value) named.add(name);
    if (!isHeaderValue(injected)) throw denied(NETWORK.headerValue(name));
    return [name, injected];
  });
  const search = hop.isFirst ? injectPairs(url.search, inject) : url.search;
  const body = hop.isSameOrigin && hop.body !== null ? injectBody(hop, hop.body, inject) : hop.body;
  return {
    path: url.pathname + search,
    headers: withDefaults(headers),
    body,
    sent: { headers: named, isInBody: body !== hop.body },
  };
}

const DEFAULTS = [
  ["accept", "*/*"],
  ["accept-encoding", "gzip, br"],
  ["user-agent", "toolcell"],
] as const;

function withDefaults(headers: readonly string[]): readonly string[] {
  const given = new Set(headers.filter((_, at) => at % 2 === 0));
  return [...headers, ...DEFAULTS.filter(([name]) => !given.has(name)).flat()];
}

function injectBody({ headers }: Hop, body: Buffer, inject: (text: string) => string): Buffer {
  if (!isUtf8(body)) return body;
  const text = body.toString("utf8");
  const isForm = headers.some(({ name, value }) => name === "content-type" && FORM.test(value));
  const injected = isForm ? injectPairs(text, inject) : inject(text);
  return injected === text ? body : Buffer.from(injected, "utf8");
}

const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/iu;

// Each part is read as what it stands for and written back escaped: a value with an `&` in it stays one value.
function injectPairs(text: string, inject: (text: string) => string): string {
  return text.replaceAll(/[^?&=]+/gu, (part) => {
    const plain = decode(part);
    if (plain === null) return part;
    const injected = inject(plain);
    return injected === plain ? part : encodeURIComponent(injected);
  });
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return null;
  }
}
