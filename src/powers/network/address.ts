import { isIPv4, isIPv6 } from "node:net";

/** An address as its bytes, 4 or 16: what is compared, never the text of it. */
export type Address = Uint8Array;

/** What an address leads to. `metadata` is where a cloud hands out its machine's credentials. */
export type AddressKind = "public" | "private" | "metadata";

/** The bytes of an address in its written form; brackets may stand around IPv6. Null for anything else, a zone included. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  const inner = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  return isIPv6(inner) && !inner.includes("%") ? parseIpv6(inner) : null;
}

/** Whether both are the same address, be it that one is written as IPv4 and the other as IPv6 mapped to it. */
export function isSameAddress(a: Address, b: Address): boolean {
  const [left, right] = [unmapped(a), unmapped(b)];
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

/** What is not known to be public is private: IPv6 by its one global range, IPv4 by the registry of special ones. */
export function classifyAddress(address: Address): AddressKind {
  const inner = embeddedIpv4(address);
  if (isIn(address, METADATA) || (inner !== null && isIn(inner, METADATA))) return "metadata";
  if (address.length === 4) return isIn(address, SPECIAL_IPV4) ? "private" : "public";
  return isIn(address, GLOBAL_IPV6) && !isIn(address, SPECIAL_IPV6) ? "public" : "private";
}

interface Range {
  readonly prefix: Address;
  readonly bits: number;
}

function ranges(...texts: readonly string[]): readonly Range[] {
  return texts.map((text) => {
    const [prefix = "", bits] = text.split("/");
    const address = parseAddress(prefix);
    if (address === null) throw new Error(`"${text}" is no range`);
    return { prefix: address, bits: bits === undefined ? address.length * 8 : Number(bits) };
  });
}

const METADATA = ranges(
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
);

const SPECIAL_IPV4 = ranges(
  "0.0.0.0/8", // this network
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8",
  "169.254.0.0/16", // link-local
  "172.16.0.0/12",
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16",
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
);

// Outside of it lie loopback, mapped and compatible IPv4, NAT64, discard, unique local, link-local, site-local, multicast.
const GLOBAL_IPV6 = ranges("2000::/3");

const SPECIAL_IPV6 = ranges(
  "2001::/23", // protocol assignments: Teredo, ORCHID, benchmarks
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3ffe::/16", // the former test network
  "3fff::/20", // documentation
);

const MAPPED = ranges("::ffff:0:0/96");
const LAST_FOUR = ranges("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48");
const SIX_TO_FOUR = ranges("2002::/16");
const TEREDO = ranges("2001::/32");

function unmapped(address: Address): Address {
  return address.length === 16 && isIn(address, MAPPED) ? address.subarray(12) : address;
}

// The IPv4 address that a translator on the way would go to.
function embeddedIpv4(address: Address): Address | null {
  if (address.length === 4) return null;
  if (isIn(address, LAST_FOUR)) return address.subarray(12);
  if (isIn(address, SIX_TO_FOUR)) return address.subarray(2, 6);
  return isIn(address, TEREDO) ? address.subarray(12).map((byte) => byte ^ 0xff) : null;
}

function isIn(address: Address, list: readonly Range[]): boolean {
  return list.some(({ prefix, bits }) => prefix.length === address.length && hasPrefix(address, prefix, bits));
}

function hasPrefix(address: Address, prefix: Address, bits: number): boolean {
  for (let at = 0; at * 8 < bits; at += 1) {
    const mask = bits - at * 8 >= 8 ? 0xff : (0xff << (8 - (bits - at * 8))) & 0xff;
    if (((address[at] ?? 0) & mask) !== ((prefix[at] ?? 0) & mask)) return false;
  }
  return true;
}

// Its form is known to be right.
function parseIpv6(text: string): Address {
  const [head = "", tail] = text.split("::");
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  return Uint8Array.from([...first, ...Array.from<number>({ length: 16 - first.length - last.length }).fill(0), ...last]);
}

function groups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
