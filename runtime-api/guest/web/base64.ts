import { WEB } from "../../../src/catalogue/texts.ts";
import { charCodeAt, toText } from "../intrinsics.ts";
import { DOMException } from "./dom-exception.ts";
import { assertArguments, installOperations } from "./interface.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const fromCharCode = String.fromCharCode;
// A text grows by pieces of this size, not by single characters.
const PIECE = 3072;

/** Puts atob and btoa (HTML Standard, 8.3) on the global object. */
export function installBase64(target: object): void {
  installOperations(target, {
    atob(data: unknown): string {
      assertArguments(arguments.length, 1, "atob");
      const text = decodeBase64(toText(data));
      if (text === null) throw new DOMException(WEB.notBase64, "InvalidCharacterError");
      return text;
    },
    btoa(data: unknown): string {
      assertArguments(arguments.length, 1, "btoa");
      return encode(toText(data));
    },
  });
}

function encode(text: string): string {
  let all = "";
  let piece = "";
  for (let at = 0; at < text.length; at += 3) {
    const bits = (byteAt(text, at) << 16) | (byteAt(text, at + 1) << 8) | byteAt(text, at + 2);
    const third = at + 1 < text.length ? DIGITS[(bits >> 6) & 63] : "=";
    const fourth = at + 2 < text.length ? DIGITS[bits & 63] : "=";
    piece += `${DIGITS[bits >> 18]}${DIGITS[(bits >> 12) & 63]}${third}${fourth}`;
    if (piece.length < PIECE) continue;
    all += piece;
    piece = "";
  }
  return all + piece;
}

function byteAt(text: string, at: number): number {
  const unit = at < text.length ? charCodeAt(text, at) : 0;
  if (unit > 0xff) throw new DOMException(WEB.notLatin1, "InvalidCharacterError");
  return unit;
}

/** Infra Standard, "forgiving-base64 decode": null where the text is malformed. */
export function decodeBase64(text: string): string | null {
  let digits = 0;
  let padding = 0;
  let bits = 0;
  let held = 0;
  let all = "";
  let piece = "";
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d) continue;
    if (unit === 0x3d) {
      padding += 1;
      continue;
    }
    const value = valueOf(unit);
    if (value < 0 || padding > 0) return null;
    digits += 1;
    bits = (bits << 6) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    piece += fromCharCode((bits >> held) & 0xff);
    bits &= (1 << held) - 1;
    if (piece.length < PIECE) continue;
    all += piece;
    piece = "";
  }
  const isPadded = padding === 0 || (padding <= 2 && (digits + padding) % 4 === 0);
  return isPadded && digits % 4 !== 1 ? all + piece : null;
}

function valueOf(unit: number): number {
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41;
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x47;
  if (unit >= 0x30 && unit <= 0x39) return unit + 4;
  if (unit === 0x2b) return 62;
  return unit === 0x2f ? 63 : -1;
}
