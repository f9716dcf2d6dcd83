import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type BuiltTool } from "./built.ts";

interface Column {
  readonly [fact: string]: unknown;
  readonly numbers: unknown;
  readonly top: unknown;
}

let all: Awaited<ReturnType<typeof buildAll>>;
before(async () => {
  all = await buildAll();
});
after(() => all[Symbol.asyncDispose]());

describe("data_from_csv", () => {
  let read: BuiltTool;
  before(async () => {
    read = await all.tool("data/from_csv");
  });

  const table: { name: string; args: Record<string, unknown>; rows: unknown[] }[] = [
    {
      name: "types a column as a whole",
      args: { csv: "a,b,c\n1,x,true\n2.5,7,FALSE\n" },
      rows: [
        { a: 1, b: "x", c: true },
        { a: 2.5, b: "7", c: false },
      ],
    },
    {
      name: "keeps leading zeros and numbers too long to be exact",
      args: { csv: "id,n\n007,12345678901234567890\n" },
      rows: [{ id: "007", n: "12345678901234567890" }],
    },
    {
      name: "makes null of an empty cell",
      args: { csv: "a,b\n1,\n,x\n" },
      rows: [
        { a: 1, b: null },
        { a: null, b: "x" },
      ],
    },
    { name: "leaves text as it is when asked", args: { csv: "a,b\n1,\n", types: false }, rows: [{ a: "1", b: "" }] },
    {
      name: "reads quotes, line ends and delimiters inside cells",
      args: { csv: 'a,b\r\n"x, ""y""\r\nz",2\r\n' },
      rows: [{ a: 'x, "y"\r\nz', b: 2 }],
    },
    { name: "finds out the delimiter", args: { csv: "a;b\n1,5;x\n" }, rows: [{ a: "1,5", b: "x" }] },
    { name: "takes tabs", args: { csv: "a\tb\n1\t2" }, rows: [{ a: 1, b: 2 }] },
    {
      name: "names columns where there is no header",
      args: { csv: "1,x\n2,y", header: false },
      rows: [
        { column_1: 1, column_2: "x" },
        { column_1: 2, column_2: "y" },
      ],
    },
    {
      name: "tells apart columns of one name and those of none",
      args: { csv: "a,a,,a_2\n1,2,3,4" },
      rows: [{ a: 1, a_2: 2, column_3: 3, a_2_2: 4 }],
    },
    { name: "passes over a byte order mark and empty lines", args: { csv: "\uFEFFa\n\n1\n\n" }, rows: [{ a: 1 }] },
    { name: "reads a lone carriage return as a line end", args: { csv: "a\r1\r2" }, rows: [{ a: 1 }, { a: 2 }] },
    { name: "gives no rows for a header alone", args: { csv: "a,b\n" }, rows: [] },
  ];
  for (const { name, args, rows } of table) test(name, () => assert.deepEqual(read.call(args).payload.rows, rows));

  test("its text is JSON", () => assert.deepEqual(JSON.parse(read.call({ csv: "a\n1\n2" }).text), [{ a: 1 }, { a: 2 }]));

  test("a column named __proto__ is a column", () => {
    assert.equal(read.call({ csv: "__proto__,b\n1,2" }).text, '[\n{"__proto__":1,"b":2}\n]');
  });

  test("says on which line the CSV is wrong", () => {
    assert.match(read.refusal({ csv: 'a,b\n"x\ny",1\n1,2,3' }), /Line 4 of the CSV has 3 cells where the header has 2/);
    assert.match(read.refusal({ csv: 'a,b\n1,"x' }), /quote opened on line 2/);
    assert.match(read.refusal({ csv: 'a,b\n"x"y,1' }), /Line 2 .*right after a closing quote/);
    assert.match(read.refusal({ csv: "a", delimiter: '"' }), /"delimiter" cannot be a quote/);
  });

  test("notes rows that are too short", () => assert.match(read.call({ csv: "a,b\n1\n2,3" }).text, /^1 of 2 rows are shorter/));

  test("a long header over many short rows is refused before it fills memory", () => {
    assert.match(read.refusal({ csv: `${"a,".repeat(100_000)}\n${"1\n".repeat(100_000)}` }), /more than 5000000 cells/);
  });
});

describe("data_to_csv", () => {
  let write: BuiltTool;
  let read: BuiltTool;
  before(async () => {
    [write, read] = await Promise.all([all.tool("data/to_csv"), all.tool("data/from_csv")]);
  });

  test("quotes what needs it, and leaves the rest alone", () => {
    assert.equal(
      write.call({ rows: [{ a: 'x "y"', b: "p,q", c: " pad", d: null, e: 1.5, f: { g: [1] } }] }).payload.csv,
      'a,b,c,d,e,f\n"x ""y""","p,q"," pad",,1.5,"{""g"":[1]}"\n',
    );
  });

  test("takes the columns asked for, and rows that are arrays", () => {
    assert.equal(write.call({ rows: [{ a: 1, b: 2 }, { b: 3 }], columns: ["b", "z"] }).payload.csv, "b,z\n2,\n3,\n");
    assert.equal(write.call({ rows: [[1, 2]], columns: ["x", "y"], delimiter: ";", line_end: "crlf" }).payload.csv, "x;y\r\n1;2\r\n");
    assert.equal(write.call({ rows: [{ a: 1 }], header: false }).payload.csv, "1\n");
  });

  test("warns of cells that a spreadsheet runs, and defuses them when asked; numbers are no formulas", () => {
    const rows = [{ a: "=1+1", b: "@x", c: -5 }];
    assert.match(write.call({ rows }).text, /^Note: 2 cells start with/);
    assert.equal(write.call({ rows, escape_formulas: true }).payload.csv, "a,b,c\n'=1+1,'@x,-5\n");
  });

  test("what is written is read back the same", () => {
    const parts = ["", "a", '"', ",", "\n", "\r\n", "é👍", " ", ";", "'", "=1", "\t", "x".repeat(50)];
    let seed = 42;
    const pick = (): string => parts[(seed = (seed * 1103515245 + 12345) % 2147483648) % parts.length] ?? "";
    for (let round = 0; round < 200; round += 1) {
      const width = 1 + (round % 4);
      const rows = Array.from({ length: 1 + (round % 5) }, () =>
        Object.fromEntries(Array.from({ length: width }, (_, index) => [`c${index}`, pick() + pick() + pick()])),
      );
      const { csv } = write.call({ rows, line_end: round % 2 === 0 ? "lf" : "crlf" }).payload;
      assert.deepEqual(read.call({ csv: String(csv), delimiter: ",", types: false }).payload.rows, rows);
    }
  });

  test("refuses rows of two forms", () => assert.match(write.refusal({ rows: [[1], { a: 1 }] }), /mixes objects and arrays/));
});

describe("data_summary", () => {
  let summary: BuiltTool;
  before(async () => {
    summary = await all.tool("data/summary");
  });

  test("describes each column of a CSV", () => {
    const csv = "n,t,d,b,e\n2,a,2026-01-01,true,\n4,a,2026-02-01,false,\n4,b,2025-01-01,true,\n6,,2025-01-01,,";
    const { columns } = summary.call({ csv }).payload as { columns: Column[] };
    assert.deepEqual(
      columns.map(({ name, type, count, missing, distinct, min, max }) => [name, type, count, missing, distinct, min, max]),
      [
        ["n", "number", 4, 0, 3, 2, 6],
        ["t", "text", 3, 1, 2, null, null],
        ["d", "date", 4, 0, 3, "2025-01-01", "2026-02-01"],
        ["b", "boolean", 3, 1, 2, null, null],
        ["e", "empty", 0, 4, 0, null, null],
      ],
    );
    assert.deepEqual(columns[0]?.numbers, { sum: 16, mean: 4, median: 4, stdev: Math.sqrt(8 / 3) });
    assert.deepEqual(columns[0]?.top, [
      { value: "4", count: 2 },
      { value: "2", count: 1 },
      { value: "6", count: 1 },
    ]);
  });

  test("describes JSON rows, whose keys may differ", () => {
    const { columns } = summary.call({ rows: [{ a: 1 }, { a: "x" }, { b: { c: 1 } }] }).payload as { columns: Column[] };
    assert.deepEqual(
      columns.map(({ name, type, missing }) => [name, type, missing]),
      [
        ["a", "mixed", 1],
        ["b", "nested", 2],
      ],
    );
  });

  test("stops counting a column of very many values", () => {
    const csv = `id\n${Array.from({ length: 120_000 }, (_, index) => `v${index}`).join("\n")}`;
    assert.match(summary.call({ csv }).text, /very many distinct/);
  });

  test("wants one table, in one form", () => {
    assert.match(summary.refusal({}), /either as "csv" or as "rows"/);
    assert.match(summary.refusal({ csv: "a", rows: [] }), /either as "csv" or as "rows"/);
  });
});
