import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const VALUES = [
  ["a String object", "new String('x')", "x"],
  ["a Number object", "new Number(5)", 5],
  ["a Boolean object", "new Boolean(false)", false],
  ["an ArrayBuffer", "new Uint8Array([1, 2]).buffer", [1, 2]],
  ["an instance of a class", "new (class Point { x = 1; y = 2; })()", { x: 1, y: 2 }],
] as const;

const OPAQUE = ["Promise.resolve(1)", "new WeakMap()", "new WeakSet()", "[1][Symbol.iterator]()", "(function* () { yield 1; })()"];

test("a value that JSON would empty is written as what it holds", async () => {
  await using made = await makeEngine({
    "demo/tool.js": toolFile(
      "give",
      `function run(context, { at }) { return { value: [${VALUES.map(([, code]) => code).join(", ")}][at] }; }`,
    ),
  });
  for (const [at, [name, , wanted]] of VALUES.entries())
    assert.deepEqual((await made.engine.call("give", { at })).payload, { value: wanted }, name);
});

test("a value that no copy can hold is refused by its place", async () => {
  await using made = await makeEngine({
    "demo/tool.js": toolFile("give", `function run(context, { at }) { return { deep: [[${OPAQUE.join(", ")}][at]] }; }`),
  });
  for (const at of OPAQUE.keys()) {
    const { error } = await made.engine.call("give", { at });
    assert.equal(error?.code, "BAD_RESULT", OPAQUE[at]);
    assert.match(error.message, /`result\.deep\.0`/u);
  }
});
