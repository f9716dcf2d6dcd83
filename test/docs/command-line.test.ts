import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, readBlocks } from "./pages.ts";

test("every command of the page on the command line runs", () => {
  using project = makeProject();
  const blocks = readBlocks("docs/command-line.md");
  assert.ok(blocks.length > 0);
  for (const block of blocks) project.run(block);
});
