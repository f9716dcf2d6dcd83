import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

let made: TestEngine;
before(async () => {
  const defaults = `{ type: "object", additionalProperties: false, properties: {
    days: { type: "integer", default: 3 }, unit: { type: "string", default: "C" },
    where: { type: "object", default: {}, properties: { zone: { type: "string", default: "UTC" } } } } }`;
  made = await makeEngine({
    "demo/echo.js": toolFile("echo", "const run = (context, args) => ({ text: 'echo', payload: args });"),
    "demo/units.js": toolFile(
      "units",
      "const run = (context, { text }) => ({ text: '', payload: [...text].map((unit) => unit.codePointAt(0)) });",
    ),
    "demo/defaults.js": toolFile("defaults", "const run = (context, args) => ({ text: '', payload: args });", { schema: defaults }),
    "demo/nothing.js": toolFile("nothing", "const run = (context, args) => ({ text: '', payload: Object.keys(args) });", { schema: "" }),
    "demo/proto.js": toolFile(
      "proto",
      "const run = (context, args) => ({ text: String(args.polluted), payload: Object.getPrototypeOf(args) === Object.prototype });",
    ),
  });
});
after(() => made[Symbol.asyncDispose]());

describe("arguments that are no JSON object are INVALID_ARGUMENTS:", () => {
  for (const [what, args, says] of [
    ["an array", [1], /must be a JSON object, not an array/u],
    ["a string", "{}", /must be a JSON object, not a string/u],
    ["a number", 1, /must be a JSON object, not a number/u],
    ["a function", () => 1, /must be a JSON object, not a function/u],
    ["what its own `toJSON` makes an array", { toJSON: () => [1] }, /must be a JSON object, not what its `toJSON` returns/u],
    ["what its own `toJSON` makes nothing", { toJSON: () => undefined }, /must be a JSON object, not what its `toJSON` returns/u],
    ["a circle", circle(), /no JSON: .*circular/u],
    ["one with a BigInt", { n: 1n }, /no JSON: .*BigInt/u],
    [
      "one whose getter throws",
      {
        get n(): number {
          throw new Error("not today");
        },
      },
      /no JSON: not today/u,
    ],
    ["one with a key `__proto__`", JSON.parse('{"deep":[{"__proto__":{"polluted":true}}]}'), /must not have a property named `__proto__`/u],
    ["one nested too deep", nested(129), /nested deeper than 128 levels/u],
    ["one nested far too deep", nested(5000), /nested deeper than 128 levels/u],
    ["one too large", { text: "x".repeat(5 * 1024 * 1024) }, /more than the 4194304 allowed/u],
  ] as const) {
    test(what, async () => {
      const { error, text } = await made.engine.call("echo", args);
      assert.deepEqual([error?.code, error?.phase, error?.started], ["INVALID_ARGUMENTS", "validate", false], text);
      assert.match(text, says);
      assert.doesNotMatch(text, /\n\s*at |file:\/\//u);
    });
  }
});

describe("arguments reach the tool", () => {
  test("as nothing, as null and as an object that is empty, all the same", async () => {
    for (const args of [undefined, null, {}]) assert.deepEqual((await made.engine.call("echo", args)).payload, {});
    assert.deepEqual((await made.engine.call("nothing", {})).payload, []);
  });

  test("with every value that JSON has, and numbers past the safe ones as they are", async () => {
    const args = {
      s: '中\u{1f600}\u0000\n"\\',
      n: -0.5,
      big: 2 ** 53,
      huge: 1e300,
      no: null,
      yes: true,
      list: [[], {}],
      o: { "": 1, "a b": 2 },
    };
    assert.deepEqual((await made.engine.call("echo", args)).payload, args);
  });

  test("as JSON sees them: a Date as its text, undefined not at all, NaN as null", async () => {
    const { payload } = await made.engine.call("echo", { when: new Date(0), gone: undefined, not: Number.NaN });
    assert.deepEqual(payload, { when: "1970-01-01T00:00:00.000Z", not: null });
  });

  test("with half characters as they are", async () => {
    assert.deepEqual((await made.engine.call("units", { text: "a\ud800b" })).payload, [0x61, 0xd800, 0x62]);
  });

  test("with words that only look like `__proto__`", async () => {
    const args = { text: '"__proto__": 1', list: ["__proto__"], constructor: 1, prototype: 2 };
    assert.deepEqual((await made.engine.call("echo", args)).payload, args);
    const outcome = await made.engine.call("proto", args);
    assert.deepEqual([outcome.text, outcome.payload], ["undefined", true]);
  });

  test("with the schema's defaults filled in, and the caller's object as it was", async () => {
    const args = Object.freeze({ unit: "F" });
    const { payload } = await made.engine.call("defaults", args);
    assert.deepEqual(payload, { unit: "F", days: 3, where: { zone: "UTC" } });
    assert.deepEqual(args, { unit: "F" });
  });

  test("of exactly as many levels", async () => {
    assert.equal((await made.engine.call("echo", nested(128))).ok, true);
  });

  test("read once, so that a getter's second answer reaches nobody", async () => {
    let reads = 0;
    const { payload } = await made.engine.call("echo", {
      get n() {
        return (reads += 1);
      },
    });
    assert.deepEqual([payload, reads], [{ n: 1 }, 1]);
  });
});

describe("a tool without INPUT_SCHEMA", () => {
  test("takes no arguments, and says so", async () => {
    const { error }: Outcome = await made.engine.call("nothing", { extra: 1 });
    assert.equal(error?.code, "INVALID_ARGUMENTS");
    assert.match(error.message, /must not have `extra`/u);
  });
});

function circle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

/** An object that holds so many levels, itself counted. */
function nested(levels: number): object {
  let value = {};
  for (let level = 1; level < levels; level += 1) value = { in: value };
  return value;
}
