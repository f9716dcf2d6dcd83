import { classifyAddress, parseAddress } from "./network/address.ts";

/** One entry of a network permission: a host, `*.host` or `public`, with a port or the scheme's own. */
export interface HostEntry {
  /** As a URL writes it: lower case, an IPv6 address in brackets. Labels after the star for a wildcard; empty for `public`. */
  readonly host: string;
  readonly kind: "exact" | "wildcard" | "public";
  /** Null: 443 for https, 80 for http. */
  readonly port: number | null;
}

const ENTRY = /^(?:(\*\.)?([a-z0-9.-]+)|(\[[0-9a-f:.]+\]))(?::(\d{1,5}))?$/u;
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*${LABEL}$`, "u");
// A URL takes a host for an IPv4 address where it ends so, however it is written.
const NUMERIC = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/u;

/** The entry as it is compared, or null for text that is none; a bare `*` is none, and so is an address not in its usual form. */
export function parseHostEntry(text: string): HostEntry | null {
  if (text === "public") return { host: "", kind: "public", port: null };
  const [, star, host, ipv6, digits] = ENTRY.exec(text.toLowerCase()) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  if (ipv6 !== undefined) return parseAddress(ipv6) === null ? null : { host: new URL(`http://${ipv6}`).hostname, kind: "exact", port };
  if (host === undefined || !NAME.test(host)) return null;
  if (NUMERIC.test(host) && (star !== undefined || parseAddress(host) === null)) return null;
  return { host, kind: star === undefined ? "exact" : "wildcard", port };
}

/**
 * Whether a request to `host` and `port` is within the entry. Labels are compared whole: `x.com.evil` is no `*.x.com`.
 * `public` speaks of names and ports alone: the addresses behind them are the network's to check.
 */
export function matchesHost(entry: HostEntry, host: string, port: number, isDefaultPort: boolean): boolean {
  if (entry.port === null ? !isDefaultPort : entry.port !== port) return false;
  switch (entry.kind) {
    case "public":
      return true;
    case "exact":
      return host === entry.host;
    case "wildcard":
      return host.endsWith(`.${entry.host}`) && host.length > entry.host.length + 1;
  }
}

/** Whether everything within `narrow` is within `wide`. */
export function coversHost(wide: HostEntry, narrow: HostEntry): boolean {
  if (wide.port !== narrow.port) return false;
  if (wide.kind === "public") return !isPrivate(narrow);
  if (narrow.kind === "public") return false;
  if (wide.kind === "exact") return narrow.kind === "exact" && narrow.host === wide.host;
  return narrow.host.endsWith(`.${wide.host}`) || (narrow.kind === "wildcard" && narrow.host === wide.host);
}

// An entry that is a private address opens it, which `public` never does.
function isPrivate({ host }: HostEntry): boolean {
  const address = parseAddress(host);
  return address !== null && classifyAddress(address) !== "public";
}
