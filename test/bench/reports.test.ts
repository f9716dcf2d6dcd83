import assert from "node:assert/strict";
import { test } from "node:test";
import { compareRuns } from "../../src/bench/compare.ts";
import { comparisonText, toAmount, toFigure, toPretty } from "../../src/bench/pretty.ts";
import { readRun, RunError, toJson } from "../../src/bench/run.ts";
import { makeRatio, makeRow, makeRun, makeScope } from "./a-run.ts";

const ROWS = [makeRow("warm call", [40, 44, 42], [50, 50, 50]), makeRow("bare floor", [20, 22, 21], [null, null, null])];
const RUN = makeRun([makeScope("call", [makeRatio("p50-floor", [2, 2.1, 1.9])], ROWS)]);

test("a run for people has its machine, its method, every row, every ratio with its spread, the load and what was left out", () => {
  const text = toPretty(RUN);
  for (const part of ["A machine", "node 24.0.0", "round by round", "== call", "0.50", "0.75", "Left out: Deno: it is not here"])
    assert.ok(text.includes(part), `${part} in:\n${text}`);
  assert.match(text, /warm call +42\.0 us +84\.0 us +126 us +50\.0 us +23810 +100\n/u);
  assert.match(text, /bare floor +21\.0 us .* - +47619 +100\n/u);
  assert.match(text, /warm call \/ bare floor, p50 +2\.00 +\(1\.95 to 2\.05\)/u);
});

test("a figure has the three digits that count, and a time the unit that keeps it short", () => {
  assert.deepEqual([123.4, 12.34, 1.234, 0.1234, 0.00123, 0, NaN].map(toFigure), ["123", "12.3", "1.23", "0.123", "0.00123", "0.00", "-"]);
  assert.deepEqual(
    [toAmount(12, "us"), toAmount(1200, "us"), toAmount(2e6, "us"), toAmount(18.1, "MiB")],
    ["12.0 us", "1.20 ms", "2.00 s", "18.1 MiB"],
  );
});

test("a saved run comes back as it was, in the digits that count", () => {
  const { machine, scopes } = readRun(toJson(RUN), "run.json");
  assert.deepEqual([machine, scopes[0]?.ratios[0]?.rounds, scopes[0]?.rows[0]?.times], [RUN.machine, [2, 2.1, 1.9], ROWS[0]?.times]);
  // A million in 42 of them: six digits are kept.
  assert.equal(scopes[0]?.rows[0]?.rounds[2]?.rate, 23_809.5);
});

test("what is no run is refused with its name", () => {
  const broken = ["", "[]", "null", "{}", '{"format":2,"machine":{},"scopes":[]}', '{"format":1,"machine":{},"scopes":[{}]}'];
  for (const text of broken)
    assert.throws(
      () => readRun(text, "some.json"),
      (error) => error instanceof RunError && error.message.includes('"some.json"'),
    );
  const ratio = JSON.stringify({ ...RUN, scopes: [{ ...RUN.scopes[0], ratios: [{ id: "x", median: null }] }] });
  assert.throws(() => readRun(ratio, "some.json"), RunError);
});

test("runs are compared by their ratios, and a change within the spread of both is told as such", () => {
  const saved = makeRun([makeScope("call", [makeRatio("a", [1, 1.1, 1.2]), makeRatio("b", [1, 1.01, 1.02]), makeRatio("gone", [1])])]);
  const now = makeRun([makeScope("call", [makeRatio("a", [1.1, 1.15, 1.3]), makeRatio("b", [2, 2.02, 2.04]), makeRatio("new", [1])])]);
  const { changes, onlySaved, onlyNow, isSameMachine } = compareRuns(saved, now);
  assert.deepEqual(
    changes.map(({ id, isBeyondSpread }) => [id, isBeyondSpread]),
    [
      ["a", false],
      ["b", true],
    ],
  );
  assert.equal(changes[1]?.change, 2);
  assert.deepEqual([onlySaved, onlyNow, isSameMachine], [["call gone"], ["call new"], true]);
});

test("times are in no comparison: a machine that is ten times as slow is no change", () => {
  const slow = makeRun([
    makeScope(
      "call",
      [makeRatio("p50-floor", [2, 2.1, 1.9])],
      ROWS.map(({ name }) => makeRow(name, [400, 440, 420])),
    ),
  ]);
  const [change] = compareRuns(RUN, slow).changes;
  assert.deepEqual([change?.change, change?.isBeyondSpread], [1, false]);
});

test("a scope that was not run again is not told as missing, and another machine is told", () => {
  const saved = makeRun([makeScope("call", [makeRatio("a", [1])]), makeScope("reload", [makeRatio("b", [1])])], "Another");
  const comparison = compareRuns(saved, makeRun([makeScope("call", [makeRatio("a", [1])])]));
  assert.deepEqual(comparison.onlySaved, []);
  assert.match(comparisonText(comparison), /another machine/u);
});
