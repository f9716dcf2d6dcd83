import { bareArray, charCodeAt, numberText } from "../../intrinsics.ts";
import { hexValue } from "./percent.ts";

const COLON = 0x3a;

/** An IPv6 address in its shortest form (URL Standard, 3.5), or null where the text is none. */
export function parseIpv6(text: string): string | null {
  const pieces = readPieces(text);
  return pieces === null ? null : serialize(pieces);
}

function readPieces(text: string): number[] | null {
  const pieces: number[] = bareArray();
  const unitAt = (index: number): number => (index < text.length ? charCodeAt(text, index) : -1);
  for (let piece = 0; piece < 8; piece += 1) pieces[piece] = 0;
  let count = 0;
  let compress = -1;
  let at = 0;
  if (unitAt(0) === COLON) {
    if (unitAt(1) !== COLON) return null;
    at = 2;
    count = 1;
    compress = 1;
  }
  while (at < text.length) {
    if (count === 8) return null;
    if (unitAt(at) === COLON) {
      if (compress >= 0) return null;
      at += 1;
      count += 1;
      compress = count;
      continue;
    }
    let value = 0;
    let length = 0;
    for (; length < 4 && hexValue(unitAt(at)) >= 0; length += 1) {
      value = value * 16 + hexValue(unitAt(at));
      at += 1;
    }
    if (unitAt(at) === 0x2e) {
      if (length === 0 || count > 6) return null;
      count = readIpv4(text, at - length, pieces, count);
      if (count < 0) return null;
      break;
    }
    if (unitAt(at) === COLON) {
      at += 1;
      if (at === text.length) return null;
    } else if (at < text.length) return null;
    pieces[count] = value;
    count += 1;
  }
  if (compress < 0) return count === 8 ? pieces : null;
  // What stands behind the gap moves to the end.
  for (let to = 7, left = count - compress; to > 0 && left > 0; to -= 1, left -= 1) {
    const from = compress + left - 1;
    const moved = pieces[from] as number;
    pieces[from] = pieces[to] as number;
    pieces[to] = moved;
  }
  return pieces;
}

// Four decimal numbers at the end. Gives the count of pieces after them, -1 where they are malformed.
function readIpv4(text: string, from: number, pieces: number[], at: number): number {
  let count = at;
  let seen = 0;
  for (let index = from; index < text.length;) {
    if (seen > 0) {
      if (charCodeAt(text, index) !== 0x2e || seen >= 4) return -1;
      index += 1;
    }
    let value = -1;
    for (; index < text.length; index += 1) {
      const digit = charCodeAt(text, index) - 0x30;
      if (digit < 0 || digit > 9) break;
      if (value === 0) return -1;
      value = value < 0 ? digit : value * 10 + digit;
      if (value > 255) return -1;
    }
    if (value < 0) return -1;
    pieces[count] = (pieces[count] as number) * 256 + value;
    seen += 1;
    if (seen === 2 || seen === 4) count += 1;
  }
  return seen === 4 ? count : -1;
}

function serialize(pieces: readonly number[]): string {
  let longest = 1;
  let gap = -1;
  for (let at = 0; at < 8; at += 1) {
    let end = at;
    while (end < 8 && pieces[end] === 0) end += 1;
    if (end - at > longest) {
      longest = end - at;
      gap = at;
    }
    if (end > at) at = end;
  }
  let text = "";
  for (let at = 0; at < 8; at += 1) {
    if (at === gap) {
      text += at === 0 ? "::" : ":";
      at += longest - 1;
      continue;
    }
    text += numberText(pieces[at] ?? 0, 16);
    if (at < 7) text += ":";
  }
  return text;
}
