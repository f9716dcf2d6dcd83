import { ToolError } from "toolcell/tool";

export interface CsvRecord {
  /** The line on which the record starts, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads CSV as RFC 4180 has it, with any delimiter and any line end; empty lines are skipped. One pass over the text. */
export function readCsv(csv: string, delimiter: string | undefined): { records: CsvRecord[]; delimiter: string } {
  const text = csv.startsWith("\uFEFF") ? csv.slice(1) : csv;
  const separator = delimiter ?? guessDelimiter(text);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let startLine = 1;
  let at = 0;

  while (at < text.length) {
    const isQuoted = text[at] === '"';
    const openedOn = line;
    let cell: string;
    if (isQuoted) {
      const end = endOfQuoted(text, at);
      if (end === -1)
        throw new ToolError(
          `The quote opened on line ${openedOn} of the CSV is never closed. Close it, or double a quote that belongs to the text.`,
        );
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      line += countLineEnds(text, at, end);
      at = end + 1;
    } else {
      const end = endOfPlain(text, at, separator);
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell);

    const next = text[at];
    if (next === separator) {
      at += 1;
      if (at < text.length) continue;
      cells.push(""); // A delimiter at the very end: one more cell, and it is empty.
    } else if (next !== undefined && next !== "\n" && next !== "\r") {
      throw new ToolError(
        `Line ${line} of the CSV has text right after a closing quote. Double the quotes that belong to the text, or check "delimiter" (now ${JSON.stringify(separator)}).`,
      );
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    if (text[at] !== undefined) {
      at += 1;
      line += 1;
    }
    if (cells.length > 1 || cells[0] !== "" || isQuoted) records.push({ line: startLine, cells });
    cells = [];
    startLine = line;
  }
  return { records, delimiter: separator };
}

/** Where the quote that closes this one stands, or -1; a doubled quote stands for itself. */
function endOfQuoted(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}

function endOfPlain(text: string, start: number, separator: string): number {
  let at = start;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return at;
}

function countLineEnds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text[at] === "\n") count += 1;
  return count;
}

/** The candidate that occurs most often outside quotes in the first line; a comma where none does. */
function guessDelimiter(text: string): string {
  const counts = new Map([",", ";", "\t", "|"].map((candidate) => [candidate, 0]));
  let isInQuotes = false;
  for (const mark of text.slice(0, 10_000)) {
    if (mark === '"') isInQuotes = !isInQuotes;
    else if (mark === "\n" && !isInQuotes) break;
    else if (!isInQuotes && counts.has(mark)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return [...counts].reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0];
}
