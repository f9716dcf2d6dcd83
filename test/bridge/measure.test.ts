import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { measureJson } from "../../src/bridge/measure.ts";
import { seededRandom, type Random } from "../support/random.ts";

const UNBOUNDED = { depth: Infinity, values: Infinity };

describe("a JSON text's depth", () => {
  for (const [json, depth] of [
    ["1", 0],
    ['"[[["', 0],
    ["[]", 1],
    ['{"a":[{}]}', 3],
    ["[[],[[]],[]]", 3],
    ['["\\"[[",[1]]', 2],
    ['["\\\\",[1]]', 2],
    ['["\\\\\\"[",1]', 1],
    ['{"[":1}', 1],
  ] as const) {
    test(`of ${json} is ${depth}`, () => assert.equal(measureJson(json, UNBOUNDED).depth, depth));
  }
});

test("never tells less of a JSON text than there is, and at most twice its values", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 500; round += 1) {
    const value = randomValue(random, 0);
    const { depth, values } = measureJson(JSON.stringify(value), UNBOUNDED);
    const real = measure(value);
    assert.equal(depth, real.depth);
    assert.ok(values >= real.values && values <= real.values * 2, `${values} of ${real.values}: ${JSON.stringify(value)}`);
  }
});

describe("measuring stops", () => {
  test("one past the bound of levels", () => {
    assert.equal(measureJson("[".repeat(1_000_000), { depth: 10, values: Infinity }).depth, 11);
  });
  test("one past the bound of values", () => {
    assert.equal(measureJson(`[${"1,".repeat(1_000_000)}1]`, { depth: Infinity, values: 10 }).values, 11);
  });
  test("at the end of a string that never ends", () => {
    assert.deepEqual(measureJson('["never', UNBOUNDED), { depth: 1, values: 2 });
  });
});

function randomValue(random: Random, depth: number): unknown {
  const kind = depth > 6 ? random.below(2) : random.below(4);
  if (kind === 0) return random.pick([1, null, true]);
  if (kind === 1) return random.pick(["", "a", '"', "\\", '\\"', "[{,", 'x\\\\"', "\n"]);
  const items = Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
  return kind === 2 ? items : Object.fromEntries(items.map((item, index) => [random.pick(["k", '"', "\\", "}"]) + index, item]));
}

function measure(value: unknown): { readonly depth: number; readonly values: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, values: 1 };
  const children = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...children.map(({ depth }) => depth)),
    values: 1 + children.reduce((sum, { values }) => sum + values, 0),
  };
}
