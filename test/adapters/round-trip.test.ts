import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAction, type Json } from "toolcell";

const SEEDS = 2000;
const PIECES = [
  "a",
  "Z",
  "0",
  " ",
  "\n",
  "\r",
  "\t",
  '"',
  "'",
  "\\",
  "(",
  ")",
  ",",
  "=",
  "[",
  "]",
  "{",
  "}",
  ":",
  "ACTION: f(",
  "\u0000",
  "\u2028",
  "\u202e",
  "é",
  "😀",
  "\ud800",
  "__proto__",
  "#",
];

test("what is printed in any of the ways that are read comes back as it was", () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = makeRandom(seed);
    const args = randomObject(random, 3);
    const text = `Thinking.\nACTION: tool_${seed}(${printMembers(args, random, "=")})\nDone.`;
    assert.deepEqual(parseAction(text), { ok: true, tool: `tool_${seed}`, args }, `seed ${seed}: ${text}`);
  }
});

test("a call with a character more, less or changed is read whole or refused, and never thrown at", () => {
  let refused = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = makeRandom(seed);
    const text = `ACTION: f(${printMembers(randomObject(random, 2), random, "=")})`;
    const at = 8 + random(text.length - 8);
    const action = parseAction(text.slice(0, at) + pick(PIECES, random) + text.slice(at + random(2)));
    if (action?.ok === false) refused += 1;
    else assert.ok(action === null || typeof action.args === "object");
  }
  assert.ok(refused > SEEDS / 4);
});

type Random = (below: number) => number;

/** Mulberry32: the same numbers for the same seed. */
function makeRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[random(list.length)] as T;
}

function randomString(random: Random): string {
  return Array.from({ length: random(8) }, () => pick(PIECES, random)).join("");
}

function randomObject(random: Random, depth: number): Record<string, Json> {
  return Object.fromEntries(Array.from({ length: random(4) }, () => [randomString(random), randomValue(random, depth)]));
}

function randomValue(random: Random, depth: number): Json {
  switch (random(depth > 0 ? 7 : 5)) {
    case 0:
      return pick([0, 1, -1, 0.5, -2.25e-7, 1e21, Number.MAX_VALUE, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER], random);
    case 1:
      return pick([true, false, null], random);
    case 5:
      return Array.from({ length: random(4) }, () => randomValue(random, depth - 1));
    case 6:
      return randomObject(random, depth - 1);
    default:
      return randomString(random);
  }
}

function print(value: Json, random: Random): string {
  if (value === null) return pick(["null", "None"], random);
  if (typeof value === "boolean") return pick([String(value), value ? "True" : "False"], random);
  if (typeof value === "number") return pick(["", "+"], random) === "+" && value > 0 ? `+${value}` : String(value);
  if (typeof value === "string") return printString(value, random);
  if (Array.isArray(value))
    return `[${(value as readonly Json[]).map((item) => print(item, random)).join(pick([",", ", ", "\n, "], random))}]`;
  return `{${printMembers(value as Record<string, Json>, random, ":")}}`;
}

function printMembers(object: Record<string, Json>, random: Random, mark: string): string {
  const members = Object.entries(object).map(([key, value]) => {
    const name = mark === "=" && /^[A-Za-z_]+$/.test(key) && random(2) === 0 ? key : printString(key, random);
    return `${name}${pick(["", " "], random)}${mark}${pick(["", " "], random)}${print(value, random)}`;
  });
  return members.join(pick([",", ", ", " ,\n"], random)) + (members.length > 0 ? pick(["", ","], random) : "");
}

function printString(text: string, random: Random): string {
  const quote = pick(["'", '"', "'''", '"""'], random);
  const units = Array.from({ length: text.length }, (_, index) => text.charAt(index)).map((unit) => {
    const isSpecial = unit === "\\" || unit === quote.charAt(0) || (quote.length === 1 && /[\n\r]/.test(unit));
    return isSpecial || random(5) === 0 ? escapeOf(unit, random) : unit;
  });
  return `${quote}${units.join("")}${quote}`;
}

function escapeOf(unit: string, random: Random): string {
  const hex = unit.charCodeAt(0).toString(16);
  const forms = [`\\u${hex.padStart(4, "0")}`, `\\U${hex.padStart(8, "0")}`];
  if (hex.length <= 2) forms.push(`\\x${hex.padStart(2, "0")}`);
  if (unit === "\n") forms.push("\\n");
  if (/["'\\]/.test(unit)) forms.push(`\\${unit}`);
  return pick(forms, random);
}
