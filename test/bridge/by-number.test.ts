import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ByNumber } from "../../src/bridge/by-number.ts";

interface Thing {
  readonly number: number;
}

describe("what is kept by its number", () => {
  for (const [what, most, staying] of [
    ["a few at once", 8, 0],
    ["as many as there are places", 256, 0],
    ["more than there are places", 3000, 0],
    ["a few that stay while many come and go", 64, 0.01],
    ["many that stay", 64, 0.4],
  ] as const) {
    test(`is what a Map would hold: ${what}`, () => {
      const things = new ByNumber<Thing>();
      const expected = new Map<number, Thing>();
      const leaving: number[] = [];
      const random = randomOf(most);
      for (let number = 0; number < 20_000; number += 1) {
        const thing = { number };
        things.add(thing);
        expected.set(number, thing);
        if (random() >= staying) leaving.push(number);
        while (leaving.length > most) {
          const [left = -1] = leaving.splice(Math.floor(random() * leaving.length), 1);
          assert.equal(things.take(left), expected.get(left));
          expected.delete(left);
          assert.equal(things.take(left), undefined);
          assert.equal(things.get(left), undefined);
        }
      }
      assert.equal(things.size, expected.size);
      assert.deepEqual(things.values(), [...expected.values()]);
      for (const [number, thing] of expected) assert.equal(things.get(number), thing);
      for (const number of [-1, 20_000, 2 ** 31, 0.5]) assert.equal(things.get(number), undefined);
    });
  }
});

// The same numbers each time.
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
