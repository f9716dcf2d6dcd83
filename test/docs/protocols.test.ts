import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, readBlocks } from "./pages.ts";

/** A model that asks once, and then answers: what a provider's stands for. */
const MODEL = `import { MockLanguageModelV4 } from "ai/test";

const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const input = JSON.stringify({ text: "a b c", top: 0 });
export const model = new MockLanguageModelV4({
  doGenerate: [
    { content: [{ type: "tool-call", toolCallId: "1", toolName: "text_stats", input }], finishReason: { unified: "tool-calls" }, usage, warnings: [] },
    { content: [{ type: "text", text: "Three." }], finishReason: { unified: "stop" }, usage, warnings: [] },
  ],
});
`;

test("every block of the page on protocols runs, with the libraries that it is about", () => {
  using project = makeProject({ "model.ts": MODEL }, ["ai", "@langchain/core"]);
  const blocks = readBlocks("docs/protocols.md");
  assert.equal(blocks.length, 4);
  for (const block of blocks) project.run(block);
});
