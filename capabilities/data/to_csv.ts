import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { assertSize } from "./_table.ts";

export const NAME = "data_to_csv";
export const DESCRIPTION =
  "Turn JSON rows (objects, or arrays of cells) into CSV as RFC 4180 has it. Says where a spreadsheet would take a cell for a formula.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    rows: { type: "array", items: { type: ["object", "array"] }, description: "The rows: objects by column name, or arrays of cells." },
    columns: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description:
        "Which columns, in this order. Default: every key in the order in which it first occurs. With rows that are arrays: the header.",
    },
    delimiter: { type: "string", minLength: 1, maxLength: 1, default: ",", description: "What stands between cells." },
    header: { type: "boolean", default: true, description: "Write the column names as the first row." },
    line_end: { type: "string", enum: ["lf", "crlf"], default: "lf", description: "How lines end." },
    escape_formulas: {
      type: "boolean",
      default: false,
      description:
        "Put an apostrophe before text that starts with = + - @ tab or return, so that a spreadsheet shows it and does not run it.",
    },
  },
  required: ["rows"],
  additionalProperties: false,
} as const;

interface Args {
  readonly rows: readonly (readonly unknown[] | Readonly<Record<string, unknown>>)[];
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  readonly header?: boolean;
  readonly line_end?: "lf" | "crlf";
  readonly escape_formulas?: boolean;
}

export function run(_context: ToolContext, args: Args): ToolResult {
  const { delimiter = ",", header = true, line_end: lineEnd = "lf", escape_formulas: isEscaping = false } = args;
  if (/["\r\n]/.test(delimiter)) throw new ToolError('"delimiter" cannot be a quote or a line end. Use one such as "," or ";".');
  const { columns, records } = toRecords(args.rows, args.columns);

  let formulaCount = 0;
  const write = (value: unknown): string => {
    const cell = toCell(value);
    const isFormula = typeof value === "string" && /^[=+\-@\t\r]/.test(cell);
    if (isFormula) formulaCount += 1;
    return quote(isFormula && isEscaping ? `'${cell}` : cell, delimiter);
  };
  // A lone empty cell is quoted: as an empty line it would not be read again.
  const toLine = (cells: readonly unknown[]): string => cells.map(write).join(delimiter) || (cells.length === 1 ? '""' : "");
  const end = lineEnd === "crlf" ? "\r\n" : "\n";
  const csv = [...(header && columns.length > 0 ? [columns] : []), ...records].map((cells) => toLine(cells) + end).join("");

  const note =
    formulaCount > 0 && !isEscaping
      ? `Note: ${formulaCount === 1 ? "1 cell starts" : `${formulaCount} cells start`} with =, +, - or @, which a spreadsheet runs as a formula. If this is opened in one and the data is not yours, set "escape_formulas" to true.\n\n`
      : "";
  return {
    text: note + csv,
    summary: `Rows: ${records.length}, columns: ${columns.length}`,
    payload: { csv, columns, rowCount: records.length, formulaCount },
  };
}

function toRecords(
  rows: Args["rows"],
  wanted: readonly string[] | undefined,
): { columns: readonly string[]; records: (readonly unknown[])[] } {
  const arrays = rows.filter((row) => Array.isArray(row));
  if (arrays.length === rows.length && rows.length > 0) return { columns: wanted ?? [], records: arrays };
  if (arrays.length > 0) throw new ToolError('"rows" mixes objects and arrays. Give all rows in one form.');
  const keys = new Set<string>();
  if (wanted === undefined) for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  const columns = wanted ?? [...keys];
  assertSize(columns.length, rows.length);
  const records = rows.map((row) => columns.map((name) => (Object.hasOwn(row, name) ? Reflect.get(row, name) : null)));
  return { columns, records };
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function quote(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}
