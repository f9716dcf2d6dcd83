import { toLines } from "./_lines.ts";

export interface Characters {
  /** What a reader calls a character: an emoji with its skin tone is one. */
  readonly graphemes: number;
  readonly codePoints: number;
  readonly utf16: number;
  readonly utf8Bytes: number;
  readonly lines: number;
  readonly longestLine: { readonly number: number; readonly length: number; readonly text: string } | null;
}

export function countCharacters(text: string, locale: string): Characters {
  const segmenter = new Intl.Segmenter(locale, { granularity: "grapheme" });
  const lines = toLines(text);
  let graphemes = 0;
  let longestLine: Characters["longestLine"] = null;
  // No character crosses a line end, so each line is counted alone; a line of plain ASCII needs no segmenter.
  for (let index = 0; index < lines.count; index += 1) {
    const line = lines.at(index);
    const length = ASCII.test(line) ? line.length : countSegments(segmenter, line);
    graphemes += length;
    if (lines.startOf(index) + line.length < lines.startOf(index + 1)) graphemes += 1; // The line end, "\r\n" too, is one.
    if (length > (longestLine?.length ?? -1)) longestLine = { number: index + 1, length, text: line };
  }
  return { graphemes, ...countEncoded(text), utf16: text.length, lines: lines.count, longestLine };
}

const ASCII = /^[\t\x20-\x7e]*$/;

function countSegments(segmenter: Intl.Segmenter, line: string): number {
  let count = 0;
  for (const _ of segmenter.segment(line)) count += 1;
  return count;
}

function countEncoded(text: string): { codePoints: number; utf8Bytes: number } {
  let codePoints = 0;
  let utf8Bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0;
    codePoints += 1;
    utf8Bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (point >= 0x10000) at += 1;
  }
  return { codePoints, utf8Bytes };
}
