import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { describeColumn, type ColumnSummary } from "./_column.ts";
import { assertSize, toTable } from "./_table.ts";

export const NAME = "data_summary";
export const DESCRIPTION =
  "Describe a table given as CSV or as JSON rows: for each column its type, how many values are missing and distinct, " +
  "the smallest and largest, mean, median and standard deviation of numbers, and the most frequent values.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    csv: { type: "string", description: "The table as CSV with a header row. Give this or `rows`." },
    rows: { type: "array", items: { type: "object" }, description: "The table as JSON objects. Give this or `csv`." },
    delimiter: { type: "string", minLength: 1, maxLength: 1, description: "What stands between the cells of `csv`. Default: found out." },
    top: {
      type: "integer",
      minimum: 0,
      maximum: 50,
      default: 3,
      description: "How many of the most frequent values to list for each column.",
    },
  },
  additionalProperties: false,
} as const;

interface Args {
  readonly csv?: string;
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly delimiter?: string;
  readonly top?: number;
}

export function run(_context: ToolContext, { csv, rows, delimiter, top = 3 }: Args): ToolResult {
  if ((csv === undefined) === (rows === undefined)) throw new ToolError('Give the table either as "csv" or as "rows".');
  const table = rows ? toColumns(rows) : toTable(csv ?? "", { header: true, delimiter, types: true });
  const summaries = table.columns.map((name, index) => describeColumn(name, table.values[index] ?? [], top));
  const size = `Rows: ${table.rowCount}, columns: ${table.columns.length}`;
  return {
    text: [size, ...table.notes, ...summaries.map(toLine)].join("\n"),
    summary: size,
    payload: { rowCount: table.rowCount, notes: table.notes, columns: summaries },
  };
}

function toColumns(rows: readonly Readonly<Record<string, unknown>>[]): {
  columns: string[];
  rowCount: number;
  values: unknown[][];
  notes: string[];
} {
  const names = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) names.add(key);
  const columns = [...names];
  assertSize(columns.length, rows.length);
  const values = columns.map((name) => rows.map((row) => (Object.hasOwn(row, name) ? row[name] : null)));
  return { columns, rowCount: rows.length, values, notes: [] };
}

function toLine({ name, type, count, missing, distinct, min, max, numbers, top }: ColumnSummary): string {
  const facts = [
    `${count} values`,
    ...(missing > 0 ? [`${missing} missing`] : []),
    distinct === null ? "very many distinct" : `${distinct} distinct`,
    ...(min !== null ? [`from ${short(min)} to ${short(max)}`] : []),
    ...(numbers
      ? [`mean ${round(numbers.mean)}, median ${round(numbers.median)}, stdev ${numbers.stdev === null ? "-" : round(numbers.stdev)}`]
      : []),
  ];
  // Where every value is distinct, the most frequent ones say nothing.
  const frequent = top.filter(({ count: times }) => times > 1).map(({ value, count: times }) => `${short(value)} ${times}x`);
  return `- ${name} (${type}): ${facts.join(", ")}${frequent.length > 0 ? `; most frequent: ${frequent.join(", ")}` : ""}`;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

function short(value: unknown): string {
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
