import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { clipAround } from "./_lines.ts";
import { countCharacters } from "./_characters.ts";
import { countWords } from "./_words.ts";

export const NAME = "text_stats";
export const DESCRIPTION =
  "Count a text: characters as people see them, code points, UTF-8 bytes, words, sentences, lines and paragraphs; " +
  "with the longest line, the reading time and the most frequent words. Works for every script.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string", description: "The text to count." },
    top: { type: "integer", minimum: 0, maximum: 100, default: 10, description: "How many of the most frequent words to list." },
    words_per_minute: {
      type: "integer",
      minimum: 50,
      maximum: 1000,
      default: 238,
      description: "Reading speed; 238 is the mean of adults reading English silently.",
    },
    locale: {
      type: "string",
      maxLength: 35,
      description: 'Language of the text as a BCP 47 tag, such as "th"; it tells where words end. Default: the host\'s.',
    },
  },
  required: ["text"],
  additionalProperties: false,
} as const;

interface Args {
  readonly text: string;
  readonly top?: number;
  readonly words_per_minute?: number;
  readonly locale?: string;
}

export function run(
  context: ToolContext,
  { text, top = 10, words_per_minute: speed = 238, locale = context.host.locale }: Args,
): ToolResult {
  assertLocale(locale);
  const characters = countCharacters(text, locale);
  const words = countWords(text, locale);
  const seconds = Math.round((words.count / speed) * 60);
  const topWords = words.mostFrequent(top);
  const { longestLine } = characters;

  const report = [
    `Characters: ${characters.graphemes} (${characters.codePoints} code points, ${characters.utf16} UTF-16 units, ${characters.utf8Bytes} bytes in UTF-8)`,
    `Words: ${words.count} (${words.distinct} distinct), sentences: ${words.sentences}`,
    `Lines: ${characters.lines}, paragraphs: ${words.paragraphs}`,
    ...(longestLine
      ? [`Longest line: number ${longestLine.number}, ${longestLine.length} characters: ${clipAround(longestLine.text, 0, 80)}`]
      : []),
    `Reading time: ${toDuration(seconds)} at ${speed} words a minute`,
    ...(topWords.length > 0
      ? [`Most frequent words: ${topWords.map(({ word, count }) => `${clipAround(word, 0, 30)} ${count}`).join(", ")}`]
      : []),
  ].join("\n");
  return {
    text: report,
    summary: `${words.count} words, ${characters.graphemes} characters, ${characters.lines} lines`,
    payload: {
      characters: characters.graphemes,
      codePoints: characters.codePoints,
      utf16Units: characters.utf16,
      utf8Bytes: characters.utf8Bytes,
      words: words.count,
      distinctWords: words.distinct,
      sentences: words.sentences,
      lines: characters.lines,
      paragraphs: words.paragraphs,
      longestLine: longestLine && { number: longestLine.number, length: longestLine.length },
      readingSeconds: seconds,
      topWords,
    },
  };
}

function assertLocale(locale: string): void {
  try {
    Intl.getCanonicalLocales(locale);
  } catch {
    throw new ToolError(`"locale" is "${locale}", which is no language tag. Use one such as "en" or "pt-BR".`);
  }
}

function toDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
