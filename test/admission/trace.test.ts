import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, mapOf, splitPrinted, withMap } from "../../src/admission/bundle-map.ts";
import { traceStack } from "../../src/admission/trace.ts";

const printed = (map: unknown): string =>
  `code();\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}\n`;
const frame = (line: number, column: number): string => `    at run (capability.js:${line}:${column})`;

test("a map stands behind a bundle's code and apart from it", () => {
  const split = splitPrinted(printed({ version: 3, sources: ["capability:a.ts"], mappings: "AAAA", names: [] }));
  const stored = withMap(`before\n${split.code}after\n`, split);
  assert.equal(codeOf(stored), "before\ncode();\nafter\n");
  assert.deepEqual(mapOf(stored), { leadingLines: 1, sources: ["capability:a.ts"], mappings: "AAAA" });
});

test("what looks like a map in a package's own text is its text", () => {
  for (const text of ["a();\n", "const x = `\n//# map={}\n`;\nb();\n", "//# map={}\nc();\n"]) {
    assert.equal(codeOf(text), text);
    assert.equal(mapOf(text), null);
  }
  const own = "const x = `\n//# sourceMappingURL=data:application/json;base64,e30=\n`;\n";
  const split = splitPrinted(`${own}${printed({ sources: [], mappings: "" })}`);
  assert.equal(split.code, `${own}code();\n`);
});

test("a frame leads to the last piece of code that begins before it", () => {
  // Line 1: column 0 is line 1 of a.ts, column 4 is nothing's, column 8 is line 17, column 3 of b.ts.
  const map = { leadingLines: 1, sources: ["capability:a.ts", "toolcell:b.js"], mappings: ";AAAA,I,ICgBE" };
  assert.equal(
    traceStack(["Error: x", frame(3, 1), frame(3, 4), frame(3, 12)].join("\n"), "demo", map),
    ["Error: x", "    at run (demo/a.ts:1:1)", "    at run (demo/a.ts:1:1)", "    at run (toolcell:b.js:17:3)"].join("\n"),
  );
  assert.equal(traceStack([frame(3, 6), frame(2, 1), frame(1, 1), frame(9, 9)].join("\n"), "demo", map), "");
});

test("a damaged map makes no harm but frames that are left out or lead elsewhere", () => {
  for (const mappings of ["", ";;;;", "!!!!", "AAA", "gggggggggggggggggggg", "A,,,;,A", "\u{1f600};AAAA", "////////////////////"]) {
    const told = traceStack(`Error: x\n${frame(1, 1)}\n${frame(2, 5)}`, "demo", { leadingLines: 0, sources: [], mappings });
    assert.match(told, /^Error: x(?:\n +at run \([^()]*\))*$/);
  }
});
