import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runCommand, type CommandEnd } from "../support/command.ts";
import { makeProject, packageJson, packageOf, type TestProject } from "./a-project.ts";

function run(project: TestProject, words: readonly string[], cwd = project.root): Promise<CommandEnd> {
  return runCommand(words, { env: { TOOLCELL_HOME: project.home }, cwd });
}

test("the command line finds the packages of the project that it runs in, from any folder of it", async () => {
  await using project = makeProject({ "@acme/plug": packageOf("@acme/plug", ["fine"]), bad: { "package.json": packageJson("bad", {}) } });
  const inner = path.join(project.root, "src/deep");
  mkdirSync(inner, { recursive: true });
  const { stdout, stderr } = await run(project, ["tools"], inner);
  assert.match(stdout, /^fine {2}\[@acme\/plug\]\n {4}Does fine\.$/mu);
  assert.match(stderr, /^ {4}bad: The `toolcell\.tools` of its package\.json has to be an object/mu);
  const listed = JSON.parse((await run(project, ["tools", "--json"])).stdout) as {
    tools: Record<string, { source: string; input_schema: object }>;
    skipped: readonly { source: string; name: string; reason: string }[];
  };
  assert.equal(listed.tools["fine"]?.source, "@acme/plug");
  assert.deepEqual(
    listed.skipped.map(({ source, name }) => [source, name]),
    [["bad", "bad"]],
  );
  assert.equal((await run(project, ["call", "fine"])).stdout, "it\n");
  assert.match((await run(project, ["capabilities"])).stdout, /^on {6}@acme\/plug \(acme-plug-[0-9a-f]{8}\) {2}\[@acme\/plug\]$/mu);
});

test("a collision is told in one line, and whoever switches one of the two off can go on", async () => {
  await using project = makeProject({ first: packageOf("first", ["fine"]), "@acme/second": packageOf("@acme/second", ["fine"]) });
  const failed = await run(project, ["tools"]);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /^A tool "fine" is registered by "@acme\/second" and by "first", so the engine does not start: .*\.\n$/u);
  const { error } = JSON.parse((await run(project, ["call", "fine", "--json"])).stdout) as { error: { code: string } };
  assert.equal(error.code, "TOOL_COLLISION");
  assert.match((await run(project, ["capabilities"])).stdout, /and neither is used/u);
  const without = await run(project, ["tools", "--no-plugins"]);
  assert.equal(without.code, 0);
  assert.doesNotMatch(without.stdout, /fine/u);
  assert.equal((await run(project, ["disable", "@acme/second"])).code, 0);
  assert.match((await run(project, ["tools"])).stdout, /^fine {2}\[first\]$/mu);
});
