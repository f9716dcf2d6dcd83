import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInputSchema } from "../../src/admission/schema.ts";
import { schemaRuntimeOf } from "../../src/admission/schema-runtime.ts";
import { compileValidators } from "../../src/admission/validators.ts";
import type { Json } from "../../src/catalogue/json.ts";
import { admitFiles, limitsWith, loadRecord, sharedAdmission, tool } from "./a-folder.ts";

const admission = sharedAdmission();

type Check = ((args: unknown) => boolean) & { errors?: unknown };

/** Both validators of a schema, as a cell has them. */
async function validatorsOf(schema: unknown): Promise<readonly [Check, Check]> {
  const record = await admitFiles(admission, { "a.ts": tool("a", { schema: JSON.stringify(schema) }) });
  const tools = await loadRecord(admission, record);
  const [first, all] = await Promise.all([tools["a"]?.validate(), tools["a"]?.explain()]);
  assert.ok(first && all);
  return [first.default, all.default];
}

/** Whether the arguments fit, as both say, and what became of them. */
async function tryOn(schema: unknown, args: unknown): Promise<readonly [boolean, unknown]> {
  const [first, all] = await validatorsOf(schema);
  const checked = structuredClone(args);
  const fits = first(checked);
  assert.equal(all(structuredClone(args)), fits);
  // What a validator has made is of its own realm.
  return [fits, JSON.parse(JSON.stringify(checked))];
}

test("defaults are filled in wherever a place holds for certain", async () => {
  const schema = {
    type: "object",
    properties: {
      size: { type: "integer", default: 3 },
      box: { type: "object", default: {}, properties: { wide: { default: true } } },
      rows: { type: "array", items: { $ref: "#/$defs/row" } },
      pair: { type: "array", items: [{ default: 1 }, { default: 2 }] },
    },
    patternProperties: { "^x": { properties: { y: { default: 0 } } } },
    additionalProperties: { properties: { z: { default: [1] } } },
    allOf: [{ properties: { more: { default: null } } }],
    $defs: { row: { properties: { cell: { default: "-" }, next: { $ref: "#/$defs/row" } } } },
  };
  const args = { rows: [{}, { cell: "a", next: {} }, 7], pair: [5], xa: {}, other: {} };
  assert.deepEqual(await tryOn(schema, args), [
    true,
    {
      size: 3,
      box: { wide: true },
      rows: [{ cell: "-" }, { cell: "a", next: { cell: "-" } }, 7],
      pair: [5, 2],
      xa: { y: 0 },
      other: { z: [1] },
      more: null,
    },
  ]);
});

test("a default in one of several forms is not filled in", async () => {
  const schema = { properties: { a: { anyOf: [{ properties: { b: { default: 1 } } }, { type: "null" }] } } };
  assert.deepEqual(await tryOn(schema, { a: {} }), [true, { a: {} }]);
});

test("the first fault is enough where finding all of them costs more in arguments that fit", async () => {
  const [first, all] = await validatorsOf({ properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } }, required: ["b", "c"] });
  assert.deepEqual([first({}), all({})], [false, false]);
  assert.deepEqual([(first.errors as unknown[]).length, (all.errors as unknown[]).length], [1, 2]);
});

test("a validator needs the modules that it names, and those that they name, and no others", () => {
  const limits = limitsWith();
  const of = (schema: Json): readonly string[] => [...schemaRuntimeOf(compileValidators(assertInputSchema(schema, limits)).all).keys()];
  assert.deepEqual(of({ properties: { a: { type: "string" } } }), []);
  assert.deepEqual(of({ properties: { a: { const: 'require("toolcell:check/uri")' } } }), []);
  assert.deepEqual(of({ properties: { a: { format: "email" } } }).toSorted(), [
    "toolcell:check/address",
    "toolcell:check/bidi",
    "toolcell:check/email",
    "toolcell:check/hostname",
    "toolcell:check/idna",
    "toolcell:check/joining",
    "toolcell:check/punycode",
  ]);
});

test("every call gets a default of its own", async () => {
  const [check] = await validatorsOf({ properties: { list: { default: [] } } });
  const [one, other]: [{ list?: unknown[] }, { list?: unknown[] }] = [{}, {}];
  assert.ok(check(one) && check(other));
  one.list?.push(1);
  assert.deepEqual([one.list?.length, other.list?.length], [1, 0]);
});

test("a default that does not fit never makes a call fail, and one of a required property stands in for it", async () => {
  assert.deepEqual(await tryOn({ properties: { a: { maximum: 3, default: 5 } } }, {}), [true, { a: 5 }]);
  assert.deepEqual(await tryOn({ properties: { a: { default: 5 } }, required: ["a"] }, {}), [true, { a: 5 }]);
  assert.deepEqual(await tryOn({ properties: { a: { default: 5 }, b: {} }, required: ["a", "b"] }, {}), [false, { a: 5 }]);
});

test("K14 no default reaches a prototype", async () => {
  const [check] = await validatorsOf({ properties: { constructor: { default: 1 }, toString: { properties: { a: { default: 1 } } } } });
  const args = {};
  assert.ok(check(args));
  assert.deepEqual(Object.entries(args), [["constructor", 1]]);
  assert.equal(Object.hasOwn(Reflect.get(Object.prototype, "toString") as object, "a"), false);
});

test("beside a $ref what is written counts, except where $schema says draft-07", async () => {
  const schema = { properties: { a: { $ref: "#/definitions/text", maxLength: 2 } }, definitions: { text: { type: "string" } } };
  assert.deepEqual((await tryOn(schema, { a: "long" }))[0], false);
  const old = { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
  assert.deepEqual((await tryOn(old, { a: "long" }))[0], true);
});

test("values with keys such as constructor and toString are compared by what they hold", async () => {
  const value = { constructor: 1, toString: 2, valueOf: 3 };
  const schema = { properties: { a: { const: value }, b: { uniqueItems: true }, c: { enum: [[value]] } } };
  assert.deepEqual((await tryOn(schema, { a: value, b: [value, { ...value, valueOf: 4 }], c: [value] }))[0], true);
  assert.deepEqual((await tryOn(schema, { a: { ...value, valueOf: 4 } }))[0], false);
  assert.deepEqual((await tryOn(schema, { b: [value, value] }))[0], false);
});

test("a schema that is nested in what it asks again is compiled once for each level", async () => {
  let schema: unknown = { properties: { a: {} } };
  for (let level = 0; level < 28; level += 1) schema = { anyOf: [schema], unevaluatedProperties: false };
  const deep = { properties: { deep: schema } };
  const record = await admitFiles(admission, { "a.ts": tool("a", { schema: JSON.stringify(deep) }) });
  assert.deepEqual(record.broken, []);
  assert.ok((await admission.bundle(record.bundleHash ?? "")).length < 200_000);
});

test("a format is bundled where a schema names it and nowhere else", async () => {
  const bundleOf = async (format: string): Promise<string> => {
    const schema = JSON.stringify({ properties: { a: { type: "string", format } } });
    return await admission.bundle((await admitFiles(admission, { "a.ts": tool("a", { schema }) })).bundleHash ?? "");
  };
  const [date, host] = [await bundleOf("date"), await bundleOf("idn-hostname")];
  assert.ok(date.includes("isDate") && !date.includes("isIdnHostname") && date.length < 20_000);
  assert.ok(host.includes("isIdnHostname") && !host.includes("isDate"));
});
