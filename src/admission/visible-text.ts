import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { Constant } from "./literals.ts";

/**
 * Characters that show a reader something else than a model reads: controls (an escape can rewrite a terminal), the tag
 * characters that spell hidden letters, and the overrides and isolates that turn the direction of what follows.
 */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Cs}/u;

/** Of those, what no data needs either: the C0 controls and DEL are left out. */
const NEVER_SEEN = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\p{Cs}/u;

/** A constant that humans and models read: text, not too long, and nothing in it hidden. */
export function assertVisibleText(name: string, constant: Constant, maxChars: number): string {
  const { value, line } = constant;
  if (typeof value !== "string") throw new FileFault(ADMISSION.wrongType(name, "a string"), line);
  if (value.length > maxChars) throw new FileFault(ADMISSION.textChars(name, maxChars), line);
  if (value.trim() === "") throw new FileFault(ADMISSION.textEmpty(name), line);
  assertVisibleCharacters(name, value, line);
  return value;
}

/** Throws FileFault for text with a character in it that shows a reader something else than a model reads. */
export function assertVisibleCharacters(name: string, text: string, line: number | null = null): void {
  const found = HIDDEN.exec(text);
  if (found !== null) throw new FileFault(ADMISSION.hiddenText(name, toCodePointName(found[0])), line);
}

/** The same for data, which may hold a control such as a tab or an escape, and no character that is always hidden. */
export function assertNothingHidden(name: string, text: string): void {
  const found = NEVER_SEEN.exec(text);
  if (found !== null) throw new FileFault(ADMISSION.hiddenText(name, toCodePointName(found[0])), null);
}

/** A stranger's text inside a sentence of ours: short, and nothing in it hidden. */
export function quotable(text: string, maxChars = 80): string {
  const shown = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
  return shown.replace(new RegExp(HIDDEN.source, "gu"), (character) => `<${toCodePointName(character)}>`);
}

function toCodePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
