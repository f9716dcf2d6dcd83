import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { trimText } from "../../src/engine/trim.ts";
import { seededRandom, type Random } from "../support/random.ts";

const MARKER = /\n… (\d+) characters left out …\n/u;

// Characters of one unit and of many: letters, surrogate pairs, flags, families, skin tones, combining marks, Hangul jamo.
const CHARACTERS = ["a", "Z", " ", "\n", "é", "e\u0301", "中", "\u{1f600}", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇯🇵", "👋🏽", "각", "\u{20000}", "नि", "\r\n"];

describe("a text", () => {
  test("of exactly the limit stays as it is", () => {
    assert.deepEqual(trimText("x".repeat(500), 500), { text: "x".repeat(500), trimmed: null });
  });

  test("one over the limit is cut, and says how much is missing", () => {
    const { text, trimmed } = trimText("x".repeat(501), 500);
    assert.equal(text.length <= 500, true);
    assert.equal(trimmed?.total, 501);
    assert.equal(Number(MARKER.exec(text)?.[1]), 501 - trimmed.shown);
  });

  test("without a limit stays as it is", () => {
    assert.equal(trimText("x".repeat(1e6), null).trimmed, null);
  });

  test("keeps 65 % of its head and 35 % of its tail", () => {
    const whole = `${"h".repeat(50_000)}${"t".repeat(50_000)}`;
    const { text, trimmed } = trimText(whole, 10_000);
    const [head = "", , tail = ""] = text.split(MARKER);
    assert.match(head, /^h+$/u);
    assert.match(tail, /^t+$/u);
    assert.equal(head.length + tail.length, trimmed?.shown);
    assert.ok(Math.abs(head.length / (trimmed?.shown ?? 0) - 0.65) < 0.001);
    // The line between takes no more of the limit than it needs.
    assert.ok(10_000 - text.length < 8);
  });

  test("at a limit too small for any of it says only that", () => {
    for (let limit = 0; limit < 40; limit += 1) {
      const { text, trimmed } = trimText("y".repeat(1000), limit);
      assert.ok(text.length <= limit, `${text.length} characters at ${limit}`);
      assert.deepEqual([trimmed?.total, (trimmed?.shown ?? -1) >= 0], [1000, true]);
    }
    assert.deepEqual(trimText("y".repeat(1000), 0), { text: "", trimmed: { shown: 0, total: 1000 } });
  });

  test("that came from the guest with something left out tells the whole count", () => {
    const { text, trimmed } = trimText("x".repeat(1000), null, 500);
    assert.equal(trimmed?.total, 1500);
    assert.equal(Number(MARKER.exec(text)?.[1]), 1500 - trimmed.shown);
    assert.ok(text.length <= 1000);
  });

  test("whatever it holds is never over the limit, never half a character, and its head and tail are its own", () => {
    const random = seededRandom(1);
    for (let round = 0; round < 400; round += 1) {
      const whole = randomText(random, 20 + random.below(400));
      const limit = random.below(whole.length + 20);
      const { text, trimmed } = trimText(whole, limit);
      assert.ok(text.length <= limit || trimmed === null, `${text.length} characters at ${limit}`);
      if (trimmed === null) {
        assert.equal(text, whole);
        assert.ok(whole.length <= limit);
        continue;
      }
      assert.ok(text.isWellFormed(), JSON.stringify(text));
      if (trimmed.shown === 0) continue;
      const at = text.search(MARKER);
      const head = text.slice(0, at);
      const tail = text.slice(at + (MARKER.exec(text)?.[0].length ?? 0));
      assert.equal(trimmed.shown, head.length + tail.length);
      assert.ok(whole.startsWith(head) && whole.endsWith(tail));
      const cuts = boundaries(whole);
      assert.ok(cuts.has(head.length), `a head of ${head.length} splits a character of ${JSON.stringify(whole)}`);
      assert.ok(cuts.has(whole.length - tail.length), `a tail of ${tail.length} splits a character of ${JSON.stringify(whole)}`);
    }
  });
});

describe("a text that is JSON", () => {
  test("of exactly the limit stays as it is", () => {
    const json = JSON.stringify({ a: "x".repeat(100) });
    assert.deepEqual(trimText(json, json.length), { text: json, trimmed: null });
  });

  test("is shortened by its structure and stays JSON", () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ index, name: `row ${index}` }));
    const { text, trimmed } = trimText(JSON.stringify(rows), 2000);
    const value = JSON.parse(text) as unknown[];
    assert.ok(text.length <= 2000 && text.length > 800, `${text.length} characters`);
    assert.deepEqual(value[0], { index: 0, name: "row 0" });
    assert.deepEqual(value.at(-1), { index: 999, name: "row 999" });
    assert.ok(value.some((item) => /^… \d+ items left out …$/u.test(String(item))));
    assert.equal(trimmed?.shown, text.length);
  });

  test("keeps its indentation", () => {
    const json = JSON.stringify({ list: Array.from({ length: 500 }, (_, index) => index) }, null, 2);
    assert.match(trimText(json, 1000).text, /^\{\n  "list": \[\n    0,\n/u);
  });

  test("shortens long strings inside it", () => {
    const { text } = trimText(JSON.stringify({ log: "l".repeat(100_000), ok: true }), 600);
    const value = JSON.parse(text) as { log: string; ok: boolean };
    assert.equal(value.ok, true);
    assert.match(value.log, /characters left out/u);
  });

  test("of any shape stays JSON and is never over the limit", () => {
    const random = seededRandom(2);
    for (let round = 0; round < 300; round += 1) {
      const json = JSON.stringify([randomValue(random, 0), "end"], null, random.pick([0, 0, 2]));
      const limit = 60 + random.below(600);
      const { text, trimmed } = trimText(json, limit);
      assert.ok(trimmed === null || text.length <= limit, `${text.length} characters at ${limit}`);
      assert.doesNotThrow(() => JSON.parse(text), `at ${limit}: ${text}\nfrom ${json}`);
    }
  });

  test("nested far deeper than anybody can walk is cut as the text it is", () => {
    for (const depth of [1000, 100_000, 1_000_000]) {
      const { text } = trimText(`${"[".repeat(depth)}${"]".repeat(depth)}`, 500);
      assert.ok(text.length <= 500);
    }
  });

  test("keeps a key named `__proto__` a key", () => {
    const json = `{"__proto__": {"polluted": true}, "pad": "${"x".repeat(2000)}"}`;
    const { text } = trimText(json, 500);
    assert.ok(Object.hasOwn(JSON.parse(text) as object, "__proto__"));
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });
});

function randomText(random: Random, characters: number): string {
  return Array.from({ length: characters }, () => random.pick(CHARACTERS)).join("");
}

function randomValue(random: Random, depth: number): unknown {
  const kind = depth > 12 ? random.below(3) : random.below(6);
  if (kind === 0) return random.pick([null, true, 1.5, -7, 1e21]);
  if (kind <= 2) return randomText(random, random.below(60));
  const items = Array.from({ length: random.below(5) }, () => randomValue(random, depth + 1));
  return kind === 3 ? items : Object.fromEntries(items.map((item) => [randomText(random, 1 + random.below(40)), item]));
}

function boundaries(text: string): ReadonlySet<number> {
  const cuts = new Set([text.length]);
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) cuts.add(index);
  return cuts;
}
