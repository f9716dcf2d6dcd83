/** Writes as much of a text as fits whole into `length` bytes; the answer is how many it took. */
export type Decode = (text: string, target: Uint8Array, offset: number, length: number) => number;

export const decodeLatin1: Decode = (text, target, offset, length) => {
  const count = Math.min(text.length, length);
  for (let at = 0; at < count; at += 1) target[offset + at] = text.charCodeAt(at);
  return count;
};

export const decodeUtf16: Decode = (text, target, offset, length) => {
  const count = Math.min(text.length, length >> 1);
  for (let at = 0; at < count; at += 1) {
    const unit = text.charCodeAt(at);
    target[offset + at * 2] = unit;
    target[offset + at * 2 + 1] = unit >> 8;
  }
  return count * 2;
};

export const decodeUtf8: Decode = (text, target, offset, length) => {
  const end = offset + length;
  let to = offset;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      if (to + 1 > end) break;
      target[to++] = unit;
      continue;
    }
    // Half a pair stands for nothing.
    const point = (unit & 0xf800) === 0xd800 ? pairAt(text, at) : unit;
    const bytes = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (to + bytes > end) break;
    if (bytes === 4) at += 1;
    if (bytes === 2) target[to++] = 0xc0 | (point >> 6);
    else {
      if (bytes === 3) target[to++] = 0xe0 | (point >> 12);
      else {
        target[to++] = 0xf0 | (point >> 18);
        target[to++] = 0x80 | ((point >> 12) & 0x3f);
      }
      target[to++] = 0x80 | ((point >> 6) & 0x3f);
    }
    target[to++] = 0x80 | (point & 0x3f);
  }
  return to - offset;
};

function pairAt(text: string, at: number): number {
  const point = text.codePointAt(at) ?? 0;
  return point > 0xffff ? point : 0xfffd;
}

/** Ends before the first pair of letters that is no byte. */
export const decodeHex: Decode = (text, target, offset, length) => {
  const count = Math.min(text.length >> 1, length);
  for (let at = 0; at < count; at += 1) {
    const high = hexDigit(text.charCodeAt(at * 2));
    const low = hexDigit(text.charCodeAt(at * 2 + 1));
    if (high < 0 || low < 0) return at;
    target[offset + at] = (high << 4) | low;
  }
  return count;
};

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SIX_BITS = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value += 1) SIX_BITS[ALPHABET.charCodeAt(value)] = value;
SIX_BITS["-".charCodeAt(0)] = 62;
SIX_BITS["_".charCodeAt(0)] = 63;

/** Both alphabets; what is no letter of either is passed over. */
export const decodeBase64: Decode = (text, target, offset, length) => {
  let bits = 0;
  let held = 0;
  let to = 0;
  for (let at = 0; at < text.length && to < length; at += 1) {
    // As Node does, which looks at the lower half of a unit alone.
    const unit = text.charCodeAt(at) & 0xff;
    const value = unit < 128 ? (SIX_BITS[unit] ?? -1) : -1;
    if (value < 0) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    target[offset + to] = held >> bits;
    to += 1;
  }
  return to;
};
