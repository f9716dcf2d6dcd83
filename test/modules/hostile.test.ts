import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { makeModules, moduleOf, names, schema, whyNot } from "./a-module.ts";

const GOOD = { "shared/good.js": moduleOf(["good_one"]) };
const listing = (body: string, after = ""): string =>
  `export function getToolSchemas() { ${body} }\nexport function dispatch(name) { return name; }\n${after}`;

const LATE = /than 400 ms \(listMs\)/u;
const LISTERS: readonly (readonly [what: string, source: string, reason: RegExp])[] = [
  ["loops at its top", `for (;;);\n${moduleOf(["bad_one"])}`, LATE],
  ["loops while it lists", listing("for (;;);"), LATE],
  ["never answers", listing("return new Promise(() => undefined);"), LATE],
  ["loops after an await", listing("return Promise.resolve().then(() => { for (;;); });"), LATE],
  ["floods its microtasks", listing("const again = () => Promise.resolve().then(again); return again();"), LATE],
  ["allocates without end", listing("const all = []; for (;;) all.push(new Array(1e6).fill(0.5));"), /more memory than it may have/u],
  ["throws at its top", `throw new Error("no luck");\n${moduleOf(["bad_one"])}`, /could not be listed: Error: no luck/u],
  ["throws while it lists", listing('throw new TypeError("no list");'), /could not be listed: TypeError: no list/u],
  ["throws what cannot be read", listing("throw new Proxy({}, { get() { throw 1; } });"), /could not be listed: /u],
  ["lists undefined", listing("return undefined;"), /gave a value of type undefined and no array/u],
  ["lists null", listing("return null;"), /gave null and no array/u],
  ["lists a string", listing('return "[]";'), /gave a value of type string and no array/u],
  ["lists nothing", listing("return [];"), /lists no tool/u],
  ["has no list", "export const x = 1;", /exports no function `getToolSchemas`/u],
  ["has a list that is no function", "export const getToolSchemas = [];", /exports no function `getToolSchemas`/u],
  ["lists a million schemas", listing(`return Array(1e6).fill(${schema("bad_one")});`), /more than 128 schemas/u],
  [
    "lists a Proxy of endless length",
    listing("return new Proxy([], { get: (target, key) => key === 'length' ? 1e9 : target[key] });"),
    /more than 128 schemas/u,
  ],
  ["lists a Proxy that loops", listing("return new Proxy([], { get() { for (;;); } });"), LATE],
  [
    "asks the host while it lists",
    'import { readFile } from "node:fs/promises";\n' + listing('return readFile("/workspace/x");'),
    /could not be listed: .*while tools are listed/u,
  ],
  ["fetches while it lists", listing('return fetch("https://example.com/");'), /could not be listed: /u],
  ["is no source", "export function {", /Syntax error/u],
  ["is empty", "", /exports no function `getToolSchemas`|The file is empty/u],
  ["is binary", "\0\0", /not UTF-8 text/u],
  ["imports what is not there", 'import "./_no.js";\n' + moduleOf(["bad_one"]), /is not in the folder/u],
  ["imports out of its folder", 'import "../../secret.js";\n' + moduleOf(["bad_one"]), /leads out of the folder/u],
  ["asks for all of the machine", 'export const RUNTIME = "worker";\n' + moduleOf(["bad_one"]), /a tool module runs sealed/u],
  ["asks for every host", 'export const PERMISSIONS = { network: ["*"] };\n' + moduleOf(["bad_one"]), /asks for every host/u],
  [
    "computes its permissions",
    "export const PERMISSIONS = make();\nfunction make() { return {}; }\n" + moduleOf(["bad_one"]),
    /plain literal/u,
  ],
];

describe("a module that", () => {
  for (const [what, source, reason] of LISTERS) {
    test(`${what} is refused with a sentence, and its neighbour serves`, async () => {
      await using made = await makeModules(
        { ...GOOD, "shared/bad.js": source },
        { watch: false, ...(reason === LATE ? { limits: { listMs: 400 } } : {}) },
      );
      const { engine } = made;
      assert.match(whyNot(engine, "bad"), reason);
      assert.deepEqual(names(engine), ["good_one"]);
      assert.equal((await engine.call("good_one")).text, "it");
      assert.equal(engine.capabilities().find(({ name }) => name === "bad")?.state, "refused");
      for (const { reason: told } of engine.skipped()) assert.ok(!told.includes(made.root), told);
    });
  }
});

const SCHEMAS: readonly (readonly [what: string, source: string, name: string, reason: RegExp])[] = [
  ["no name", '{ description: "d", input_schema: {} }', "bad.js", /Schema 1 has no `name`/u],
  ["a number for a name", '{ name: 1, description: "d", input_schema: {} }', "bad.js", /Schema 1 has no `name`/u],
  ["null in its place", "null", "bad.js", /Schema 1 is no object/u],
  ["no description", '{ name: "bad_a", input_schema: {} }', "bad.js#bad_a", /no `description`/u],
  ["no schema", '{ name: "bad_a", description: "d" }', "bad.js#bad_a", /neither `input_schema` nor `parameters`/u],
  ["a schema that is a function", '{ name: "bad_a", description: "d", input_schema: () => 1 }', "bad.js#bad_a", /no JSON: function/u],
  [
    "a schema that is a BigInt",
    '{ name: "bad_a", description: "d", input_schema: { x: 1n } }',
    "bad.js#bad_a",
    /cannot be read: .*BigInt/u,
  ],
  [
    "a schema that refers to itself",
    "(() => { const x = {}; x.x = x; return { name: 'bad_a', description: 'd', input_schema: x }; })()",
    "bad.js#bad_a",
    /cannot be read: .*circular/u,
  ],
  ["a getter that throws", '{ get name() { throw new Error("peek"); } }', "bad.js", /cannot be read: peek/u],
  ["a getter that throws later", '{ name: "bad_a", get description() { throw new Error("peek"); } }', "bad.js", /cannot be read: peek/u],
  [
    "a schema that is too large",
    '{ name: "bad_a", description: "d", input_schema: { description: "x".repeat(1e5) } }',
    "bad.js#bad_a",
    /larger than 65536 bytes \(schemaBytes\)/u,
  ],
  [
    "a schema with an unknown keyword",
    '{ name: "bad_a", description: "d", input_schema: { propertees: {} } }',
    "bad.js#bad_a",
    /unknown keyword "propertees"/u,
  ],
  ["a schema that is an array", '{ name: "bad_a", description: "d", input_schema: [] }', "bad.js#bad_a", /has to be a JSON Schema/u],
  ["a schema with $async", '{ name: "bad_a", description: "d", input_schema: { $async: true } }', "bad.js#bad_a", /\$async/u],
  [
    "a schema with a __proto__",
    '{ name: "bad_a", description: "d", input_schema: JSON.parse(`{"properties":{"__proto__":{}}}`) }',
    "bad.js#bad_a",
    /__proto__/u,
  ],
  ["the name __proto__", '{ name: "__proto__", description: "d", input_schema: {} }', "bad.js#__proto__", /is not a tool's name/u],
  [
    "another module's name",
    '{ name: "good_two", description: "d", input_schema: {} }',
    "bad.js#good_two",
    /does not begin with the name of its module/u,
  ],
  ["the name of every object's method", '{ name: "toString", description: "d", input_schema: {} }', "bad.js#toString", /does not begin/u],
  [
    "a name with control characters",
    '{ name: "bad_\\u001b[2J", description: "d", input_schema: {} }',
    "bad.js#bad_<U+001B>[2J",
    /"bad_<U\+001B>\[2J" is not a tool's name/u,
  ],
  ["a name of a megabyte", '{ name: "bad_" + "x".repeat(1e6), description: "d", input_schema: {} }', "", /is not a tool's name/u],
  [
    "a description with hidden letters",
    '{ name: "bad_a", description: "fine\\u{E0041}", input_schema: {} }',
    "bad.js#bad_a",
    /invisible character U\+E0041/u,
  ],
  [
    "a description that is too long",
    '{ name: "bad_a", description: "x".repeat(1e6), input_schema: {} }',
    "bad.js#bad_a",
    /longer than 10000 characters/u,
  ],
  [
    "a profile that is no object",
    "{ name: 'bad_odd', description: 'd', input_schema: {} }",
    "bad.js#bad_odd",
    /has to hold an object for each action/u,
  ],
  [
    "a gate that is no boolean",
    "{ name: 'bad_gate', description: 'd', input_schema: {} }",
    "bad.js#bad_gate",
    /`gated` that is neither true nor false/u,
  ],
];

describe("one schema with", () => {
  for (const [what, source, name, reason] of SCHEMAS) {
    test(`${what} is told, and the others stay`, async () => {
      const profile = 'export const EXECUTION_PROFILE = { odd: 1, gate: { gated: "yes" } };';
      const isProfiled = source.includes("bad_odd") || source.includes("bad_gate");
      const files = { "shared/bad.js": listing(`return [${source}, ${schema("bad_fine")}];`, isProfiled ? profile : "") };
      await using made = await makeModules(files, { watch: false });
      const { engine } = made;
      assert.deepEqual(names(engine), ["bad_fine"]);
      const told = name === "" ? (engine.skipped()[0]?.reason ?? "") : whyNot(engine, name);
      assert.match(told, reason);
      assert.ok(told.length < 700, `${told.length} characters`);
      assert.equal((await engine.call("bad_fine")).text, "bad_fine");
    });
  }

  test("a name that another has means that neither is used", async () => {
    await using made = await makeModules({
      "shared/bad.js": listing(`return [${schema("bad_a")}, ${schema("bad_a")}, ${schema("bad_b")}];`),
    });
    assert.deepEqual(names(made.engine), ["bad_b"]);
    assert.match(whyNot(made.engine, "bad.js#bad_a"), /listed more than once/u);
  });
});

describe("a module", () => {
  test("that is a link out of its folder is refused, one within it is not", async () => {
    await using made = await makeModules(
      { "elsewhere/real.js": moduleOf(["out_one"]), "shared/_real.js": moduleOf(["in_one"]) },
      { watch: false },
    );
    symlinkSync(path.join(made.root, "elsewhere/real.js"), path.join(made.shared, "out.js"));
    symlinkSync("_real.js", path.join(made.shared, "in.js"));
    symlinkSync("round.js", path.join(made.shared, "round.js"));
    symlinkSync("/dev/zero", path.join(made.shared, "zero.js"));
    mkdirSync(path.join(made.shared, "folder.js"));
    execFileSync("mkfifo", [path.join(made.shared, "pipe.js")]);
    await made.engine.refresh();
    assert.deepEqual(names(made.engine), ["in_one"]);
    assert.match(whyNot(made.engine, "out"), /leads out of the folder/u);
    assert.match(whyNot(made.engine, "round"), /leads back to itself/u);
    assert.match(whyNot(made.engine, "zero"), /leads out of the folder/u);
    assert.match(whyNot(made.engine, "folder"), /a folder, not a regular file/u);
    assert.match(whyNot(made.engine, "pipe"), /a named pipe, not a regular file/u);
  });

  test("whose list changes with the time is listed once, and stays what it was", async () => {
    const source = listing("const name = 'clock_' + Date.now(); return [{ name, description: 'd', input_schema: {} }];");
    await using made = await makeModules({ "shared/clock.js": source }, { watch: false });
    const [first] = names(made.engine);
    assert.match(String(first), /^clock_\d+$/u);
    await made.engine.refresh();
    assert.deepEqual(names(made.engine), [first]);
    const again = await made.again();
    assert.deepEqual(names(again), [first]);
    assert.equal((await again.call(String(first))).text, first);
  });

  test("that is replaced again and again while it is listed serves what it is in the end, whole", async () => {
    const version = (n: number): string =>
      `${moduleOf([`turn_${n}`], `v${n}`)}await0();\nfunction await0() { const end = Date.now() + 30; while (Date.now() < end); }\n`;
    await using made = await makeModules({ "shared/turn.js": version(0) }, { watch: false });
    for (let n = 1; n <= 12; n += 1) {
      const refreshed = made.engine.refresh();
      writeFileSync(path.join(made.shared, "turn.js"), version(n));
      await refreshed;
      const tools = names(made.engine);
      assert.equal(tools.length, 1);
      const number = Number(String(tools[0]).slice("turn_".length));
      assert.equal((await made.engine.call(String(tools[0]))).text, `v${number}`);
    }
    await made.engine.refresh();
    assert.deepEqual(names(made.engine), ["turn_12"]);
    assert.equal((await made.engine.call("turn_12")).text, "v12");
  });

  test("that takes a shipped tool's name, or a shipped capability's, changes nothing of either", async () => {
    const files = {
      "personal/math.js": moduleOf(["math_evaluate"], "taken"),
      "personal/text_stats.js": moduleOf(["text_stats"], "taken"),
      "shared/time.js": moduleOf(["time_add"], "taken"),
    };
    await using made = await makeModules(files, { watch: false });
    const { engine } = made;
    assert.match(whyNot(engine, "math"), /shadowed by the shipped "math"/u);
    assert.match(whyNot(engine, "time"), /shadowed by the shipped "time"/u);
    assert.match(whyNot(engine, "text_stats.js#text_stats"), /name of a shipped tool/u);
    assert.deepEqual(names(engine), []);
    assert.notEqual((await engine.call("text_stats", { text: "a b" })).text, "taken");
  });

  test("of many that loop keeps an engine no longer than listWaitMs from what else there is", async () => {
    const loopers = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`shared/a${n}.js`, `// ${n}\nfor (;;);`]));
    const begun = performance.now();
    await using made = await makeModules({ ...loopers, ...GOOD }, { limits: { listMs: 2000, listWaitMs: 1000 } });
    const ms = performance.now() - begun;
    assert.ok(ms < 6000, `${Math.round(ms)} ms`);
    assert.ok(made.engine.tools().some(({ name }) => name === "math_evaluate"));
    assert.match(whyNot(made.engine, "a9"), /still being listed|more than 2000 ms/u);
  });

  for (const [what, poison] of [
    ["push", "Array.prototype.push = () => { throw new Error('poison'); };"],
    ["map", "Array.prototype.map = () => [1, { name: 'x' }];"],
    ["JSON", "JSON.stringify = () => '{'; JSON.parse = () => ({ evil: 1 });"],
    ["Object.prototype", "Object.defineProperty(Object.prototype, 'name', { get() { return 'math_evaluate'; } });"],
    ["then", "Promise.prototype.then = () => { throw new Error('poison'); };"],
    ["Symbol.iterator", "Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };"],
  ] as const) {
    test(`that poisons ${what} harms itself at most`, async () => {
      const files = { ...GOOD, "shared/bad.js": `${moduleOf(["bad_one"])}\n${poison}` };
      await using made = await makeModules(files, { watch: false, limits: { listMs: 1000 } });
      const { engine } = made;
      assert.equal((await engine.call("good_one")).text, "it");
      assert.ok(names(engine).every((name) => ["good_one", "bad_one"].includes(name)));
      if (!names(engine).includes("bad_one")) assert.ok(engine.skipped().length > 0);
      assert.equal((await engine.call("math_evaluate", { expression: "1+1" })).ok, true);
    });
  }

  test("is given nothing of the host, and leaves nothing behind, while it is listed", async () => {
    const source = listing("globalThis.left = 1; return [{ name: 'spy_look', description: 'd', input_schema: {} }];", "").replace(
      "return name;",
      "return [typeof Deno, typeof globalThis.left, typeof module];",
    );
    await using made = await makeModules({ "shared/spy.js": source }, { watch: false });
    const { payload } = await made.engine.call("spy_look");
    assert.deepEqual(payload, ["undefined", "undefined", "undefined"]);
  });
});
