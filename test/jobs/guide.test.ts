import { test } from "node:test";
import { makeProject, readBlocks } from "../docs/pages.ts";

test("every block of the guide to jobs runs, and shows what it says", () => {
  using project = makeProject();
  for (const block of readBlocks("docs/jobs.md")) project.run(block);
});
