import assert from "node:assert/strict";
import { test } from "node:test";
import { toRatio } from "../../src/bench/ratio.ts";
import { toSpread, toTimes } from "../../src/bench/statistics.ts";
import { makeRow } from "./a-run.ts";

test("a spread is the median and the ends of the middle half, whatever the order", () => {
  assert.deepEqual(toSpread([5, 1, 4, 2, 3]), { median: 3, low: 2, high: 4 });
  assert.deepEqual(toSpread([4, 1]), { median: 2.5, low: 1.75, high: 3.25 });
  assert.deepEqual(toSpread([7]), { median: 7, low: 7, high: 7 });
});

test("what is handed in stays in its order", () => {
  const values = [3, 1, 2];
  toSpread(values);
  assert.deepEqual(values, [3, 1, 2]);
});

test("p95 and p99 reach up to the slowest, which is never left out", () => {
  const times = toTimes(Array.from({ length: 101 }, (_, index) => index));
  assert.deepEqual(times, { p50: 50, p95: 95, p99: 99 });
  assert.ok(toTimes([1, 1, 1, 1, 1000]).p99 > 900);
});

test("no values have no quantile", () => {
  assert.throws(() => toSpread([]), RangeError);
  assert.throws(() => toTimes([]), RangeError);
});

test("a ratio is taken round by round, so that what happens to both sides is in neither", () => {
  // The machine is three times as slow from one round to the next; the one side costs twice the other all the same.
  const rows = [makeRow("own", [20, 60, 22]), makeRow("floor", [10, 30, 11])];
  const ratio = toRatio(rows, { id: "x", figure: "p50", of: "own", against: ["floor"] });
  assert.deepEqual(ratio?.rounds, [2, 2, 2]);
  assert.deepEqual([ratio?.median, ratio?.low, ratio?.high], [2, 2, 2]);
});

test("of several others the ratio is against their sum", () => {
  const rows = [makeRow("own", [30]), makeRow("one", [10]), makeRow("two", [5])];
  assert.deepEqual(toRatio(rows, { id: "x", figure: "p50", of: "own", against: ["one", "two"] })?.rounds, [2]);
});

test("there is no ratio where a side is missing, or the system did not tell one round of it", () => {
  const rows = [makeRow("own", [20, 20], [1, null]), makeRow("floor", [10, 10])];
  assert.equal(toRatio(rows, { id: "x", figure: "p50", of: "own", against: ["nobody"] }), null);
  assert.equal(toRatio(rows, { id: "x", figure: "p50", of: "nobody", against: ["floor"] }), null);
  assert.equal(toRatio(rows, { id: "x", figure: "cpu", of: "own", against: ["floor"] }), null);
});
