import { stripVTControlCharacters } from "node:util";

// C0 but for tab and line feed, DEL, C1.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;
// Strings that a terminal swallows whole: DCS, SOS, OSC, PM, APC. Their eight-bit beginnings go as any control character
// does and take nothing with them: text that was badly decoded is full of those.
const TERMINAL_STRINGS = /\u001b[PX\]^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?/gu;
// Tag characters, but for those of a flag: three to six letters and digits between a black flag and their end.
const TAGS = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;

/**
 * A stranger's text as a model, a terminal or a log may have it: well-formed Unicode, no terminal sequences, no control
 * characters but tab and line feed, no invisible tag characters (a flag's own are kept).
 */
export function cleanText(text: string): string {
  let clean = text;
  if (CONTROL.test(clean)) clean = withoutControls(clean);
  if (!clean.isWellFormed()) clean = clean.toWellFormed();
  if (clean.includes("\udb40")) clean = clean.replace(TAGS, "$1");
  return clean;
}

/** One line of such a text, at most `chars` long. */
export function cleanLine(text: string, chars: number): string {
  const line = cleanText(text.length > chars * 4 ? text.slice(0, chars * 4) : text)
    .replace(/\s+/gu, " ")
    .trim();
  return line.length <= chars ? line : `${line.slice(0, chars - 1).toWellFormed()}…`;
}

function withoutControls(text: string): string {
  return stripVTControlCharacters(text.replace(TERMINAL_STRINGS, "")).replace(/\r\n?/gu, "\n").replace(CONTROLS, "");
}
