import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeModules, moduleOf, names, schema, whyNot } from "./a-module.ts";

/** The template of one tool, as its authors write it. */
const MY_TOOL = `
export function getToolSchemas() {
  return [{
    name: "my_tool_action",
    description: "Description of what this tool does",
    input_schema: {
      type: "object",
      properties: {
        param1: { type: "string", description: "Parameter description" },
        param2: { type: "integer", description: "Optional parameter", default: 10 },
      },
      required: ["param1"],
    },
  }];
}
export function dispatch(name: string, args: { param1: string; param2: number }): unknown {
  if (name === "my_tool_action") return doAction(args);
  throw new Error(\`Unknown tool: \${name}\`);
}
function doAction({ param1, param2 }: { param1: string; param2: number }) {
  return { result: \`Processed \${param1} with \${param2}\`, args: Object.keys(arguments[0]) };
}
`;

describe("a tool module", () => {
  test("lists what getToolSchemas says, and dispatch runs it with arguments that were checked and nothing else in them", async () => {
    await using made = await makeModules({ "personal/my_tool.ts": MY_TOOL }, { watch: false });
    const { engine } = made;
    const tool = engine.tools().find(({ kind }) => kind === "module");
    assert.deepEqual([tool?.name, tool?.capability, tool?.source, tool?.runtime], ["my_tool_action", "my_tool", "personal", "isolate"]);
    assert.deepEqual(tool?.inputSchema["required"], ["param1"]);
    const { ok, text, payload } = await engine.call("my_tool_action", { param1: "x" });
    assert.deepEqual([ok, payload], [true, { result: "Processed x with 10", args: ["param1", "param2"] }]);
    assert.deepEqual(JSON.parse(text), payload);
    assert.equal((await engine.call("my_tool_action", {})).error?.code, "INVALID_ARGUMENTS");
    assert.equal((await engine.call("my_tool_action", { param1: "x", anima_dir: "/" })).ok, true);
    const capability = engine.capabilities().find(({ name }) => name === "my_tool");
    assert.deepEqual([capability?.kind, capability?.label, capability?.state, capability?.hasCli], ["module", "My Tool", "ready", false]);
  });

  for (const ending of ["ts", "mts", "js", "mjs"]) {
    test(`may be a .${ending}`, async () => {
      await using made = await makeModules({ [`shared/abc.${ending}`]: moduleOf(["abc_one"]) }, { watch: false });
      assert.equal((await made.engine.call("abc_one")).text, "it");
    });
  }

  test("may be written in the names of its Python models", async () => {
    const source = `
export const get_tool_schemas = async () => [
  { name: "abc_one", description: "d", input_schema: { type: "object" } },
  { name: "abc_two", description: "d", parameters: { type: "object", properties: { x: { type: "string" } } } },
  { name: "abc_three", description: "d", inputSchema: {} },
];
export const dispatch = async (name, args) => [name, args];
export const cli_main = () => "cli";`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    assert.deepEqual(names(made.engine), ["abc_one", "abc_three", "abc_two"]);
    assert.deepEqual((await made.engine.call("abc_two", { x: "1" })).payload, ["abc_two", { x: "1" }]);
    for (const { inputSchema } of made.engine.tools()) assert.equal(inputSchema["type"], "object");
    assert.equal((await made.engine.runCli("abc", [])).text, "cli");
  });

  test("may have a function for each tool instead of dispatch, with its module's name before it or without", async () => {
    const source = `
export const getToolSchemas = () => [${["abc_one", "abc_two", "abc_none", "abc_constructor", "abc_unload", "abc"].map((name) => schema(name)).join(", ")}];
export const abc_one = (args) => "one";
export function two(args, context) { return typeof context.progress; }
export function abc() { return "itself"; }
export function unload() {}`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    const { engine } = made;
    assert.deepEqual(names(engine), ["abc", "abc_one", "abc_two"]);
    for (const name of ["none", "constructor", "unload"])
      assert.match(whyNot(engine, `abc.js#abc_${name}`), /neither a `dispatch` nor a function/u);
    assert.deepEqual([(await engine.call("abc_one")).text, (await engine.call("abc_two")).text], ["one", "function"]);
    assert.equal((await engine.call("abc")).text, "itself");
  });

  test("may be its default export, or CommonJS", async () => {
    const files = {
      "shared/abc.js": `export default { getToolSchemas: () => [${schema("abc_one")}], dispatch() { return this.answer; }, answer: "mine" };`,
      "shared/cjs.js": `module.exports = { getToolSchemas: () => [${schema("cjs_one")}], dispatch: () => "cjs" };`,
      "shared/made.js": `export default new (class Tool { getToolSchemas() { return [${schema("made_one")}]; } made_one() { return "class"; } })();`,
    };
    await using made = await makeModules(files, { watch: false });
    const texts = await Promise.all(["abc_one", "cjs_one", "made_one"].map(async (name) => (await made.engine.call(name)).text));
    assert.deepEqual(texts, ["mine", "cjs", "class"]);
  });

  test("may import from its folder, and is one module for all of its tools", async () => {
    const source = `
import { count } from "./_lib/count.ts";
export const getToolSchemas = () => [${schema("abc_one")}, ${schema("abc_two")}];
export const dispatch = () => count();`;
    await using made = await makeModules(
      { "shared/abc.ts": source, "shared/_lib/count.ts": "let n = 0;\nexport const count = (): number => ++n;" },
      { watch: false },
    );
    await made.engine.call("abc_one");
    await made.engine.call("abc_two");
    assert.equal((await made.engine.call("abc_one")).text, "3");
  });

  test("reads its permissions, its limits, its label and its description as a folder's index does", async () => {
    const constants = `export const LABEL = "ABC";\nexport const DESCRIPTION = "Does abc.";\nexport const VERSION = "1.2.3";
export const PERMISSIONS = { storage: true };\nexport const LIMITS = { callMs: 500 };\n`;
    const source = `${constants}
export const getToolSchemas = () => [${schema("abc_keep")}];
export async function dispatch(name, args, context) { await context.storage.set("a", 1); return await context.storage.get("a"); }`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    const { engine } = made;
    const entry = engine.capabilities().find(({ name }) => name === "abc");
    assert.deepEqual(
      [entry?.label, entry?.description, entry?.version, entry?.state, entry?.permissions, entry?.grants],
      ["ABC", "Does abc.", "1.2.3", "waiting", { storage: true }, {}],
    );
    assert.equal((await engine.call("abc_keep")).error?.code, "PERMISSION_DENIED");
    await engine.grant("abc");
    assert.equal((await engine.call("abc_keep")).text, "1");
  });

  test("is switched off as a folder is", async () => {
    await using made = await makeModules({ "shared/abc.js": moduleOf(["abc_one"]) }, { watch: false });
    await made.engine.disable("abc");
    assert.deepEqual(names(made.engine), []);
    await made.engine.enable("abc");
    assert.deepEqual(names(made.engine), ["abc_one"]);
  });

  test("has no folder of its own, and sees nothing of its neighbours", async () => {
    const source = `
import { readdir } from "node:fs/promises";
export const getToolSchemas = () => [${schema("abc_look")}];
export const dispatch = () => readdir("/capability");`;
    await using made = await makeModules({ "shared/abc.js": source, "shared/secret.json": "{}" }, { watch: false });
    const { ok, text } = await made.engine.call("abc_look");
    assert.equal(ok, false);
    assert.ok(!text.includes("secret"));
  });

  test("files that are none are not looked at", async () => {
    const files = {
      "shared/_helper.js": "",
      "shared/.hidden.js": "",
      "shared/types.d.ts": "",
      "shared/abc.test.ts": "",
      "shared/README.md": "",
      "shared/package.json": "{}",
    };
    await using made = await makeModules(files, { watch: false });
    assert.deepEqual([names(made.engine), made.engine.skipped()], [[], []]);
  });

  test("of a name that is none is told", async () => {
    const files = {
      "shared/My Tool.js": moduleOf(["x"]),
      "shared/a.js": moduleOf(["a_x"]),
      "shared/b\u001bb.js": "",
      "shared/shell.js": moduleOf(["shell_run"]),
    };
    await using made = await makeModules(files, { watch: false });
    const { engine } = made;
    assert.match(whyNot(engine, "My Tool.js"), /"My Tool" is not a module's name/u);
    assert.match(whyNot(engine, "a.js"), /is not a module's name/u);
    assert.match(whyNot(engine, "b<U+001B>b.js"), /is not a module's name/u);
    assert.match(whyNot(engine, "shell"), /belongs to a capability that comes with the engine/u);
  });
});

describe("what a module's tool returns", () => {
  const RESULTS: readonly (readonly [what: string, value: string, text: string, payload: unknown])[] = [
    ["undefined", "undefined", "(no output)", null],
    ["null", "null", "(no output)", null],
    ["an empty text", '""', "(no output)", null],
    ["a text", '"words"', "words", null],
    ["a number", "7", "7", 7],
    ["false", "false", "false", false],
    ["a list", "[1, { a: null }]", '[1,{"a":null}]', [1, { a: null }]],
    ["an empty list", "[]", "[]", []],
    ["a dictionary", '{ a: "b" }', '{"a":"b"}', { a: "b" }],
    ["a dictionary with a text among others", '{ text: "t", score: 1 }', '{"text":"t","score":1}', { text: "t", score: 1 }],
    ["a result in the engine's own form", '{ text: "t", payload: { all: 1 } }', "t", { all: 1 }],
  ];
  for (const [what, value, text, payload] of RESULTS) {
    test(`${what} is ${text}`, async () => {
      const source = `export const getToolSchemas = () => [${schema("abc_one")}];\nexport const dispatch = () => (${value});`;
      await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
      const outcome = await made.engine.call("abc_one");
      assert.deepEqual([outcome.ok, outcome.text, outcome.payload], [true, text, payload]);
    });
  }

  test("an error is a failure, and never a text that looks like one", async () => {
    const source = `import { ToolError } from "toolcell/tool";
export const getToolSchemas = () => [${schema("abc_throw")}, ${schema("abc_refuse")}, ${schema("abc_say")}];
export function dispatch(name) {
  if (name === "abc_throw") throw new Error("broke");
  if (name === "abc_refuse") throw new ToolError("not like this");
  return "Error: it says";
}`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    const codes = await Promise.all(["throw", "refuse", "say"].map(async (name) => (await made.engine.call(`abc_${name}`)).error?.code));
    assert.deepEqual(codes, ["TOOL_EXCEPTION", "TOOL_ERROR", undefined]);
  });
});

describe("EXECUTION_PROFILE", () => {
  test("stands with each tool, by its action or by its whole name, and says nothing where it says nothing", async () => {
    const source = `${moduleOf(["abc_slow", "abc_full", "abc_plain"])}
export const EXECUTION_PROFILE = {
  slow: { expected_seconds: 90, background_eligible: true },
  abc_full: { expectedSeconds: 1.5, backgroundEligible: true, retrySafe: true, gated: false },
};`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    const profiles = Object.fromEntries(made.engine.tools().map(({ name, profile }) => [name, profile]));
    const none = { expectedSeconds: null, backgroundEligible: false, gated: false, retrySafe: false };
    assert.deepEqual(profiles["abc_slow"], { ...none, expectedSeconds: 90, backgroundEligible: true });
    assert.deepEqual(profiles["abc_full"], { expectedSeconds: 1.5, backgroundEligible: true, gated: false, retrySafe: true });
    assert.deepEqual([profiles["abc_plain"], profiles["math_evaluate"]], [none, none]);
  });

  test("of an action that there is none of is told, since a gate would stand open", async () => {
    const source = `${moduleOf(["abc_post"])}\nexport const EXECUTION_PROFILE = { psot: { gated: true } };`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    assert.match(whyNot(made.engine, "abc.js"), /names "psot", and no schema is called so/u);
  });

  test("that is no object refuses the module", async () => {
    await using made = await makeModules(
      { "shared/abc.js": `${moduleOf(["abc_post"])}\nexport const EXECUTION_PROFILE = [];` },
      { watch: false },
    );
    assert.match(whyNot(made.engine, "abc"), /EXECUTION_PROFILE has to be an object/u);
  });

  test("is read of a capability folder's tool too, as the literal that it is", async () => {
    const tool = (name: string, profile: string): string =>
      `export const NAME = "${name}";\nexport const DESCRIPTION = "d";\nexport const EXECUTION_PROFILE = ${profile};\nexport const run = () => "ran";\n`;
    const files = {
      "capabilities/demo/one.js": tool("one", "{ background_eligible: true, retry_safe: true }"),
      "capabilities/demo/two.js": tool("two", "{ gated: 1 }"),
      "capabilities/demo/three.js": tool("three", "{ gated: true }"),
    };
    await using made = await makeModules(files, { watch: false });
    const { engine } = made;
    assert.deepEqual(engine.tools().find(({ name }) => name === "one")?.profile, {
      expectedSeconds: null,
      backgroundEligible: true,
      gated: false,
      retrySafe: true,
    });
    assert.match(whyNot(engine, "two.js:3"), /`gated` that is neither true nor false/u);
    assert.match(whyNot(engine, "three.js"), /"three" is gated/u);
  });
});

describe("a module's own command line", () => {
  test("is handed all words, and what it prints is its text", async () => {
    const source = `${moduleOf(["abc_one"])}
import { stdout } from "node:process";
export async function cliMain(argv) {
  console.log("words: %d", argv.length, argv);
  await null;
  stdout.write("and this\\n");
  console.error("for the log");
  if (argv[0] === "odd") { const circle = {}; circle.circle = circle; console.log(1n, undefined, circle, new Error("x"), null, "%s"); }
  if (argv[0] === "fail") return 3;
  if (argv[0] === "throw") throw new Error("broke");
  if (argv[0] === "value") return { rows: 2 };
}`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    const { engine } = made;
    assert.deepEqual((await engine.runCli("abc", ["a", "--b"])).text, 'words: 2 ["a","--b"]\nand this');
    assert.match((await engine.runCli("abc", ["odd"])).text, /\n1n undefined \[object\] Error: x null %s$/u);
    const failed = await engine.runCli("abc", ["fail"]);
    assert.deepEqual([failed.ok, failed.error?.code], [false, "TOOL_ERROR"]);
    assert.match(failed.text, /words: 1/u);
    assert.equal((await engine.runCli("abc", ["throw"])).error?.code, "TOOL_EXCEPTION");
    assert.deepEqual((await engine.runCli("abc", ["value"])).payload, { rows: 2 });
    const many = await Promise.all(["1", "2", "3"].map((word) => engine.runCli("abc", [word])));
    assert.deepEqual(
      many.map(({ text }) => text.split("\n")[0]),
      ['words: 1 ["1"]', 'words: 1 ["2"]', 'words: 1 ["3"]'],
    );
    assert.ok(made.log.some(({ message }) => message === "for the log"));
  });

  test("is nobody's tool to call", async () => {
    await using made = await makeModules(
      { "shared/abc.js": `${moduleOf(["abc_one"])}export const cliMain = () => "ran";` },
      { watch: false },
    );
    const outcome = await made.engine.call("abc#cli", { argv: [] });
    assert.equal(outcome.error?.code, "UNKNOWN_TOOL");
    assert.ok(!outcome.text.includes("#cli,"));
    assert.equal((await made.engine.runCli("abc", [])).text, "ran");
    assert.match((await made.engine.runCli("nobody", [])).text, /There is: abc/u);
  });

  test("could do what any of its tools does, so it is not there where one of them may not be used", async () => {
    const source = `${moduleOf(["abc_post", "abc_query"])}
export const EXECUTION_PROFILE = { post: { gated: true } };
export const cliMain = () => "posted";`;
    await using made = await makeModules({ "shared/abc.js": source }, { watch: false });
    assert.equal((await made.engine.runCli("abc", ["post"])).error?.code, "UNKNOWN_TOOL");
  });
});

describe("the tiers", () => {
  test("a personal module shadows a shared one of its name, and is named for it", async () => {
    const files = { "personal/abc.js": moduleOf(["abc_one"], "personal"), "shared/abc.ts": moduleOf(["abc_one", "abc_two"], "shared") };
    await using made = await makeModules(files, { watch: false });
    const { engine } = made;
    assert.equal((await engine.call("abc_one")).text, "personal");
    assert.deepEqual(names(engine), ["abc_one"]);
    assert.deepEqual(engine.skipped(), [
      {
        source: "shared",
        name: "abc",
        reason: 'It is shadowed by the personal module "abc", which comes before it; rename the file to use both',
      },
    ]);
  });

  test("a shadow does not depend on who is well: a broken personal module hides the shared one as well", async () => {
    const files = { "personal/abc.js": "export function {", "shared/abc.js": moduleOf(["abc_one"], "shared") };
    await using made = await makeModules(files, { watch: false });
    assert.deepEqual(names(made.engine), []);
    assert.match(whyNot(made.engine, "abc"), /Syntax error|shadowed/u);
    assert.equal(made.engine.skipped().length, 2);
  });

  test("a folder of the home's comes before a module of its name", async () => {
    const files = {
      "home/capabilities/abc/one.js": 'export const NAME = "one", DESCRIPTION = "d", run = () => "folder";',
      "personal/abc.js": moduleOf(["abc_one"]),
    };
    await using made = await makeModules(files, { watch: false });
    assert.match(whyNot(made.engine, "abc"), /shadowed by the capability "abc"/u);
    assert.equal((await made.engine.call("one")).text, "folder");
  });

  test("two files of one name are neither", async () => {
    await using made = await makeModules(
      { "shared/abc.js": moduleOf(["abc_one"]), "shared/abc.ts": moduleOf(["abc_one"]) },
      { watch: false },
    );
    assert.deepEqual(names(made.engine), []);
    assert.equal(whyNot(made.engine, "abc"), 'There are both "abc.js" and "abc.ts" here; keep one');
  });

  test("without an agent there are no personal tools, and a home without shared ones is fine", async () => {
    await using made = await makeModules({ "personal/abc.js": moduleOf(["abc_one"]) }, { watch: false });
    const { createEngine } = await import("toolcell");
    await using other = await createEngine({ home: `${made.root}/other-home`, watch: false });
    assert.deepEqual([names(other), other.skipped()], [[], []]);
  });
});
