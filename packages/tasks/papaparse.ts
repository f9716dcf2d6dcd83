import Papa from "papaparse";

export const NAME = "papaparse";
export const DESCRIPTION = "CSV with quotes, line breaks inside them and numbers, read and written.";

const CSV = 'name,said,age\r\nMia,"one, two",41\r\nBen,"a ""word""\nand a line",19\r\n';

export function run() {
  const { data, errors, meta } = Papa.parse(CSV, { header: true, dynamicTyping: true, skipEmptyLines: true });
  return { data, errors: errors.length, fields: meta.fields, written: Papa.unparse([{ a: 1, b: "x,y" }]) };
}
