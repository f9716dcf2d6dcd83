import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeCommandAgent, MAY_CREATE } from "../cli/an-agent.ts";
import { moduleOf } from "../modules/a-module.ts";
import { writeFiles } from "../support/capabilities.ts";
import { runCommand } from "../support/command.ts";

const CODE = moduleOf(["my_tool_action"], "written");

test("`write` takes a file or stdin, `call` runs it, `share` copies it, `refresh` counts it", async () => {
  using agent = makeCommandAgent({});
  writeFiles(agent.path, { "code.ts": CODE });
  const written = await agent.run(["write", "my_tool", "code.ts"]);
  assert.deepEqual(written, { code: 0, signal: null, stdout: 'Wrote "my_tool": my_tool_action\n', stderr: "" });
  assert.equal((await agent.run(["call", "my_tool", "action"])).stdout, "written\n");
  const again = await agent.run(["write", "my_tool", "--json"], { input: CODE });
  assert.deepEqual([again.code, again.stderr, (JSON.parse(again.stdout) as { error: { code: string } }).error.code], [1, "", "FileExists"]);
  const replaced = await agent.run(["write", "my_tool", "-", "--overwrite", "--json"], { input: CODE });
  assert.deepEqual(JSON.parse(replaced.stdout), { name: "my_tool", tier: "personal", tools: ["my_tool_action"], replaced: true });
  assert.deepEqual(await agent.run(["share", "my_tool"]), {
    code: 0,
    signal: null,
    stdout: 'Shared "my_tool": my_tool_action\n',
    stderr: "",
  });
  assert.equal(readFileSync(path.join(agent.home, "common_tools", "my_tool.ts"), "utf8"), CODE);
});

test("each refusal is its code as a field with --json, and a sentence without: exit 2 for a name, else 1", async () => {
  using agent = makeCommandAgent({ "my_tool.ts": CODE, "other.ts": moduleOf(["other_one"]) });
  for (const [words, code, exit, says] of [
    [["share", "a.b"], "InvalidArguments", 2, /"a\.b" is no name for a tool/u],
    [["share", "missing"], "FileNotFound", 1, /has no tool "missing" of its own/u],
    [["write", "My", "-"], "InvalidArguments", 2, /is no name for a tool/u],
  ] as const) {
    const plain = await agent.run(words);
    assert.deepEqual([plain.code, plain.stdout], [exit, ""]);
    assert.match(plain.stderr, says);
    const asJson = await agent.run([...words, "--json"]);
    const { error } = JSON.parse(asJson.stdout) as { error: { code: string; message: string } };
    assert.deepEqual([asJson.code, asJson.stderr, error.code], [exit, "", code]);
    assert.match(error.message, says);
  }
  await agent.run(["share", "my_tool"]);
  assert.match((await agent.run(["share", "my_tool"])).stderr, /There is a shared tool "my_tool" already/u);
  writeFiles(agent.agent, { "permissions.json": MAY_CREATE.replaceAll("true", '"no"') });
  assert.match((await agent.run(["share", "other"])).stderr, /does not allow it to make shared tools/u);
  assert.match(
    (await agent.run(["write", "third"], { input: moduleOf(["third_one"]) })).stderr,
    /does not allow it to make personal tools/u,
  );
  assert.ok(!existsSync(path.join(agent.home, "common_tools", "other.ts")));
});

test("without an agent, a name or a file there is nothing to write: exit 2", async () => {
  using agent = makeCommandAgent({});
  const alone = await runCommand(["write", "my_tool"], { input: CODE, env: { TOOLCELL_HOME: agent.home } });
  assert.equal(alone.code, 2);
  assert.match(alone.stderr, /There is no agent whose tools these could be: give its folder as `--agent DIR`/u);
  assert.match((await agent.run(["write"])).stderr, /needs the tool's name/u);
  assert.match((await agent.run(["write", "my_tool", "gone.ts"])).stderr, /"gone\.ts" cannot be read \(ENOENT\)/u);
  assert.match((await agent.run(["write", "my_tool", "--force"])).stderr, /no flag "--force"/u);
  assert.match((await agent.run(["share", "a", "b"])).stderr, /does not take "b"/u);
});
