import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { toolFile, type Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1").toString("base64");

// What each tool returns, what the model reads of it, what the owner keeps.
const RETURNS: Readonly<Record<string, readonly [source: string, text: string, payload: unknown]>> = {
  a_string: ['"hi"', "hi", null],
  an_empty_string: ['""', "", null],
  nothing: ["undefined", "", null],
  null_itself: ["null", "", null],
  a_number: ["42", "42", 42],
  a_boolean: ["false", "false", false],
  an_array: ["[1, [2], { a: 3 }]", '[1,[2],{"a":3}]', [1, [2], { a: 3 }]],
  an_object: ["({ a: 1, b: undefined })", '{"a":1}', { a: 1 }],
  a_result: ['({ text: "t", summary: "s", payload: { p: 1 } })', "t", { p: 1 }],
  a_result_alone: ['({ text: "t" })', "t", null],
  a_promise: ['Promise.resolve("later")', "later", null],
  a_thenable: ['({ then: (resolve) => resolve("then") })', "then", null],
  a_map: ['new Map([["a", 1], ["b", new Map([["c", 2]])]])', '{"a":1,"b":{"c":2}}', { a: 1, b: { c: 2 } }],
  a_map_of_numbers: ['new Map([[1, "a"]])', '[[1,"a"]]', [[1, "a"]]],
  a_set: ["new Set([1, 2])", "[1,2]", [1, 2]],
  a_date: ["new Date(0)", '"1970-01-01T00:00:00.000Z"', "1970-01-01T00:00:00.000Z"],
  no_date: ["new Date(NaN)", "null", null],
  not_a_number: ["[NaN, Infinity, -Infinity, -0]", "[null,null,null,0]", [null, null, null, 0]],
  a_big_int: ["[10n ** 30n]", '["1000000000000000000000000000000"]', ["1000000000000000000000000000000"]],
  a_reg_exp: ["[/a+/gi]", '["/a+/gi"]', ["/a+/gi"]],
  an_error: ['[new TypeError("bad")]', '[{"name":"TypeError","message":"bad"}]', [{ name: "TypeError", message: "bad" }]],
  typed_arrays: ["[new Uint8Array([1, 255]), new Float64Array([0.5])]", "[[1,255],[0.5]]", [[1, 255], [0.5]]],
  half_floats: ["[new Float16Array([0.5, 2])]", "[[0.5,2]]", [[0.5, 2]]],
  a_class: ["new (class Point { x = 1; get y() { return 2; } })()", '{"x":1}', { x: 1 }],
  a_to_json: ["({ toJSON: () => ({ as: 'json' }) })", '{"as":"json"}', { as: "json" }],
  a_bare_object: ["Object.assign(Object.create(null), { a: 1 })", '{"a":1}', { a: 1 }],
  an_alias: ["(() => { const shared = { s: 1 }; return [shared, shared]; })()", '[{"s":1},{"s":1}]', [{ s: 1 }, { s: 1 }]],
  a_hole: ["[, 1]", "[null,1]", [null, 1]],
  half_characters: [
    '({ text: "a\\ud800b", summary: "c\\udc00", payload: { "k\\ud800": "v\\udbff" } })',
    "a\ufffdb",
    { "k\ufffd": "v\ufffd" },
  ],
  whole_characters: ['({ text: "\\u{1f600}", payload: ["\\u{1f600}", "\\\\ud800"] })', "\u{1f600}", ["\u{1f600}", "\\ud800"]],
  a_terminal_text: ['"\\u001b[31mred\\u001b[0m\\u0007"', "red", null],
};

const REFUSED: Readonly<Record<string, readonly [source: string, says: RegExp]>> = {
  a_function: ["[() => 1]", /function at `result\.0`: return data only/u],
  a_symbol: ["({ s: Symbol('s') })", /symbol at `result\.s`: return data only/u],
  a_circle: ["(() => { const circle = []; circle.push(circle); return circle; })()", /refers to itself/u],
  a_data_view: ["[new DataView(new ArrayBuffer(8))]", /DataView/u],
  a_huge_big_int: ["({ n: 1n << 5000n })", /BigInt at `result\.n` is too large/u],
  a_throwing_getter: ["({ get value() { throw new Error('no entry'); } })", /Reading the result threw Error: no entry/u],
  a_numeric_summary: ["({ text: 't', summary: 5 })", /`summary` of the result must be a string/u],
  images_that_are_none: ["({ text: 't', images: 'png' })", /`images` of the result must be an array/u],
  a_malformed_image: ["({ text: 't', images: [{ data: 1 }] })", /Image 1 must be/u],
  svg: [
    `({ text: "t", images: [{ mediaType: "image/svg+xml", data: "${Buffer.from("<svg/>").toString("base64")}" }] })`,
    /no PNG, JPEG, GIF or WebP/u,
  ],
  bad_base64: ["({ text: 't', images: [{ mediaType: 'image/png', data: 'no base64!' }] })", /not valid base64/u],
};

const more: Files = {
  "demo/pictures.js": toolFile(
    "pictures",
    `const run = () => ({ text: "look", images: [{ mediaType: "image/jpeg", data: "${PNG}" }, { media_type: "image/png", data: "${PNG}", forOwner: true }] });`,
  ),
  "demo/depths.js": toolFile("depths", "const run = (context, { depth }) => ({ text: '['.repeat(depth) + ']'.repeat(depth) });"),
};

let made: TestEngine;
before(async () => {
  const files: Record<string, string> = {};
  for (const [name, [source]] of [...Object.entries(RETURNS), ...Object.entries(REFUSED)]) {
    files[`demo/${name}.js`] = toolFile(name, `const run = () => ${source};`, { schema: "" });
  }
  made = await makeEngine({ ...files, ...more });
});
after(() => made[Symbol.asyncDispose]());

describe("what a tool returns becomes text and payload:", () => {
  for (const [name, [source, text, payload]] of Object.entries(RETURNS)) {
    test(`${name} ${source}`, async () => {
      const outcome = await made.engine.call(name);
      assert.equal(outcome.ok, true, outcome.text);
      assert.deepEqual([outcome.text, outcome.payload], [text, payload]);
    });
  }
});

describe("what can be no result is BAD_RESULT:", () => {
  for (const [name, [source, says]] of Object.entries(REFUSED)) {
    test(`${name} ${source}`, async () => {
      const { error, text } = await made.engine.call(name);
      assert.deepEqual([error?.code, error?.phase, error?.started], ["BAD_RESULT", "result", true], text);
      assert.match(text, says);
    });
  }
});

test("a picture that calls itself something else gets its own type, one for the owner stays his", async () => {
  const { images } = await made.engine.call("pictures");
  assert.deepEqual(images, [
    { mediaType: "image/png", data: PNG, forOwner: false },
    { mediaType: "image/png", data: PNG, forOwner: true },
  ]);
});

test("a summary is one clean line", async () => {
  assert.equal((await made.engine.call("half_characters")).summary, "c\ufffd");
});

test("a text that is JSON nested without end is cut like any other", async () => {
  const outcome = await made.engine.call("depths", { depth: 500_000 }, { resultLimit: 1000 });
  assert.equal(outcome.ok, true, outcome.text);
  assert.deepEqual([outcome.text.length <= 1000, outcome.trimmed?.total], [true, 1_000_000]);
});
