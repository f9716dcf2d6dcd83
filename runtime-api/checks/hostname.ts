import { keepsDirection } from "./bidi.ts";
import { decodeLabel, isUnicodeLabel, LABEL_CHARS } from "./idna.ts";
import { encodePunycode } from "./punycode.ts";

const HOST_CHARS = 253;
const ASCII_LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const ENCODED = /^xn--/i;
const IDEOGRAPHIC_STOP = /[\u3002\uff0e\uff61]/g;
const NOT_ASCII = /[^\0-\x7f]/;

/** RFC 1123, section 2.1; a label that begins with `xn--` stands for one that IDNA allows. */
export function isHostname(text: string): boolean {
  if (text.length > HOST_CHARS || NOT_ASCII.test(text)) return false;
  return areLabels(text.split("."), false);
}

/** RFC 5890: labels as they are read or as they are sent. */
export function isIdnHostname(text: string): boolean {
  // In ASCII a label is no shorter than it has characters.
  if (text.length > 2 * HOST_CHARS) return false;
  const labels = text.replaceAll(IDEOGRAPHIC_STOP, ".").split(".");
  return areLabels(labels, true) && labels.map(toAscii).join(".").length <= HOST_CHARS;
}

function areLabels(labels: readonly string[], isInternational: boolean): boolean {
  const read: string[] = [];
  for (const label of labels) {
    const unicode = readLabel(label, isInternational);
    if (unicode === null) return false;
    read.push(unicode);
  }
  return keepsDirection(read);
}

/** A label as it is read, or null. */
function readLabel(label: string, isInternational: boolean): string | null {
  if (NOT_ASCII.test(label)) return isUnicodeLabel(label) ? label : null;
  if (label.length > LABEL_CHARS || !ASCII_LABEL.test(label)) return null;
  if (ENCODED.test(label)) {
    const decoded = decodeLabel(label);
    return decoded !== null && isUnicodeLabel(decoded) ? decoded : null;
  }
  // IDNA keeps names with two hyphens there for itself.
  return isInternational && label.slice(2, 4) === "--" ? null : label.toLowerCase();
}

function toAscii(label: string): string {
  if (!NOT_ASCII.test(label)) return label;
  return `xn--${encodePunycode(Array.from(label, (character) => character.codePointAt(0) ?? 0))}`;
}
