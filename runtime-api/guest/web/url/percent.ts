import { charCodeAt, fromCharCodes, indexOf, slice } from "../../intrinsics.ts";
import { bytesOf } from "../bytes.ts";
import { decodeUtf8, isAscii } from "../utf8.ts";

/** What is percent-encoded besides control characters and all past ASCII (URL Standard, 1.3), by ASCII code. */
export type EncodeSet = Uint8Array;

const GuestUint8Array = Uint8Array;
const HEX = "0123456789ABCDEF";

export const C0_CONTROL = toSet("");
export const FRAGMENT = toSet(' "<>`');
export const QUERY = toSet(' "#<>');
export const SPECIAL_QUERY = toSet(" \"#<>'");
export const PATH = toSet(' "#<>?^`{}');
export const USERINFO = toSet(' "#<>?^`{}/:;=@[\\]|');

/** UTF-8 percent-encodes a text, whose half characters count as U+FFFD. */
export function percentEncode(text: string, set: EncodeSet): string {
  let encoded = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit < 0x80 && set[unit] === 0) continue;
    encoded += slice(text, from, at);
    const next = unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length ? charCodeAt(text, at + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) {
      encoded += encodePoint(0x1_0000 + ((unit & 0x3ff) << 10) + (next & 0x3ff));
      at += 1;
    } else encoded += encodePoint(unit >= 0xd800 && unit <= 0xdfff ? 0xfffd : unit);
    from = at + 1;
  }
  return from === 0 ? text : encoded + slice(text, from);
}

/** The text that percent-encoded bytes stand for as UTF-8. What is malformed becomes U+FFFD. */
export function percentDecode(text: string): string {
  if (isAscii(text) && indexOf(text, "%") < 0) return text;
  const bytes = percentDecodeBytes(percentEncode(text, C0_CONTROL));
  return isAscii(bytes) ? bytes : decodeUtf8(bytesOf(bytes));
}

/** The bytes that an ASCII text stands for, as a Latin-1 text. */
export function percentDecodeBytes(ascii: string): string {
  let bytes = "";
  let from = 0;
  for (let at = 0; at + 2 < ascii.length; at += 1) {
    if (charCodeAt(ascii, at) !== 0x25) continue;
    const high = hexValue(charCodeAt(ascii, at + 1));
    const low = hexValue(charCodeAt(ascii, at + 2));
    if (high < 0 || low < 0) continue;
    bytes += slice(ascii, from, at) + fromCharCodes(high * 16 + low);
    at += 2;
    from = at + 1;
  }
  return bytes + slice(ascii, from);
}

/** The value of a hexadecimal digit, -1 for any other character. */
export function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function encodePoint(point: number): string {
  if (point < 0x80) return encodeByte(point);
  if (point < 0x800) return encodeByte(0xc0 | (point >> 6)) + encodeByte(0x80 | (point & 0x3f));
  const tail = encodeByte(0x80 | ((point >> 6) & 0x3f)) + encodeByte(0x80 | (point & 0x3f));
  return point < 0x1_0000
    ? encodeByte(0xe0 | (point >> 12)) + tail
    : encodeByte(0xf0 | (point >> 18)) + encodeByte(0x80 | ((point >> 12) & 0x3f)) + tail;
}

function encodeByte(byte: number): string {
  return `%${HEX[byte >> 4]}${HEX[byte & 15]}`;
}

function toSet(characters: string): EncodeSet {
  const set = new GuestUint8Array(0x80);
  for (let unit = 0; unit < 0x20; unit += 1) set[unit] = 1;
  set[0x7f] = 1;
  for (let at = 0; at < characters.length; at += 1) set[charCodeAt(characters, at)] = 1;
  return set;
}
