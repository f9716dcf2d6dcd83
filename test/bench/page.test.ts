import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SAVED, toCallChart, withResults } from "../../bench/page.ts";
import { readRun } from "../../src/bench/run.ts";
import { makeRun } from "./a-run.ts";

const docs = (file: string): string => readFileSync(join(import.meta.dirname, "../../docs", file), "utf8");
const RUN = readRun(readFileSync(SAVED, "utf8"), SAVED);

test("docs/performance.md and its chart are made from the saved run", () => {
  const page = docs("performance.md");
  assert.equal(page, withResults(page, RUN));
  assert.equal(docs("performance.svg"), toCallChart(RUN));
});

test("the page tells what was left out, and everything that was measured", () => {
  const page = docs("performance.md");
  for (const { scope, rows, leftOut } of RUN.scopes) {
    assert.ok(page.includes(`### \`${scope}\``));
    for (const { name } of [...rows, ...leftOut]) assert.ok(page.includes(name), name);
  }
});

test("a page without a place for results is not written over", () => {
  assert.throws(() => withResults("# Something else", RUN), /no place for results/u);
});

test("a run without single calls has no chart", () => {
  assert.equal(toCallChart(makeRun([])), null);
});

test("what the page links to is there", () => {
  for (const [, link = ""] of docs("performance.md").matchAll(/\]\(([^)#]+)\)/gu))
    assert.ok(existsSync(join(import.meta.dirname, "../../docs", link)), link);
});
