import { ToolError } from "toolcell/tool";
import { readCsv } from "./_csv-read.ts";

export type Cell = string | number | boolean | null;

/** A table by columns: every column as long as there are rows. */
export interface Table {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly values: readonly (readonly Cell[])[];
  /** What was mended, as sentences. */
  readonly notes: readonly string[];
}

export interface CsvOptions {
  readonly header: boolean;
  readonly delimiter: string | undefined;
  /** Turn a column whose every cell is a number, or true/false, into that; an empty cell into null. */
  readonly types: boolean;
}

export function toTable(csv: string, { header, delimiter, types }: CsvOptions): Table {
  const { records, delimiter: separator } = readCsv(csv, delimiter);
  const first = records[0];
  if (first === undefined) return { columns: [], rowCount: 0, values: [], notes: ["The CSV is empty."] };
  const body = header ? records.slice(1) : records;
  const width = header ? first.cells.length : records.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const tooLong = body.find(({ cells }) => cells.length > width);
  if (tooLong) {
    throw new ToolError(
      `Line ${tooLong.line} of the CSV has ${tooLong.cells.length} cells where the header has ${width}. Quote cells that contain the delimiter, or set "delimiter" (now ${JSON.stringify(separator)}).`,
    );
  }
  assertSize(width, body.length);
  const shortCount = body.filter(({ cells }) => cells.length < width).length;
  const notes =
    shortCount > 0 ? [`${shortCount} of ${body.length} rows are shorter than the table; the missing cells are taken as empty.`] : [];
  const columns = header ? toUniqueNames(first.cells) : Array.from({ length: width }, (_, index) => `column_${index + 1}`);
  const values = columns.map((_, index) => {
    const cells = body.map((record) => record.cells[index] ?? "");
    return types ? toTyped(cells) : cells;
  });
  return { columns, rowCount: body.length, values, notes };
}

const MOST_CELLS = 5_000_000;

/** A long header over many short rows, or rows that share no key, make a table far larger than the text it comes from. */
export function assertSize(columnCount: number, rowCount: number): void {
  if (columnCount * rowCount <= MOST_CELLS) return;
  throw new ToolError(
    `The table would have ${columnCount} columns and ${rowCount} rows, more than ${MOST_CELLS} cells. Give fewer rows or columns.`,
  );
}

/** The rows of a table as objects; a column named `__proto__` is a property like any other. */
export function toRows(table: Table): Readonly<Record<string, Cell>>[] {
  return Array.from({ length: table.rowCount }, (_, row) =>
    Object.fromEntries(table.columns.map((name, column) => [name, table.values[column]?.[row] ?? null])),
  );
}

/** An empty name becomes `column_3`, a second `total` becomes `total_2`. */
function toUniqueNames(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return cells.map((cell, index) => {
    const wanted = cell.trim() || `column_${index + 1}`;
    let count = counts.get(wanted) ?? 1;
    let name = wanted;
    while (taken.has(name)) name = `${wanted}_${(count += 1)}`;
    counts.set(wanted, count);
    taken.add(name);
    return name;
  });
}

/**
 * A column has one type, so that one odd cell does not make every other row differ. `007` and a number too long to be
 * exact stay text: as numbers they would lose what they say.
 */
function toTyped(cells: readonly string[]): Cell[] {
  const filled = cells.filter((cell) => cell.trim() !== "");
  const orNull = (convert: (cell: string) => Cell) => (cell: string) => (cell.trim() === "" ? null : convert(cell));
  if (filled.length > 0 && filled.every(isExactNumber)) return cells.map(orNull(Number));
  if (filled.length > 0 && filled.every((cell) => /^(?:true|false)$/i.test(cell.trim()))) {
    return cells.map(orNull((cell) => cell.trim().toLowerCase() === "true"));
  }
  return cells.map((cell) => (cell === "" ? null : cell));
}

function isExactNumber(cell: string): boolean {
  const text = cell.trim();
  if (text.length > 40 || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) return false;
  return Number.isFinite(Number(text)) && text.replace(/[eE].*$|\D/g, "").length <= 15;
}
