import { parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";

export const NAME = "csv_parse";
export const DESCRIPTION = "CSV read at once, by a callback, and as a stream of records.";

export async function run() {
  const atOnce = parseAtOnce('name;age\n"Mia; M.";41\nBen;19\n', { columns: true, delimiter: ";", cast: true });
  const byCallback = await new Promise((resolve, reject) => {
    parse("a,b\nc,d\n", (error, records) => (error ? reject(error) : resolve(records)));
  });
  const streamed: unknown[] = [];
  const parser = parse({ from_line: 2 });
  parser.write("skipped,line\n1,");
  parser.end("2\n3,4\n");
  for await (const record of parser) streamed.push(record);
  return { atOnce, byCallback, streamed };
}
