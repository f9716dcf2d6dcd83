import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeProject, readBlocks, readPage, ROOT } from "./pages.ts";

test("every block of the README runs in a project that has toolcell installed", () => {
  using project = makeProject();
  // What installs and builds has run before these tests; what the demo says is held to the README where the demo is tested.
  const blocks = readBlocks("README.md").filter(({ code }) => !code.startsWith("npm "));
  assert.ok(blocks.length >= 5);
  for (const block of blocks) project.run(block);
});

test("every npm command in the README is there", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
  const named = [...readPage("README.md").matchAll(/npm (?!ci|pack|install)(?:run )?([\w:]+)/gu)].map(([, script = ""]) => script);
  assert.deepEqual(new Set(named), new Set(["start", "test"]));
  for (const script of named) assert.ok(Object.hasOwn(scripts, script), `npm ${script}`);
});

test("the README's example is examples/embed.ts", () => {
  assert.ok(readPage("README.md").includes(`\`\`\`ts\n${readPage("examples/embed.ts")}\`\`\``));
});
