import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { KINDS, type KindName } from "./_kinds.ts";
import { toLines, type Lines } from "./_lines.ts";
import { compilePattern, type Pattern } from "./_pattern.ts";

export const NAME = "text_extract";
export const DESCRIPTION =
  "Pull values out of a text: e-mail addresses, URLs, numbers, dates, times, hashtags, mentions, IPv4 addresses and UUIDs by name, " +
  "or anything by a regular expression (RE2 syntax) whose named groups become fields.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string", description: "The text to read." },
    kinds: {
      type: "array",
      items: { type: "string", enum: ["emails", "urls", "numbers", "dates", "times", "hashtags", "mentions", "ipv4", "uuids"] },
      minItems: 1,
      maxItems: 9,
      description: "What to look for.",
    },
    pattern: {
      type: "string",
      minLength: 1,
      maxLength: 2000,
      description: "A regular expression of your own, such as `(?P<key>\\w+)=(?P<value>\\S+)`.",
    },
    flags: {
      type: "string",
      pattern: "^[ims]*$",
      maxLength: 3,
      default: "m",
      description: "For `pattern`: `i` ignores case, `m` lets ^ and $ match at every line, `s` lets . match a line end.",
    },
    unique: { type: "boolean", default: true, description: "Report a value once, with how often it occurs." },
    limit: { type: "integer", minimum: 1, maximum: 5000, default: 200, description: "The most values of each kind." },
  },
  required: ["text"],
  additionalProperties: false,
} as const;

interface Args {
  readonly text: string;
  readonly kinds?: readonly KindName[];
  readonly pattern?: string;
  readonly flags?: string;
  readonly unique?: boolean;
  readonly limit?: number;
}

interface Value {
  readonly value: string;
  /** The line of the first occurrence, counted from 1. */
  readonly line: number;
  count: number;
  readonly fields?: Readonly<Record<string, string | null>>;
}

interface Finding {
  readonly kind: string;
  readonly values: readonly Value[];
  readonly isCut: boolean;
}

export function run(_context: ToolContext, { text, kinds = [], pattern, flags = "m", unique = true, limit = 200 }: Args): ToolResult {
  if (kinds.length === 0 && pattern === undefined)
    throw new ToolError('Say what to extract: name "kinds", such as ["emails"], or give a "pattern".');
  const lines = toLines(text);
  const findings: Finding[] = [...new Set(kinds)].map((name) => {
    const kind = KINDS[name];
    return collect(name, compilePattern(kind.pattern, kind.flags, false), {
      text,
      lines,
      unique,
      limit,
      group: kind.group,
      clean: kind.clean,
    });
  });
  if (pattern !== undefined) {
    findings.push(
      collect("pattern", compilePattern(pattern, flags, false), { text, lines, unique, limit, group: 0, clean: (value) => value }),
    );
  }
  return {
    text: findings.map(toParagraph).join("\n\n"),
    summary: findings.map(({ kind, values, isCut }) => `${kind}: ${values.length}${isCut ? "+" : ""}`).join(", "),
    payload: Object.fromEntries(findings.map(({ kind, values, isCut }) => [kind, { values, isCut }])),
  };
}

interface Search {
  readonly text: string;
  readonly lines: Lines;
  readonly unique: boolean;
  readonly limit: number;
  readonly group: number;
  readonly clean: (value: string) => string | null;
}

function collect(kind: string, pattern: Pattern, search: Search): Finding {
  const matcher = pattern.matcher(search.text);
  const isNamed = Object.keys(pattern.namedGroups()).length > 0;
  const values: Value[] = [];
  const known = new Map<string, Value>();
  while (matcher.find()) {
    const value = search.clean(matcher.group(search.group) ?? "");
    if (value === null) continue;
    const earlier = search.unique ? known.get(value) : undefined;
    if (earlier !== undefined) {
      earlier.count += 1;
      continue;
    }
    if (values.length === search.limit) return { kind, values, isCut: true };
    const line = search.lines.holding(matcher.start(search.group)) + 1;
    const found: Value = { value, line, count: 1, ...(isNamed && { fields: { ...matcher.getNamedGroups() } }) };
    values.push(found);
    if (search.unique) known.set(value, found);
  }
  return { kind, values, isCut: false };
}

function toParagraph({ kind, values, isCut }: Finding): string {
  if (values.length === 0) return `${kind}: none`;
  const shown = values.map(
    ({ value, line, count, fields }) => `  ${fields ? JSON.stringify(fields) : value} (line ${line}${count > 1 ? `, ${count} times` : ""})`,
  );
  return `${kind}: ${values.length}${isCut ? ' or more; raise "limit" to see them' : ""}\n${shown.join("\n")}`;
}
