import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const shape = {
  anyOf: [
    { type: "object", properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
    { type: "object", properties: { kind: { const: "box" }, wide: { type: "number" } }, required: ["kind", "wide"] },
  ],
};

/** A schema of the argument `a`, a value that does not fit, and what the model reads of it. */
const FAULTS: readonly (readonly [what: string, schema: unknown, value: unknown, told: readonly string[]])[] = [
  [
    "each form of an anyOf says why it does not fit",
    { anyOf: [{ type: "string" }, { type: "array" }] },
    1,
    ["`a` fits none of the forms allowed: (1) must be a string, not a number; (2) must be an array, not a number."],
  ],
  ["a form that is meant says what is wrong in it", shape, { kind: "box", wide: "2" }, ["`a.wide` must be a number, not a string."]],
  ["so it does behind a $ref", { anyOf: [{ $ref: "#/$defs/name" }, { type: "null" }] }, "x", ["`a` must have at least 2 characters."]],
  [
    "forms in forms",
    { oneOf: [{ anyOf: [{ type: "null" }, { type: "string" }] }, { type: "array" }] },
    1,
    [
      "`a` fits none of the forms allowed: (1) fits none of the forms allowed: (1) must be null, not a number; (2) must be a string, not a number; (2) must be an array, not a number.",
    ],
  ],
  [
    "more forms than are told",
    { anyOf: [1, 2, 3, 4, 5, 6].map((value) => ({ const: value })) },
    7,
    ["`a` fits none of the forms allowed: (1) must be 1; (2) must be 2; (3) must be 3; (4) must be 4; 2 more forms are not listed."],
  ],
  [
    "too many forms of a oneOf",
    { oneOf: [{ minimum: 1 }, { type: "null" }, { maximum: 5 }] },
    3,
    ["`a` fits the forms 1 and 3 of those allowed; it must fit exactly one."],
  ],
  ["a form that nothing is", { oneOf: [false] }, 3, ["`a` is not allowed here."]],
  [
    "other faults stand beside the forms",
    { anyOf: [{ required: ["x"] }, { required: ["y"] }], required: ["z"], minProperties: 2 },
    {},
    [
      "`a` fits none of the forms allowed: (1) needs `x`, which is missing; (2) needs `y`, which is missing.",
      "`a` must have at least 2 properties.",
      "`a` needs `z`, which is missing.",
    ],
  ],
  [
    "a name of a property",
    { propertyNames: { maxLength: 2 } },
    { long: 1 },
    ["`a` has the property `long`, whose name must have at most 2 characters."],
  ],
  [
    "a property that asks for another",
    { dependencies: { card: ["address"] } },
    { card: 1 },
    ["`a` must have `address`, which is missing, since `card` is given."],
  ],
  ["items of a kind", { contains: { type: "string" } }, [1, 2, 3], ["`a` must hold at least 1 item of the kind asked for."]],
  [
    "items of a kind, counted",
    { contains: { type: "string" }, minContains: 2, maxContains: 3 },
    ["b"],
    ["`a` must hold at least 2 and at most 3 items of the kind asked for."],
  ],
  ["an item past the last", { prefixItems: [{}], items: false }, [1, 2], ["`a` must have at most 1 items."]],
  ["an item that nothing speaks of", { prefixItems: [{}], unevaluatedItems: false }, [1, 2], ["`a` must not hold its item 2."]],
  [
    "a property that nothing speaks of",
    { allOf: [{ properties: { b: {} } }], unevaluatedProperties: false },
    { b: 1, c: 1 },
    ["`a` must not have `c`."],
  ],
  ["a property that is never allowed", { properties: { b: false } }, { b: 1 }, ["`a.b` is not allowed here."]],
  [
    "an item that stands twice",
    { uniqueItems: true },
    [1, { b: 1, c: 2 }, { c: 2, b: 1 }],
    ["`a` must not hold an item twice: items 2 and 3 are the same."],
  ],
  ["decimals", { multipleOf: 0.01 }, 4.351, ["`a` must be a multiple of 0.01."]],
  ["a time", { format: "date-time" }, "tomorrow", ["`a` must be a valid date-time, such as 2026-01-31T09:30:00Z."]],
];

const sources = FAULTS.map(([, schema], index) => {
  const whole = { type: "object", properties: { a: schema }, $defs: { name: { type: "string", minLength: 2 } } };
  return [`faulty/t${index}.js`, toolFile(`t${index}`, "const run = () => 1;", { schema: JSON.stringify(whole) })];
});

test("what a model reads of arguments that do not fit says what to change", async (t) => {
  await using made = await makeEngine(Object.fromEntries(sources));
  for (const [index, [what, , value, told]] of FAULTS.entries()) {
    await t.test(what, async () => {
      const { text } = await made.engine.call(`t${index}`, { a: value });
      assert.equal(text, `t${index} was not run: ${told.join("\n")}`);
    });
  }
});
