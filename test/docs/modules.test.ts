import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, readBlocks } from "./pages.ts";

test("every block of the guide to tool modules runs: its module is listed, and called", () => {
  using project = makeProject();
  const blocks = readBlocks("docs/modules.md").filter(({ language }) => language === "ts");
  assert.equal(blocks.length, 2);
  for (const block of blocks) project.run(block);
});
