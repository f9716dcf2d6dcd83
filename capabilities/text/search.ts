import type { ToolContext, ToolResult } from "toolcell/tool";
import { clipAround, toLines, type Lines } from "./_lines.ts";
import { compilePattern, type Pattern } from "./_pattern.ts";

export const NAME = "text_search";
export const DESCRIPTION =
  "Find every place in a text that matches a regular expression (RE2 syntax, no backtracking) or a fixed string. " +
  "Answers like grep: line, column, the line itself, and lines around it if asked.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string", description: "The text to search." },
    pattern: {
      type: "string",
      minLength: 1,
      maxLength: 2000,
      description: "A regular expression without look-around or back-references, or with `fixed` the text itself.",
    },
    flags: {
      type: "string",
      pattern: "^[ims]*$",
      maxLength: 3,
      default: "m",
      description: "`i` ignores case, `m` lets ^ and $ match at every line, `s` lets . match a line end.",
    },
    fixed: { type: "boolean", default: false, description: "Take `pattern` as it stands, not as a regular expression." },
    limit: { type: "integer", minimum: 1, maximum: 1000, default: 50, description: "The most matches to report." },
    context: { type: "integer", minimum: 0, maximum: 20, default: 0, description: "Lines to show before and after each match." },
  },
  required: ["text", "pattern"],
  additionalProperties: false,
} as const;

interface Args {
  readonly text: string;
  readonly pattern: string;
  readonly flags?: string;
  readonly fixed?: boolean;
  readonly limit?: number;
  readonly context?: number;
}

interface Match {
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly match: string;
  readonly groups: readonly (string | null)[];
}

export function run(
  _context: ToolContext,
  { text, pattern, flags = "m", fixed = false, limit = 50, context: around = 0 }: Args,
): ToolResult {
  const lines = toLines(text);
  const { matches, isCut } = findMatches(compilePattern(pattern, flags, fixed), text, lines, limit);
  if (matches.length === 0)
    return { text: `No match for "${pattern}" in ${lines.count} lines.`, summary: "No match", payload: { matches, isCut } };

  const found = `${isCut ? "At least " : ""}${matches.length} ${matches.length === 1 ? "match" : "matches"}`;
  const note = isCut ? `\nThere are more; raise "limit" or narrow the pattern.` : "";
  return { text: `${found}\n${toListing(matches, lines, around)}${note}`, summary: found, payload: { matches, isCut } };
}

function findMatches(pattern: Pattern, text: string, lines: Lines, limit: number): { matches: Match[]; isCut: boolean } {
  const matcher = pattern.matcher(text);
  const matches: Match[] = [];
  while (matcher.find()) {
    if (matches.length === limit) return { matches, isCut: true };
    const start = matcher.start();
    const line = lines.holding(start);
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? null);
    matches.push({
      line: line + 1,
      column: start - lines.startOf(line) + 1,
      start,
      end: matcher.end(),
      match: matcher.group() ?? "",
      groups,
    });
  }
  return { matches, isCut: false };
}

/** `12:5: the line` for a match, `13-  the line` for a line around one, `--` between places that do not touch. */
function toListing(matches: readonly Match[], lines: Lines, around: number): string {
  const listing: string[] = [];
  let next = 0; // The first line, counted from 0, that is not shown yet.
  matches.forEach((match, index) => {
    const at = match.line - 1;
    if (at >= next) {
      const from = Math.max(next, at - around);
      if (around > 0 && listing.length > 0 && from > next) listing.push("--");
      for (let line = from; line < at; line += 1) listing.push(toContextLine(lines, line));
    }
    listing.push(`${match.line}:${match.column}: ${clipAround(lines.at(at), match.column - 1, 200)}`);
    next = Math.max(next, at + 1);
    const following = matches[index + 1];
    const until = Math.min(lines.count - 1, at + around, following ? following.line - 2 : lines.count);
    for (let line = next; line <= until; line += 1) listing.push(toContextLine(lines, line));
    next = Math.max(next, until + 1);
  });
  return listing.join("\n");
}

function toContextLine(lines: Lines, index: number): string {
  return `${index + 1}-  ${clipAround(lines.at(index), 0, 200)}`;
}
