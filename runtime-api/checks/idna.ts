import { JOINS_NEXT, JOINS_PREVIOUS, JOINS_THROUGH, VIRAMA } from "./joining.ts";
import { decodePunycode, encodePunycode } from "./punycode.ts";

// IDNA2008: RFC 5890 to 5893. A label is at most 63 characters when it is looked at.

export const LABEL_CHARS = 63;

/** RFC 5892, 2.6: letters and marks that are what normalizing and folding makes of them, and the exceptions. */
const LETTER = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u;
const UNSTABLE = /^[\p{Changes_When_NFKC_Casefolded}\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]$/u;
const OLD_HANGUL = /^[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]$/u;
const IGNORED_BLOCK = /^[\u20d0-\u20ff\u{1d100}-\u{1d24f}]$/u;
const VALID_EXCEPTION = /^[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]$/u;
const INVALID_EXCEPTION = /^[\u302e\u302f\u0640\u07fa\u3031-\u3035\u303b]$/u;

const LEADING_MARK = /^\p{M}/u;
const KATAKANA_FELLOW = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const [ARABIC_DIGIT, EXTENDED_DIGIT] = [/[\u0660-\u0669]/u, /[\u06f0-\u06f9]/u];

/** A label that is not all ASCII, as it is read. Its length in ASCII is bounded too. */
export function isUnicodeLabel(label: string): boolean {
  if (label !== label.normalize("NFC") || !isSound(label)) return false;
  const codePoints = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  return `xn--${encodePunycode(codePoints)}`.length <= LABEL_CHARS;
}

/** What a label that begins with `xn--` stands for, or null where it is not how that is written. */
export function decodeLabel(label: string): string | null {
  const encoded = label.slice("xn--".length).toLowerCase();
  const codePoints = decodePunycode(encoded);
  if (codePoints === null || codePoints.every((codePoint) => codePoint < 128)) return null;
  if (codePoints.some((codePoint) => codePoint >= 0xd800 && codePoint <= 0xdfff)) return null;
  if (encodePunycode(codePoints) !== encoded) return null;
  return String.fromCodePoint(...codePoints);
}

/** RFC 5891, 4.2.3, without what concerns several labels at once. */
function isSound(label: string): boolean {
  const characters = Array.from(label);
  if (label.startsWith("-") || label.endsWith("-") || characters.slice(2, 4).join("") === "--" || LEADING_MARK.test(label)) return false;
  return characters.every((character, index) => isAllowed(character, index, characters));
}

function isAllowed(character: string, index: number, characters: readonly string[]): boolean {
  if (/^[a-z0-9-]$/.test(character) || VALID_EXCEPTION.test(character)) return true;
  const inContext = isInContext(character, index, characters);
  if (inContext !== null) return inContext;
  if (INVALID_EXCEPTION.test(character) || UNSTABLE.test(character) || OLD_HANGUL.test(character)) return false;
  return LETTER.test(character) && !IGNORED_BLOCK.test(character);
}

/** RFC 5892, appendix A: code points that depend on what stands beside them; null for all others. */
function isInContext(character: string, index: number, characters: readonly string[]): boolean | null {
  const [before = "", after = ""] = [characters[index - 1], characters[index + 1]];
  switch (character) {
    case "\u200c":
      return VIRAMA.test(before) || isBetweenJoining(index, characters);
    case "\u200d":
      return VIRAMA.test(before);
    case "\u00b7":
      return before === "l" && after === "l";
    case "\u0375":
      return /\p{Script=Greek}/u.test(after);
    case "\u05f3":
    case "\u05f4":
      return /\p{Script=Hebrew}/u.test(before);
    case "\u30fb":
      return characters.some((other) => other !== character && KATAKANA_FELLOW.test(other));
    default:
      if (ARABIC_DIGIT.test(character)) return !characters.some((other) => EXTENDED_DIGIT.test(other));
      if (EXTENDED_DIGIT.test(character)) return !characters.some((other) => ARABIC_DIGIT.test(other));
      return null;
  }
}

function isBetweenJoining(index: number, characters: readonly string[]): boolean {
  const before = characters.slice(0, index).findLast((character) => !JOINS_THROUGH.test(character)) ?? "";
  const after = characters.slice(index + 1).find((character) => !JOINS_THROUGH.test(character)) ?? "";
  return JOINS_NEXT.test(before) && JOINS_PREVIOUS.test(after);
}
