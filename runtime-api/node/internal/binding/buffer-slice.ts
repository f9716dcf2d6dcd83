type Slice = (buffer: Uint8Array, start?: number, end?: number) => string;

/** So many units `String.fromCharCode` takes at once without troubling the stack. */
const UNITS = 8192;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FOR_URLS = `${STANDARD.slice(0, 62)}-_`;

export const latin1Slice: Slice = slicer((bytes) => fromUnits(bytes));
export const asciiSlice: Slice = slicer((bytes) => fromUnits(bytes.map((byte) => byte & 0x7f)));
export const hexSlice: Slice = slicer((bytes) => {
  let text = "";
  for (const byte of bytes) text += HEX[byte] ?? "";
  return text;
});
export const ucs2Slice: Slice = slicer((bytes) => {
  const units = new Uint16Array(bytes.length >> 1);
  for (let at = 0; at < units.length; at += 1) units[at] = (bytes[at * 2] ?? 0) | ((bytes[at * 2 + 1] ?? 0) << 8);
  return fromUnits(units);
});
export const base64Slice: Slice = slicer((bytes) => toBase64(bytes, STANDARD, "="));
export const base64urlSlice: Slice = slicer((bytes) => toBase64(bytes, FOR_URLS, ""));
export const utf8Slice: Slice = slicer(fromUtf8);

function slicer(read: (bytes: Uint8Array) => string): Slice {
  return (buffer, start = 0, end = buffer.length) => {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    return read(bytes.subarray(Math.min(start, bytes.length), Math.min(end, bytes.length)));
  };
}

function fromUnits(units: Uint8Array | Uint16Array, length = units.length): string {
  let text = "";
  for (let at = 0; at < length; at += UNITS) {
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(at, Math.min(at + UNITS, length)));
  }
  return text;
}

function toBase64(bytes: Uint8Array, alphabet: string, pad: string): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += alphabet.charAt(bits >> 18) + alphabet.charAt((bits >> 12) & 63);
    text += second === undefined ? pad : alphabet.charAt((bits >> 6) & 63);
    text += third === undefined ? pad : alphabet.charAt(bits & 63);
  }
  return text;
}

/** As the Encoding Standard has it: each longest beginning of a character that does not go on is one U+FFFD. */
function fromUtf8(bytes: Uint8Array): string {
  const units = new Uint16Array(bytes.length);
  let to = 0;
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    at += 1;
    if (lead < 0x80) {
      units[to++] = lead;
      continue;
    }
    const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    let isRight = lead >= 0xc2 && lead <= 0xf4;
    let point = lead & (0x3f >> more);
    let [low, high] = secondOf(lead);
    for (let left = more; isRight && left > 0; left -= 1) {
      const byte = bytes[at] ?? 0;
      isRight = at < bytes.length && byte >= low && byte <= high;
      if (!isRight) break;
      point = (point << 6) | (byte & 0x3f);
      [low, high] = [0x80, 0xbf];
      at += 1;
    }
    if (!isRight) units[to++] = 0xfffd;
    else if (point < 0x10000) units[to++] = point;
    else {
      units[to++] = 0xd7c0 + (point >> 10);
      units[to++] = 0xdc00 | (point & 0x3ff);
    }
  }
  return fromUnits(units, to);
}

/** What the second byte may be: neither overlong forms nor surrogates nor what is past U+10FFFF. */
function secondOf(lead: number): [low: number, high: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
