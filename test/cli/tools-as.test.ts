import assert from "node:assert/strict";
import { test } from "node:test";
import type { McpTool } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { makeCommandHome } from "./a-home.ts";

const { run } = makeCommandHome({ "demo/one.js": toolFile("one", "const run = () => 'one';"), "demo/bad.js": "export const NAME = 5;" });

test("`tools --as` prints definitions as JSON and nothing else to stdout", async () => {
  for (const words of [["--as", "mcp"], ["--as=mcp"]]) {
    const { code, stdout, stderr } = await run(["tools", ...words]);
    assert.equal(code, 0);
    const tools = JSON.parse(stdout) as readonly McpTool[];
    assert.deepEqual(
      tools.find(({ name }) => name === "one"),
      { name: "one", description: "Does one.", inputSchema: { type: "object" } },
    );
    assert.match(stderr, /bad\.js/u);
  }
  const { stdout } = await run(["tools", "--as", "openai", "--quiet"]);
  assert.deepEqual(Object.keys((JSON.parse(stdout) as readonly object[])[0] ?? {}), ["type", "function"]);
});

test("`tools --as prompt` prints the prompt", async () => {
  const { code, stdout } = await run(["tools", "--as", "prompt"]);
  assert.equal(code, 0);
  assert.match(stdout, /^ACTION: tool_name\(/mu);
  assert.match(stdout, /^\d+\. one\(\) - Does one\. \[from demo\]\n$/mu);
});

test("a form that there is none of is wrong usage, and so is none", async () => {
  const unknown = await run(["tools", "--as", "gemini"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Flag "--as" takes openai, anthropic, mcp, prompt, not "gemini"/u);
  assert.equal((await run(["tools", "--as"])).code, 2);
  assert.equal((await run(["tools", "more"])).code, 2);
});
