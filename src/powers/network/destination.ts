import { NETWORK } from "../../catalogue/texts.ts";
import { matchesHost, parseHostEntry } from "../host-entry.ts";
import type { Permissions } from "../permissions.ts";
import { denied, PowerError } from "../power.ts";
import { classifyAddress, parseAddress, type Address } from "./address.ts";

/** Where a request goes, read once out of its URL: what is checked here is what is connected to. */
export interface Destination {
  /** Without user, password and fragment; its host is canonical. */
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly isDefaultPort: boolean;
  /** The host where it is an address and no name. */
  readonly address: Address | null;
}

/** Reads a URL; `base` is the one that a redirect starts from. Throws PowerError. */
export function readDestination(text: string, base: URL | null, { fetchUrlChars }: { readonly fetchUrlChars: number }): Destination {
  if (text.length > fetchUrlChars) throw new PowerError("ERR_INVALID_URL", NETWORK.urlChars(fetchUrlChars));
  // The parser would drop some of them in silence.
  if (CONTROL.test(text)) throw denied(NETWORK.urlControl);
  const url = URL.parse(text, base?.href);
  if (url === null) throw new PowerError("ERR_INVALID_URL", NETWORK.url);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw denied(NETWORK.scheme);
  if (url.username !== "" || url.password !== "") throw denied(NETWORK.userInfo);
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  url.hash = "";
  const host = url.hostname;
  const address = parseAddress(host);
  if (address === null && !NAME.test(host)) throw denied(NETWORK.host);
  const isDefaultPort = url.port === "";
  const port = isDefaultPort ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { url, host, port, isDefaultPort, address };
}

/** Throws PowerError unless the owner lets the capability go there. Asks no name server. */
export function assertGranted(
  { host, port, isDefaultPort, address }: Destination,
  { capability, permissions }: { readonly capability: string; readonly permissions: Permissions },
): void {
  if (METADATA_NAMES.has(host) || (address !== null && classifyAddress(address) === "metadata")) throw denied(NETWORK.metadata);
  const entries = permissions.network.flatMap((text) => parseHostEntry(text) ?? []);
  const matching = entries.filter((entry) => matchesHost(entry, host, port, isDefaultPort));
  if (matching.length === 0) throw denied(NETWORK.notGranted(capability, isDefaultPort ? host : `${host}:${port}`));
  // Only the address itself, written out, opens a private one: no name and no `public` does.
  if (address !== null && classifyAddress(address) === "private" && !matching.some(({ kind }) => kind === "exact"))
    throw denied(NETWORK.privateAddress(capability, `${host}:${port}`));
}

const CONTROL = /[\u0000-\u001f\u007f]/u;
const NAME = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/u;

/** Names of the same places as the addresses of metadata services. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
]);
