import assert from "node:assert/strict";
import { test } from "node:test";
import { readBindings } from "../../src/admission/bindings.ts";
import { FileFault } from "../../src/admission/faults.ts";
import { readConstant } from "../../src/admission/literals.ts";
import { parseSource } from "../../src/admission/parse.ts";

function read(source: string, literalCount = 1000): unknown {
  const bindings = readBindings(parseSource("tool.ts", new TextEncoder().encode(source)));
  return readConstant(bindings, "X", { literalCount, sourceBytes: 10_000 })?.value;
}

function refusal(source: string): string {
  try {
    return `read as ${JSON.stringify(read(source))}`;
  } catch (error) {
    assert.ok(error instanceof FileFault, String(error));
    return `${error.line}: ${error.message}`;
  }
}

const READ: readonly (readonly [string, unknown])[] = [
  ['"a"', "a"],
  ["\"a\" + 'b' + `c`", "abc"],
  ['("a" + ("b" + "c"))', "abc"],
  ["`two\nlines`", "two\nlines"],
  ["1", 1],
  ["-1.5", -1.5],
  ["+2", 2],
  ["0x10", 16],
  ["true", true],
  ["null", null],
  ["[]", []],
  ["[1, [2, {}]]", [1, [2, {}]]],
  ['{ a: 1, "b c": 2, 3: 4 }', { a: 1, "b c": 2, 3: 4 }],
  ['{ constructor: "c", toString: 1 }', { constructor: "c", toString: 1 }],
  ['"a" as const', "a"],
  ["[1] satisfies number[]", [1]],
  ["({ a: (1) })", { a: 1 }],
];

for (const [source, value] of READ) {
  test(`\`${source}\` is read as a literal`, () => {
    assert.deepEqual(read(`export const X = ${source};`), value);
  });
}

test("a type annotation changes nothing", () => assert.equal(read('export const X: string = "a";'), "a"));
test("another constant of the file is read by name", () =>
  assert.deepEqual(read('const A = "a"; const B = [A, A + "b"]; export const X = { B, c: B };'), { B: ["a", "ab"], c: ["a", "ab"] }));
test("a constant declared below is read by name", () => assert.equal(read("export const X = A; const A = 1;"), 1));
test("the form that bundlers write is read", () => assert.equal(read('var X = "a"; export { X };'), "a"));
test("an exported alias is read", () => assert.equal(read('const inner = "a"; export { inner as X };'), "a"));
test("an alias quoted as a string is read", () => assert.equal(read('const inner = "a"; export { inner as "X" };'), "a"));
test("a constant that is not exported is not there", () => assert.equal(read('const X = "a";'), undefined));
test("a constant exported as a type is not there", () => assert.equal(read("type X = 1; export type { X };"), undefined));
test("a star export names no constant", () => assert.equal(read('export * from "./x.ts";'), undefined));
test("a constant in another scope is not there", () => assert.equal(read('{ const X = "a"; }'), undefined));

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["export const X = make();", /^1: X holds a function call; it is read without running anything/],
  ["\n\nexport const X = {\n a: 1,\n b: process.env.A };", /^5: X holds a part of another value/],
  ["export const X = `a${1}`;", /^1: X holds a template with \$\{\}/],
  ["export const X = [1,,2];", /an array with a gap/],
  ["export const X = [...[1]];", /a spread/],
  ["export const X = { ...{} };", /a spread/],
  ["export const X = { ['a']: 1 };", /a computed key/],
  ["export const X = { a() {} };", /a method or a getter/],
  ["export const X = { get a() { return 1; } };", /a method or a getter/],
  ["export const X = { __proto__: {} };", /the key "__proto__"/],
  ['export const X = { "__proto__": {} };', /the key "__proto__"/],
  ["export const X = undefined;", /X holds undefined/],
  ["export const X = 1 + 2;", /a sum of something other than strings/],
  ['export const X = "a" + 2;', /a sum of something other than strings/],
  ["export const X = 2 * 3;", /a calculation/],
  ["export const X = -'a';", /a calculation/],
  ["export const X = true ? 1 : 2;", /a condition/],
  ["export const X = null ?? 1;", /a condition/],
  ["export const X = /a/;", /a regular expression/],
  ["export const X = 1n;", /a BigInt/],
  ["export const X = new Date();", /a `new` expression/],
  ["export const X = () => 1;", /a function/],
  ["export const X = class {};", /a class/],
  ["export const X = String.raw`a`;", /a tagged template/],
  ["export const X = await 1;", /an `await`/],
  ["export function X() {}", /X holds a function/],
  ["export class X {}", /X holds a class/],
  ["export const { X } = { X: 1 };", /part of a destructuring/],
  ['export let X = "a";', /^1: X is not declared with `const`/],
  ["export var X;", /X holds nothing/],
  ['var X = "a"; var X = "b"; export { X };', /X is declared twice/],
  ["export const X = X;", /X refers to itself/],
  ["const A = B; const B = [A]; export const X = A;", /X refers to itself through `A`/],
  ["export const X = missing;", /uses `missing`, which is no constant of this file/],
  ['import { A } from "./a.ts"; export const X = A;', /uses `A`, which is no constant/],
  ['import { X } from "./a.ts"; export { X };', /X comes from another file/],
  ['export { X } from "./a.ts";', /X comes from another file/],
  ['export * as X from "./a.ts";', /X comes from another file/],
  ["let a = 1; export const X = a;", /uses `a`, which is no constant/],
];

for (const [source, reason] of REFUSED) {
  test(`\`${source.trim()}\` is refused with its line and reason`, () => assert.match(refusal(source), reason));
}

test("values are counted as often as they are used, so that names cannot double them", () => {
  const doubling = Array.from({ length: 40 }, (_, level) => `const A${level + 1} = [A${level}, A${level}];`).join("");
  assert.match(refusal(`const A0 = [0]; ${doubling} export const X = A40;`), /more than 1000 values \(literalCount\)/);
});

test("text is counted as often as it is used, so that joining cannot double it", () => {
  const doubling = Array.from({ length: 40 }, (_, level) => `const A${level + 1} = A${level} + A${level};`).join("");
  assert.match(refusal(`const A0 = "${"x".repeat(100)}"; ${doubling} export const X = A40;`), /more than (?:1000 values|10000 characters)/);
});

test("a long sum of strings is read", () => {
  const sum = Array.from({ length: 2000 }, () => '""').join("+");
  assert.equal(read(`export const X = ${sum};`, 5000), "");
});
