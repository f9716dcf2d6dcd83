import { apply, bareArray, charCodeAt, indexOf, isFinite, slice, toText } from "../../intrinsics.ts";
import { isAscii } from "../utf8.ts";
import { domainToAscii } from "../native.ts";
import { parseIpv6 } from "./ipv6.ts";
import { C0_CONTROL, hexValue, percentDecode, percentEncode } from "./percent.ts";

const toLowerCase = String.prototype.toLowerCase;
const FORBIDDEN = "\u0000\t\n\r #/:<>?@[\\]^|";
const LIMIT_32 = 2 ** 32;

/** A host as it is written in a URL (URL Standard, 3.5), or null where the text is none. */
export function parseHost(text: string, isOpaque: boolean): string | null {
  if (charCodeAt(text, 0) === 0x5b) {
    const address = charCodeAt(text, text.length - 1) === 0x5d ? parseIpv6(slice(text, 1, -1)) : null;
    return address === null ? null : `[${address}]`;
  }
  if (isOpaque) return hasForbidden(text, false) ? null : percentEncode(text, C0_CONTROL);
  const domain = toAscii(percentDecode(text));
  if (domain === "" || hasForbidden(domain, true)) return null;
  return endsInNumber(domain) ? parseIpv4(domain) : domain;
}

/** Plain ASCII is its own ToASCII in lower case, unless a label says of itself that it stands for something else. */
function toAscii(domain: string): string {
  if (!isAscii(domain)) {
    return hasSyntax(domain) ? "" : domainToAscii(domain);
  }
  const lower = apply(toLowerCase, domain, []);
  if (!hasPunycode(lower)) return lower;
  return hasForbidden(lower, true) ? "" : domainToAscii(lower);
}

// ASCII stays as it is, and what would be read as a part of a URL is forbidden. Only these two may still become something
// else: with a stroke behind them, which is a character of its own, they are one character past ASCII.
function hasSyntax(domain: string): boolean {
  for (let at = 0; at < domain.length; at += 1) {
    const character = domain[at] as string;
    if (character !== "<" && character !== ">" && hasForbidden(character, true)) return true;
  }
  return false;
}

function hasPunycode(domain: string): boolean {
  for (let at = indexOf(domain, "xn--"); at >= 0; at = indexOf(domain, "xn--", at + 1))
    if (at === 0 || charCodeAt(domain, at - 1) === 0x2e) return true;
  return false;
}

function hasForbidden(text: string, isDomain: boolean): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit > 0x7f) continue;
    if (isDomain && (unit <= 0x1f || unit === 0x25 || unit === 0x7f)) return true;
    if (indexOf(FORBIDDEN, text[at] as string) >= 0) return true;
  }
  return false;
}

function labelsOf(text: string): string[] {
  const labels: string[] = bareArray();
  let from = 0;
  for (let at = indexOf(text, "."); at >= 0; at = indexOf(text, ".", from)) {
    labels[labels.length] = slice(text, from, at);
    from = at + 1;
  }
  labels[labels.length] = slice(text, from);
  return labels;
}

function endsInNumber(domain: string): boolean {
  const labels = labelsOf(domain);
  if (labels[labels.length - 1] === "") {
    if (labels.length === 1) return false;
    labels.length -= 1;
  }
  const last = labels[labels.length - 1] as string;
  return isDigits(last) || parseNumber(last) !== null;
}

function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return text !== "";
}

// URL Standard, 3.5, "IPv4 number parser": decimal, 0x… and 0….
function parseNumber(text: string): number | null {
  if (text === "") return null;
  let radix = 10;
  let at = 0;
  if (text.length >= 2 && charCodeAt(text, 0) === 0x30) {
    radix = (charCodeAt(text, 1) | 0x20) === 0x78 ? 16 : 8;
    at = radix === 16 ? 2 : 1;
  }
  let value = 0;
  for (; at < text.length; at += 1) {
    const digit = hexValue(charCodeAt(text, at));
    if (digit < 0 || digit >= radix) return null;
    value = value * radix + digit;
  }
  return isFinite(value) ? value : LIMIT_32 ** 2;
}

function parseIpv4(domain: string): string | null {
  const labels = labelsOf(domain);
  if (labels[labels.length - 1] === "" && labels.length > 1) labels.length -= 1;
  if (labels.length > 4) return null;
  let address = 0;
  for (let at = 0; at < labels.length; at += 1) {
    const number = parseNumber(labels[at] as string);
    if (number === null) return null;
    const isLast = at === labels.length - 1;
    if (number >= (isLast ? 256 ** (5 - labels.length) : 256)) return null;
    address += isLast ? number : number * 256 ** (3 - at);
  }
  let text = toText(address % 256);
  for (let at = 1; at < 4; at += 1) {
    address = (address - (address % 256)) / 256;
    text = `${address % 256}.${text}`;
  }
  return text;
}
