// RFC 3492, with the parameters of section 5.

const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
const [FIRST_BIAS, FIRST_CODE_POINT] = [72, 128];
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** What a label stands for in ASCII, without its `xn--`. */
export function encodePunycode(codePoints: readonly number[]): string {
  const basic = codePoints.filter((codePoint) => codePoint < FIRST_CODE_POINT);
  let text = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let [n, delta, bias, handled] = [FIRST_CODE_POINT, 0, FIRST_BIAS, basic.length];
  while (handled < codePoints.length) {
    const next = codePoints.reduce((least, codePoint) => (codePoint >= n && codePoint < least ? codePoint : least), Infinity);
    delta += (next - n) * (handled + 1);
    n = next;
    for (const codePoint of codePoints) {
      if (codePoint < n) delta += 1;
      if (codePoint !== n) continue;
      text += encodeNumber(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return text;
}

/** The code points that such a text stands for, or null where it stands for none. */
export function decodePunycode(text: string): readonly number[] | null {
  const end = text.lastIndexOf("-");
  const codePoints = Array.from(text.slice(0, Math.max(end, 0)), (character) => character.charCodeAt(0));
  let [n, index, bias, at] = [FIRST_CODE_POINT, 0, FIRST_BIAS, end + 1];
  while (at < text.length) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE, at += 1) {
      const digit = DIGITS.indexOf(text.charAt(at).toLowerCase());
      if (at >= text.length || digit === -1) return null;
      index += digit * weight;
      if (!Number.isSafeInteger(index)) return null;
      const threshold = toThreshold(k, bias);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    at += 1;
    bias = adapt(index - before, codePoints.length + 1, before === 0);
    n += Math.floor(index / (codePoints.length + 1));
    index %= codePoints.length + 1;
    if (n > 0x10ffff) return null;
    codePoints.splice(index, 0, n);
    index += 1;
  }
  return codePoints;
}

function encodeNumber(value: number, bias: number): string {
  let text = "";
  let left = value;
  for (let k = BASE; ; k += BASE) {
    const threshold = toThreshold(k, bias);
    if (left < threshold) return text + DIGITS.charAt(left);
    text += DIGITS.charAt(threshold + ((left - threshold) % (BASE - threshold)));
    left = Math.floor((left - threshold) / (BASE - threshold));
  }
}

function toThreshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, T_MIN), T_MAX);
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  left += Math.floor(left / count);
  let k = 0;
  for (; left > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) left = Math.floor(left / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * left) / (left + SKEW));
}
