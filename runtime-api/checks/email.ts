import { isIpv4, isIpv6 } from "./address.ts";
import { isHostname, isIdnHostname } from "./hostname.ts";

// RFC 5321, section 4.1.2, and RFC 6531 for what is not ASCII.

const LOCAL_BYTES = 64;
const ATOM = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+$/;
const WIDE_ATOM = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+$/u;
const QUOTED = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const WIDE_QUOTED = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;

export function isEmail(text: string): boolean {
  const [local, domain] = cut(text);
  return isLocal(local, ATOM, QUOTED) && (isHostname(domain) || isLiteral(domain));
}

export function isIdnEmail(text: string): boolean {
  const [local, domain] = cut(text);
  // A domain may be written in any form that normalizing brings into the one that names have.
  return isLocal(local, WIDE_ATOM, WIDE_QUOTED) && (isIdnHostname(domain.normalize("NFC")) || isLiteral(domain));
}

/** The domain has no "@"; a quoted local part may. */
function cut(text: string): readonly [string, string] {
  const at = text.lastIndexOf("@");
  return at === -1 ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
}

function isLocal(local: string, atom: RegExp, quoted: RegExp): boolean {
  if (byteLength(local) > LOCAL_BYTES) return false;
  return local.startsWith('"') ? quoted.test(local) : local.split(".").every((part) => atom.test(part));
}

function isLiteral(domain: string): boolean {
  if (!domain.startsWith("[") || !domain.endsWith("]")) return false;
  const address = domain.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice("IPv6:".length)) : isIpv4(address);
}

/** In UTF-8. */
function byteLength(text: string): number {
  let count = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    count += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return count;
}
