import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, readBlocks } from "./pages.ts";

test("every block of the guide to plugin packages runs: its package is found, listed and called", () => {
  const blocks = readBlocks("docs/plugins.md");
  const [packageFile, projectFile] = blocks.filter(({ language }) => language === "json").map(({ code }) => code);
  assert.ok(packageFile !== undefined && projectFile !== undefined);
  const files = { "node_modules/acme-lengths/package.json": packageFile, "package.json": projectFile };
  using project = makeProject(files, ["@langchain/core", "zod"]);
  const running = blocks.filter(({ language }) => language !== "json");
  assert.equal(running.length, 3);
  for (const block of running) project.run(block);
});
