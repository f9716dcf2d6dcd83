import { charCodeAt, fromCharCodes, indexOf } from "./intrinsics.ts";

const GuestUint8Array = Uint8Array;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Bytes as base64url without padding (RFC 7515, 2). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = at + 2 < bytes.length ? 4 : bytes.length - at + 1;
    for (let digit = 0; digit < digits; digit += 1) text += fromCharCodes(charCodeAt(DIGITS, (three >> (18 - 6 * digit)) & 63));
  }
  return text;
}

/** The bytes of a base64url text, or null where it is none. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 === 1) return null;
  const bytes = new GuestUint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = indexOf(DIGITS, text[at] as string);
    if (digit < 0) return null;
    held = ((held << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[end] = (held >> bits) & 0xff;
    end += 1;
  }
  return bytes;
}
