import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS, parseAction } from "toolcell";

const nested = (levels: number): string => `ACTION: f(a=${"[".repeat(levels)}${"]".repeat(levels)})`;
const long = (chars: number): string => `f(a="${"x".repeat(chars - 'f(a="")'.length)}")`;

test("arguments are as deep as the engine takes them, the arguments themselves being the first level", () => {
  const { value } = LIMITS.depthCount;
  assert.equal(parseAction(nested(value - 1))?.ok, true);
  assertRefused(nested(value), /nested deeper than 128 levels \(depthCount\)/);
  assert.equal(parseAction(nested(4), { depthCount: 5 })?.ok, true);
  assertRefused(nested(5), /deeper than 5 levels/, { depthCount: 5 });
  assert.equal(parseAction(nested(LIMITS.depthCount.max - 1), { depthCount: LIMITS.depthCount.max })?.ok, true);
});

test("a call is as long as arguments may be", () => {
  const limits = { argumentBytes: 100 };
  assert.equal(parseAction(`ACTION: ${long(100)}`, limits)?.ok, true);
  assert.equal(parseAction(`ACTION: ${long(100)}\n${"x".repeat(1000)}`, limits)?.ok, true);
  assertRefused(`ACTION: ${long(101)}`, /longer than 100 characters \(argumentBytes\)/, limits);
  assertRefused(`ACTION: f(${" ".repeat(200)})`, /longer than 100 characters/, limits);
  assert.equal(parseAction(`ACTION: ${long(101)}`, { argumentBytes: 101 })?.ok, true);
});

const M = 1_000_000;
const HOSTILE: readonly (readonly [says: string, make: (size: number) => string])[] = [
  ["quotes", (size) => `ACTION: f(a=${'"'.repeat(size)}`],
  ["single quotes in a string", (size) => `ACTION: f(a="${"'".repeat(size)}`],
  ["brackets", (size) => `ACTION: f(a=${"[".repeat(size)}`],
  ["braces and quotes", (size) => `ACTION: f(a=${'{"":'.repeat(size / 4)}`],
  ["backslashes", (size) => `ACTION: f(a="${"\\".repeat(size)}`],
  ["backslashes in a raw string", (size) => `ACTION: f(a=r"${"\\".repeat(size)}`],
  ["quotes in three quotes", (size) => `ACTION: f(a="""${'""\\'.repeat(size / 3)}`],
  ["empty strings", (size) => `ACTION: f(a=[${'"",'.repeat(size / 3)}])`],
  ["parentheses", (size) => `ACTION: f${"(".repeat(size)}`],
  ["digits", (size) => `ACTION: f(a=${"9".repeat(size)})`],
  ["digits of a fraction", (size) => `ACTION: f(a=0.${"0".repeat(size)}x)`],
  ["a word", (size) => `ACTION: f(a=${"x".repeat(size)})`],
  ["a name", (size) => `ACTION: ${"f".repeat(size)}(a=1)`],
  ["arguments", (size) => `ACTION: f(${Array.from({ length: size / 10 }, (_, index) => `a${index}=1`).join()})`],
  ["spaces", (size) => `ACTION:${" ".repeat(size)}`],
  ["spaces inside", (size) => `ACTION: f(a=1${" ".repeat(size)}`],
  ["line breaks after", (size) => `ACTION: f(a=1)${"\n".repeat(size)}`],
  ["marks in a row", (size) => "xACTION:".repeat(size / 8)],
  ["marks within a line, and names", (size) => `a ${"ACTION: a ".repeat(size / 10)}`],
  ["marks in strings", (size) => `a ${'"ACTION: a("'.repeat(size / 12)}`],
  ["signs of Markdown between marks", (size) => `a${"> ACTION: *".repeat(size / 11)}`],
  ["signs of Markdown before a mark", (size) => `x${"> ".repeat(size / 2)}ACTION:`],
  ["marks after a call", (size) => `ACTION: f(a=1)\n${"x ACTION: a ".repeat(size / 12)}`],
];
for (const [says, make] of HOSTILE) {
  test(`a megabyte of ${says} takes as long as its length`, () => {
    // A million characters read one by one take tens of milliseconds; read again from each of them, they would take hours.
    const began = performance.now();
    parseAction(make(M));
    assert.ok(performance.now() - began < 30_000);
  });
}

function assertRefused(text: string, reason: RegExp, limits = {}): void {
  const action = parseAction(text, limits);
  assert.ok(action?.ok === false);
  assert.match(action.reason, reason);
}
