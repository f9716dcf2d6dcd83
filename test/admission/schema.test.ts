import assert from "node:assert/strict";
import { test } from "node:test";
import { FileFault } from "../../src/admission/faults.ts";
import { assertInputSchema } from "../../src/admission/schema.ts";
import { compileValidators } from "../../src/admission/validators.ts";
import type { Json } from "../../src/catalogue/json.ts";
import { admitFiles, limitsWith, loadRecord, sharedAdmission, tool } from "./a-folder.ts";

const admission = sharedAdmission();
const limits = limitsWith();

function refusal(schema: unknown): string {
  try {
    compileValidators(assertInputSchema(schema as Json, limits));
    return "compiled";
  } catch (error) {
    assert.ok(error instanceof FileFault, String(error));
    return error.message;
  }
}

const properties = (a: unknown): unknown => ({ type: "object", properties: { a } });
const nested = (depth: number): unknown => (depth === 0 ? { type: "string" } : { items: nested(depth - 1) });
const doubling = Object.fromEntries(
  Array.from({ length: 26 }, (_, level) => [
    `l${level}`,
    level === 25 ? { type: "string" } : { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
  ]),
);

const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
  ["K16 null", null, /has to be a JSON Schema of type "object"/],
  ["K16 an array", [], /has to be a JSON Schema of type "object"/],
  ["K16 true", true, /has to be a JSON Schema of type "object"/],
  ["a root of another type", { type: "string" }, /of type "object"/],
  ["a root of several types", { type: ["object", "null"] }, /of type "object"/],
  [
    "K16 an unknown keyword",
    properties({ type: "string", minLenght: 1 }),
    /^INPUT_SCHEMA at \/properties\/a has the unknown keyword "minLenght"; did you mean "minLength"/,
  ],
  ["an unknown keyword at the root", { requierd: [] }, /^INPUT_SCHEMA has the unknown keyword "requierd"; did you mean "required"/],
  ["K16 an unknown format", properties({ format: "datetime" }), /unknown format "datetime"; did you mean "date-time"/],
  [
    "K16 a bad regex",
    properties({ pattern: "(" }),
    /at \/properties\/a has a pattern that is no regular expression, "\(": Unterminated group/,
  ],
  ["a bad regex as a key", { patternProperties: { "[": {} } }, /no regular expression/],
  ["K16 a type that is none", properties({ type: "text" }), /at \/properties\/a has type "text"; it has to be one of string, number, /],
  ["required that is no list", { required: true }, /^INPUT_SCHEMA has required true; it has to be a list of names, each once/],
  ["a negative minLength", properties({ minLength: -1 }), /at \/properties\/a has minLength -1; it has to be a whole number, 0 or more/],
  ["properties that are a list", { properties: [] }, /has properties that is no object of schemas/],
  ["a property that is no schema", properties(1), /at \/properties\/a is no schema/],
  ["allOf that is no list", { allOf: {} }, /has allOf that is no array of schemas/],
  ["$async", { $async: true }, /uses \$async, which is not allowed/],
  ["$async inside", properties({ $async: true }), /uses \$async/],
  ["K03 $data", properties({ minimum: { $data: "1/b" } }), /at \/properties\/a uses \$data/],
  ["$data as a keyword", properties({ $data: "1/b" }), /uses \$data/],
  [
    "K06 a remote $ref",
    properties({ $ref: "http://169.254.169.254/x" }),
    /refers to "http:\/\/169\.254\.169\.254\/x"; a \$ref may only lead to a place in the same schema/,
  ],
  ["K06 a file $ref", properties({ $ref: "file:///etc/passwd" }), /may only lead to a place in the same schema/],
  ["a relative $ref", properties({ $ref: "other.json#/a" }), /may only lead/],
  ["a $ref to the schema of schemas", properties({ $ref: "http://json-schema.org/draft-07/schema#" }), /may only lead/],
  ["a $ref that is no string", properties({ $ref: 1 }), /may only lead/],
  ["a $ref that leads nowhere", properties({ $ref: "#/definitions/a" }), /refers to "#\/definitions\/a", which is not in the schema/],
  ["a $ref into the prototype", properties({ $ref: "#/constructor" }), /not in the schema/],
  ["a $ref to a string", { title: "a", properties: { a: { $ref: "#/title" } } }, /not in the schema/],
  ["a $ref with a broken escape", properties({ $ref: "#/%zz" }), /not in the schema/],
  ["an anchor that is not there", properties({ $ref: "#a" }), /not in the schema/],
  [
    "an unknown dialect",
    { $schema: "http://json-schema.org/draft-04/schema#" },
    /names the dialect "http:\/\/json-schema.org\/draft-04\/schema#"/,
  ],
  ["a dialect that is no string", { $schema: 1 }, /names the dialect 1/],
  [
    "a keyword of the other dialect",
    { $schema: "http://json-schema.org/draft-07/schema#", unevaluatedProperties: false },
    /uses "unevaluatedProperties", which only 2020-12 knows/,
  ],
  ["additionalItems in 2020-12", { prefixItems: [{}], additionalItems: false }, /uses "additionalItems", which only draft-07 knows/],
  ["K07 3000 levels", nested(3000), /nested deeper than 32 levels/],
  ["K07 a value of 100 levels", properties({ default: JSON.parse("[".repeat(100) + "]".repeat(100)) }), /nested deeper than 32 levels/],
  [
    "K07 5000 properties",
    { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, {}])) },
    /more than 1000 properties/,
  ],
  [
    "K08 200,000 enum strings",
    properties({ enum: Array.from({ length: 200_000 }, (_, index) => `v${index}`) }),
    /larger than 65536 bytes|more than 1000 enum values/,
  ],
  ["K08 1001 enum numbers", properties({ enum: Array.from({ length: 1001 }, (_, index) => index) }), /more than 1000 enum values/],
  ["an anchor that stands twice", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, /gives two schemas the name "#x"; rename one/],
  ["an $id that stands twice", { $defs: { a: { $id: "x" }, b: { $id: "x" } } }, /gives two schemas the name "x"/],
  ["an $id that is no address", { $defs: { a: { $id: "http://[" } } }, /has the \$id "http:\/\/\[", which is no address/],
  ["a $ref to itself", properties({ $ref: "#/properties/a" }), /leads back to itself without looking further into the value/],
  ["a $ref that goes round", { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { anyOf: [{ $ref: "#" }] } } }, /leads back to itself/],
  [
    "a $ref into a note",
    { "x-a": { $async: true }, properties: { a: { $ref: "#/x-a" } } },
    /refers to "#\/x-a", which is not in the schema/,
  ],
  ["a $ref into a default", properties({ default: { minLenght: 1 }, items: { $ref: "#/properties/a/default" } }), /not in the schema/],
  ["K14 the key __proto__", JSON.parse('{ "properties": { "__proto__": {} } }'), /holds the key "__proto__"/],
  ["K14 the key __proto__ in a default", properties(JSON.parse('{ "default": { "__proto__": {} } }')), /holds the key "__proto__"/],
  ["items that are a list in 2020-12", { prefixItems: [], items: [{}] }, /uses "items", which only draft-07 knows/],
  [
    "one dialect inside another",
    properties({ $schema: "http://json-schema.org/draft-07/schema#", prefixItems: [{}] }),
    /names the dialect "http:\/\/json-schema.org\/draft-07\/schema#"/,
  ],
  ["nullable alone", properties({ nullable: true }), /is nullable and has no type/],
  ["K10 26 doubling levels", { $ref: "#/$defs/l0", $defs: doubling }, /more than 10000 uses of \$ref/],
];

for (const [what, schema, reason] of REFUSED) test(`${what} is refused`, () => assert.match(refusal(schema), reason));

const COMPILED: readonly (readonly [string, unknown])[] = [
  ["an empty schema", {}],
  [
    "every annotation",
    properties({
      title: "t",
      description: "d",
      default: 1,
      examples: [1],
      example: 1,
      deprecated: true,
      readOnly: true,
      writeOnly: true,
      $comment: "c",
      "x-note": [1],
      externalDocs: {},
      xml: {},
      contentMediaType: "text/plain",
      contentEncoding: "base64",
    }),
  ],
  ["nullable", properties({ type: "string", nullable: true })],
  ["a default below anyOf", properties({ anyOf: [{ type: "string", default: "a" }, { type: "null" }] })],
  ["a schema that refers to itself", { properties: { next: { $ref: "#" } } }],
  ["K05 the $id of the schema of schemas", { $id: "http://json-schema.org/draft-07/schema" }],
  ["a property named $ref", { properties: { $ref: { type: "string" }, $id: { type: "string" }, $schema: { type: "string" } } }],
  ["a property named as a newer keyword", { properties: { prefixItems: { type: "array" } } }],
  ["a $ref to an $id inside", { properties: { a: { $ref: "other#/$defs/b" } }, $defs: { other: { $id: "other", $defs: { b: {} } } } }],
  ["an enum of nothing", properties({ enum: [] })],
  ["a draft-07 anchor", { properties: { a: { $ref: "#name" } }, definitions: { n: { $id: "#name", type: "string" } } }],
  [
    "a 2020-12 anchor",
    { $schema: "https://json-schema.org/draft/2020-12/schema", properties: { a: { $ref: "#name" } }, $defs: { n: { $anchor: "name" } } },
  ],
  ["2020-12 by its keywords", { properties: { a: { prefixItems: [{ type: "string" }] } }, unevaluatedProperties: false }],
  ["$data inside a const", properties({ const: { $data: "1/b" } })],
  ["a pointer with escapes", { properties: { a: { $ref: "#/definitions/a~1b%20c" } }, definitions: { "a/b c": {} } }],
  ["dependencies on names", { dependencies: { a: ["b"] } }],
];

for (const [what, schema] of COMPILED) test(`${what} is compiled`, () => assert.equal(refusal(schema), "compiled"));

test("a validator in a bundle gives defaults, and words every fault with its params", async () => {
  const schema = `{ type: "object", properties: { place: { type: "string", minLength: 2 }, days: { type: "integer", default: 3 }, when: { type: "string", format: "date" } },
    required: ["place"], additionalProperties: false }`;
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a", { schema }) }));
  const { default: validate } = (await tools["a"]?.validate()) ?? {};
  const { default: explain } = (await tools["a"]?.explain()) ?? {};
  assert.ok(validate && explain);
  const good = { place: "Kyoto" };
  assert.equal(validate(good), true);
  assert.deepEqual(good, { place: "Kyoto", days: 3 });
  const bad = { place: "K", days: 1.5, when: "soon", extra: 1 };
  assert.equal(validate(bad), false);
  assert.equal(explain(bad), false);
  assert.deepEqual(
    JSON.parse(JSON.stringify(explain.errors)).map(({ keyword, instancePath, params }: Record<string, unknown>) => [
      keyword,
      instancePath,
      params,
    ]),
    [
      ["additionalProperties", "", { additionalProperty: "extra" }],
      ["minLength", "/place", { limit: 2 }],
      ["type", "/days", { type: "integer" }],
      ["format", "/when", { format: "date" }],
    ],
  );
});

test("where alternatives could fail in what is valid, a validator looks for no more than one fault", async () => {
  const schema = `{ properties: { a: { anyOf: [{ type: "array", items: { type: "string" } }, { type: "array", items: { type: "number" } }] } },
    required: ["b", "c"] }`;
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a", { schema }) }));
  const { default: validate } = (await tools["a"]?.validate()) ?? {};
  const { default: explain } = (await tools["a"]?.explain()) ?? {};
  assert.ok(validate && explain);
  assert.equal(validate({ a: [1, 2], b: 0, c: 0 }), true);
  assert.deepEqual([validate({ a: [1] }), validate.errors?.length], [false, 1]);
  assert.deepEqual([explain({ a: [1] }), explain.errors?.length], [false, 2]);
});

test("the code of validators needs nothing but what stands beside it in the bundle", async () => {
  const schema = `{ properties: { a: { type: "string", minLength: 1, format: "email" }, d: { uniqueItems: true } } }`;
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a", { schema }), "b.ts": tool("b", { schema }) }));
  for (const name of ["a", "b"]) {
    const validate = (await tools[name]?.validate())?.default;
    assert.equal(validate?.({ a: "a@example.com", d: [[1], [2]] }), true);
    assert.equal(validate?.({ a: "nobody" }), false);
    assert.equal(validate?.({ d: [[1], [1]] }), false);
  }
});

test("a tool cannot reach the code that checks its arguments", async () => {
  const names = ["tools", "make", "made", "find", "check", "sources"];
  const run = `export const run = () => [${names.map((name) => `typeof ${name}`).join(", ")}];`;
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a", { run }) }));
  const types = (await (await tools["a"]?.load())?.run({}, {})) as string[];
  assert.deepEqual([...new Set(types)], ["undefined"]);
});

test("a tool without INPUT_SCHEMA takes no arguments", async () => {
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a") }));
  const validate = (await tools["a"]?.validate())?.default;
  assert.deepEqual([validate?.({}), validate?.({ a: 1 }), validate?.([]), validate?.(null)], [true, false, false, false]);
});

test("only a call's own properties count", async () => {
  const schema = '{ properties: { toString: { type: "string" } }, required: ["constructor"] }';
  const tools = await loadRecord(admission, await admitFiles(admission, { "a.ts": tool("a", { schema }) }));
  const validate = (await tools["a"]?.validate())?.default;
  assert.equal(validate?.({}), false);
  assert.equal(validate?.({ constructor: 1 }), true);
});

test("K05 two tools of one $id are two validators", async () => {
  const of = (type: string): string => `{ $id: "https://example.com/same", type: "object", properties: { a: { type: "${type}" } } }`;
  const tools = await loadRecord(
    admission,
    await admitFiles(admission, { "a.ts": tool("a", { schema: of("string") }), "b.ts": tool("b", { schema: of("number") }) }),
  );
  const results = await Promise.all(["a", "b"].map(async (name) => (await tools[name]?.validate())?.default({ a: "text" })));
  assert.deepEqual(results, [true, false]);
});

test("K17 names and values of a schema never become code", async () => {
  const evil = JSON.stringify("'] || (globalThis.taken = 1) || data['\"`${globalThis.taken = 1}\u2028\\");
  const schema = `{ type: "object", properties: { ${evil}: { const: ${evil}, description: ${evil} } }, required: [${evil}], patternProperties: { "a'\\\\);globalThis.taken=1;//": {} } }`;
  const record = await admitFiles(admission, { "a.ts": tool("a", { schema }) });
  const tools = await loadRecord(admission, record);
  const value: unknown = JSON.parse(evil);
  for (const side of ["validate", "explain"] as const) {
    const check = (await tools["a"]?.[side]())?.default;
    assert.equal(check?.({ [String(value)]: value }), true);
    assert.equal(check?.({}), false);
  }
  assert.equal(Reflect.get(globalThis, "taken"), undefined);
});

test("a fault of a schema is a reason of its tool alone, with the line it starts at", async () => {
  const record = await admitFiles(admission, { "a.ts": tool("a", { schema: '{ type: "array" }' }), "good.ts": tool("good") });
  assert.deepEqual(
    record.broken.map(({ file, line }) => [file, line]),
    [["a.ts", 4]],
  );
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["good"],
  );
});
