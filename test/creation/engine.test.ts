import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { createEngine, CREATION_CODES, ToolCreationError, type CreationCode } from "toolcell";
import { makeModules, moduleOf, names, type ModuleEngine } from "../modules/a-module.ts";

const MAY = JSON.stringify({ version: 1, tool_creation: { personal: true, shared: true } });
const ALLOWED = { "agent/permissions.json": MAY };
const CODE = moduleOf(["my_tool_action"], "written");

function refusal(code: CreationCode, says: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof ToolCreationError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, says);
    assert.ok(!/\/(?:tmp|agent|home)\//u.test(error.message), error.message);
    return true;
  };
}

async function text(made: ModuleEngine, tool: string): Promise<string> {
  return (await made.engine.call(tool)).text;
}

test("a tool that is written can be called at once, and stands whole in the agent's own folder", async () => {
  await using made = await makeModules(ALLOWED, { watch: false });
  rmSync(made.personal, { recursive: true });
  assert.deepEqual(await made.engine.writeTool("my_tool", CODE), {
    name: "my_tool",
    tier: "personal",
    tools: ["my_tool_action"],
    replaced: false,
  });
  assert.equal(await text(made, "my_tool_action"), "written");
  assert.deepEqual(readdirSync(made.personal), ["my_tool.ts"]);
  assert.equal(readFileSync(path.join(made.personal, "my_tool.ts"), "utf8"), CODE);
});

test("a tool of the same name is replaced only by who says so, under the file's own name", async () => {
  await using made = await makeModules({ ...ALLOWED, "personal/my_tool.mjs": moduleOf(["my_tool_action"], "old") }, { watch: false });
  const { engine } = made;
  await assert.rejects(engine.writeTool("my_tool", CODE), refusal("FileExists", /has a tool "my_tool" already: say `overwrite`/u));
  assert.equal(await text(made, "my_tool_action"), "old");
  assert.equal((await engine.writeTool("my_tool", CODE, { overwrite: true })).replaced, true);
  assert.equal(await text(made, "my_tool_action"), "written");
  assert.deepEqual(readdirSync(made.personal), ["my_tool.mjs"]);
});

test("what a tool imports from beside it is there while it is checked", async () => {
  await using made = await makeModules(
    { ...ALLOWED, "personal/_words.ts": 'export const word: string = "from beside";' },
    { watch: false },
  );
  const code = moduleOf(["my_tool_action"]).replace('"it"', "word");
  await made.engine.writeTool("my_tool", `import { word } from "./_words.ts";\n${code}`);
  assert.equal(await text(made, "my_tool_action"), "from beside");
  // Alone it would not be whole.
  await assert.rejects(made.engine.shareTool("my_tool"), refusal("InvalidArguments", /"my_tool" was not saved.*_words\.ts/u));
  assert.deepEqual(readdirSync(made.shared), []);
});

describe("a tool is not written", () => {
  for (const [what, name, code, says] of [
    ["outside its folder", "../my_tool", CODE, /is no name for a tool/u],
    ["under a path", "a/b", CODE, /is no name for a tool/u],
    ["under a hidden name", ".my_tool", CODE, /is no name for a tool/u],
    ["under a file's name", "my_tool.ts", CODE, /is no name for a tool/u],
    ["under a name with capitals", "MyTool", CODE, /is no name for a tool/u],
    ["under no name", "", CODE, /is no name for a tool/u],
    ["under a long name", "a".repeat(41), CODE, /is no name for a tool/u],
    ["under a name with a line end", "my_tool\n", CODE, /is no name for a tool/u],
    ["under a device's name", "con", moduleOf(["con_act"]), /"con" is the name of a device/u],
    ["under the name of a shipped capability", "math", CODE, /is the name of something else that is installed/u],
    ["under the name of what writes it", "tool_creation", CODE, /is the name of something else that is installed/u],
    ["without code", "my_tool", "  ", /`code` must be the text of a TypeScript module/u],
    ["as code that is no module", "my_tool", "export function (", /"my_tool" was not saved, .*: my_tool:1: Syntax error/u],
    ["as code that lists no tools", "my_tool", "export const x = 1;", /was not saved, since it would not be taken/u],
    ["as code that throws while it lists", "my_tool", "export function getToolSchemas() { throw new Error('not today'); }", /not today/u],
    [
      "as code with one tool that is none",
      "my_tool",
      CODE.replace("getToolSchemas() { return [", "getToolSchemas() { return [{},"),
      /was not saved/u,
    ],
    ["as code that takes a shipped tool's name", "my_tool", moduleOf(["math_evaluate"]), /"math_evaluate" does not begin with/u],
    [
      "as code that takes another module's tool's name",
      "abc_query",
      moduleOf(["abc_query_all"]),
      /"abc" has a tool "abc_query_all" already/u,
    ],
    ["as code that imports what is not there", "my_tool", `import "left-pad";\n${CODE}`, /left-pad/u],
    ["as code that reaches outside", "my_tool", `import "../permissions.json";\n${CODE}`, /was not saved/u],
    ["as more code than is read", "my_tool", `${CODE}//${"x".repeat(1024 * 1024)}`, /larger than 1048576 bytes/u],
  ] as const) {
    test(what, async () => {
      await using made = await makeModules({ ...ALLOWED, "personal/abc.js": moduleOf(["abc_query_all"]) }, { watch: false });
      await assert.rejects(made.engine.writeTool(name, code), refusal("InvalidArguments", says));
      assert.deepEqual(readdirSync(made.personal), ["abc.js"]);
      assert.deepEqual(names(made.engine), ["abc_query_all"]);
    });
  }

  test("as code that loops while it lists, and the engine goes on", async () => {
    await using made = await makeModules(ALLOWED, { watch: false, limits: { listMs: 300 } });
    await assert.rejects(made.engine.writeTool("my_tool", "for (;;);"), refusal("InvalidArguments", /was not saved/u));
    assert.deepEqual(readdirSync(made.personal), []);
    assert.equal((await made.engine.call("math_evaluate", { expression: "1 + 1" })).text.trim(), "2");
  });

  for (const [what, permissions] of [
    ["without a permissions.json", null],
    ["where it says no", '{"version":1,"tool_creation":{"personal":false}}'],
    ["where it says nothing of it", '{"version":1}'],
    ["where it has a comma too many", '{"version":1,"tool_creation":{"personal":true,},}'],
    ["where it is of another version", '{"version":2,"tool_creation":{"personal":true}}'],
  ] as const) {
    test(what, async () => {
      await using made = await makeModules(permissions === null ? {} : { "agent/permissions.json": permissions }, { watch: false });
      await assert.rejects(made.engine.writeTool("my_tool", CODE), refusal("PermissionDenied", /permissions\.json of the agent/u));
      assert.deepEqual(readdirSync(made.personal), []);
    });
  }

  test("once that is withdrawn, in a running engine", async () => {
    await using made = await makeModules(ALLOWED, { watch: false });
    await made.engine.writeTool("my_tool", CODE);
    writeFileSync(path.join(made.agentDir, "permissions.json"), '{"version":1,"tool_creation":{"personal":"no"}}');
    await assert.rejects(made.engine.writeTool("other", CODE), refusal("PermissionDenied", /`tool_creation\.personal`/u));
  });

  test("through a link in the place of its folder", async () => {
    await using made = await makeModules({ ...ALLOWED, "outside/.keep": "" }, { watch: false });
    rmSync(made.personal, { recursive: true });
    symlinkSync(path.join(made.root, "outside"), made.personal);
    await assert.rejects(made.engine.writeTool("my_tool", CODE), refusal("PermissionDenied", /is a link or no folder/u));
    assert.deepEqual(readdirSync(path.join(made.root, "outside")), [".keep"]);
  });

  test("over what a link of its name leads to: the link goes, and what it led to stays", async () => {
    await using made = await makeModules({ ...ALLOWED, "outside/victim.ts": "untouched" }, { watch: false });
    symlinkSync(path.join(made.root, "outside/victim.ts"), path.join(made.personal, "my_tool.ts"));
    await assert.rejects(made.engine.writeTool("my_tool", CODE), refusal("FileExists", /already/u));
    await made.engine.writeTool("my_tool", CODE, { overwrite: true });
    assert.equal(readFileSync(path.join(made.root, "outside/victim.ts"), "utf8"), "untouched");
    assert.equal(await text(made, "my_tool_action"), "written");
  });

  test("for nobody", async () => {
    await using made = await makeModules(ALLOWED, { watch: false });
    await using engine = await createEngine({ home: made.home, watch: false });
    await assert.rejects(engine.writeTool("my_tool", CODE), refusal("InvalidArguments", /There is no agent.*`--agent DIR`/u));
    await assert.rejects(engine.shareTool("my_tool"), refusal("InvalidArguments", /There is no agent/u));
  });
});

test("writers of the same tool at once: one writes it, the others are told so, and nothing stays behind", async () => {
  await using made = await makeModules(ALLOWED, { watch: false });
  const other = await made.again();
  const codes = ["a", "b", "c", "d"].map((answer) => moduleOf(["my_tool_action"], answer));
  const ends = await Promise.allSettled(codes.map((code, at) => (at % 2 === 0 ? made.engine : other).writeTool("my_tool", code)));
  assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
  for (const end of ends) if (end.status === "rejected") assert.equal((end.reason as ToolCreationError).code, "FileExists");
  assert.deepEqual(readdirSync(made.personal), ["my_tool.ts"]);
});

test("a draft that a process left which was killed is swept away with the next tool", async () => {
  await using made = await makeModules({ ...ALLOWED, "personal/.gone.4194304-0a1b2c3d.ts": "for (;;);" }, { watch: false });
  assert.deepEqual(names(made.engine), []);
  await made.engine.writeTool("my_tool", CODE);
  assert.deepEqual(readdirSync(made.personal), ["my_tool.ts"]);
});

describe("a tool is shared", () => {
  const OWN = { ...ALLOWED, "personal/my_tool.ts": CODE };

  test("so that every agent has it, also without the one whose it was", async () => {
    await using made = await makeModules(OWN, { watch: false });
    assert.deepEqual(await made.engine.shareTool("my_tool"), {
      name: "my_tool",
      tier: "shared",
      tools: ["my_tool_action"],
      replaced: false,
    });
    assert.equal(readFileSync(path.join(made.shared, "my_tool.ts"), "utf8"), CODE);
    assert.ok(made.engine.skipped().some(({ name, source }) => name === "my_tool" && source === "shared"));
    const other = await made.again({ agentDir: path.join(made.root, "another") });
    assert.equal(other.tools().find(({ name }) => name === "my_tool_action")?.source, "shared");
    assert.equal((await other.call("my_tool_action")).text, "written");
  });

  for (const [what, name, files, code, says] of [
    ["by a name that is none", "../my_tool", OWN, "InvalidArguments", /"\.\.\/my_tool" is no name for a tool/u],
    ["that is not there", "other_tool", OWN, "FileNotFound", /The agent has no tool "other_tool" of its own: write it first/u],
    [
      "without permission",
      "my_tool",
      { ...OWN, "agent/permissions.json": '{"version":1,"tool_creation":{"personal":true,"shared":false}}' },
      "PermissionDenied",
      /does not allow it to make shared tools: .*`tool_creation\.shared`/u,
    ],
    [
      "by a damaged permission",
      "my_tool",
      { ...OWN, "agent/permissions.json": '{"version":1,}' },
      "PermissionDenied",
      /permissions\.json of the agent cannot be used/u,
    ],
    [
      "that is shared already",
      "my_tool",
      { ...OWN, "shared/my_tool.ts": CODE },
      "FileExists",
      /There is a shared tool "my_tool" already, and sharing replaces none/u,
    ],
    [
      "that is shared already under another ending",
      "my_tool",
      { ...OWN, "shared/my_tool.js": CODE },
      "FileExists",
      /There is a shared tool "my_tool" already/u,
    ],
    [
      "that is broken",
      "my_tool",
      { ...ALLOWED, "personal/my_tool.ts": "export function (" },
      "InvalidArguments",
      /"my_tool" was not saved, since it would not be taken/u,
    ],
    [
      "that nobody could call",
      "math",
      { ...ALLOWED, "personal/math.ts": moduleOf(["math_mine"]) },
      "InvalidArguments",
      /is the name of something else/u,
    ],
  ] as const) {
    test(`not ${what}: ${code}`, async () => {
      await using made = await makeModules(files, { watch: false });
      const before = readdirSync(made.shared);
      await assert.rejects(made.engine.shareTool(name), refusal(code, says));
      assert.deepEqual(readdirSync(made.shared), before);
    });
  }

  test("not where it is a link to what is not the agent's", async () => {
    await using made = await makeModules({ ...ALLOWED, "outside/secret.ts": CODE }, { watch: false });
    symlinkSync(path.join(made.root, "outside/secret.ts"), path.join(made.personal, "my_tool.ts"));
    await assert.rejects(made.engine.shareTool("my_tool"), refusal("InvalidArguments", /no regular file/u));
    assert.deepEqual(readdirSync(made.shared), []);
  });

  test("not where its folder cannot be made", async () => {
    await using made = await makeModules(OWN, { watch: false });
    rmSync(made.shared, { recursive: true });
    writeFileSync(made.shared, "a file in its place");
    await assert.rejects(made.engine.shareTool("my_tool"), refusal("PermissionDenied", /cannot be written to \(EEXIST\)/u));
    assert.equal(readFileSync(made.shared, "utf8"), "a file in its place");
  });
});

test("a refresh says which modules there are and what was not taken, and takes what has changed", async () => {
  await using made = await makeModules(
    { ...ALLOWED, "personal/abc.js": moduleOf(["abc_query"]), "shared/xyz.js": "export function (" },
    { watch: false },
  );
  writeFileSync(path.join(made.personal, "new_one.js"), moduleOf(["new_one_act"]));
  mkdirSync(path.join(made.personal, "nothing"));
  const { tools, skipped } = await made.engine.refreshTools();
  assert.deepEqual(tools, [
    { name: "abc_query", source: "personal" },
    { name: "new_one_act", source: "personal" },
  ]);
  assert.ok(skipped.some(({ name }) => name === "xyz"));
  assert.equal(await text(made, "new_one_act"), "it");
});

test("a refresh shows a model no path of the machine, whatever its owner has installed beside", async () => {
  const tool = 'export const NAME = "one", DESCRIPTION = "d", run = () => "it";';
  await using made = await makeModules(
    { ...ALLOWED, "capabilities/demo/one.js": tool, "other/demo/one.js": tool, "shared/Not A Name.js": "" },
    { watch: false },
  );
  const capabilities = ["capabilities", "other", "gone"].map((folder) => path.join(made.root, folder));
  const engine = await made.again({ capabilities });
  assert.ok(engine.skipped().some(({ reason }) => reason.includes(made.root)));
  const outcome = await engine.call("refresh_tools");
  assert.ok(!`${outcome.text}${JSON.stringify(outcome.payload)}`.includes(made.root), outcome.text);
  assert.match(outcome.text, /Not A Name/u);
  rmSync(made.shared, { recursive: true });
  writeFileSync(made.shared, "a file in its place");
  const { text: said } = await engine.call("refresh_tools");
  assert.match(said, /common_tools/u);
  assert.ok(!said.includes(made.root), said);
});

test("the codes are the contract's", () => {
  assert.deepEqual(Object.keys(CREATION_CODES), ["InvalidArguments", "FileNotFound", "PermissionDenied", "FileExists"]);
});
