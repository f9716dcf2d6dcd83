import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { toRows, toTable } from "./_table.ts";

export const NAME = "data_from_csv";
export const DESCRIPTION =
  "Turn CSV (also with semicolons, tabs or bars) into JSON rows: an object for each row, its keys from the header.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    csv: { type: "string", description: "The CSV text, quoted as RFC 4180 has it." },
    header: {
      type: "boolean",
      default: true,
      description: "The first row names the columns. If not, they are column_1, column_2 and so on.",
    },
    delimiter: {
      type: "string",
      minLength: 1,
      maxLength: 1,
      description: "What stands between cells. Default: the likeliest of comma, semicolon, tab and bar.",
    },
    types: {
      type: "boolean",
      default: true,
      description: "Make numbers, true/false and null of columns that hold nothing else. If not, every cell stays text.",
    },
  },
  required: ["csv"],
  additionalProperties: false,
} as const;

interface Args {
  readonly csv: string;
  readonly header?: boolean;
  readonly delimiter?: string;
  readonly types?: boolean;
}

export function run(_context: ToolContext, { csv, header = true, delimiter, types = true }: Args): ToolResult {
  if (delimiter !== undefined && /["\r\n]/.test(delimiter))
    throw new ToolError('"delimiter" cannot be a quote or a line end. Use one such as "," or ";".');
  const table = toTable(csv, { header, delimiter, types });
  const rows = toRows(table);
  const text = rows.length === 0 ? "[]" : `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
  return {
    text: [...table.notes, text].join("\n"),
    summary: `Rows: ${table.rowCount}, columns: ${table.columns.length}`,
    payload: { columns: table.columns, rows, notes: table.notes },
  };
}
