import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AnthropicTool, McpTool, OpenAITool, ToolKind } from "toolcell";
import { LIMITS } from "toolcell";
import type { TestEngine } from "../support/engines.ts";
import { makeGreetingEngine } from "./offered-tools.ts";

const DESCRIPTION = "Greet somebody by name.\n\nThe second paragraph.";
const SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, times: { type: "integer", minimum: 1 } },
  required: ["name"],
  additionalProperties: false,
};
const NO_ARGUMENTS = { type: "object", properties: {}, additionalProperties: false };

let made: TestEngine;
before(async () => {
  made = await makeGreetingEngine();
});
after(() => made[Symbol.asyncDispose]());

test("OpenAI's form", () => {
  const tools: OpenAITool[] = made.engine.toolDefinitions("openai");
  assert.deepEqual(tools, [
    { type: "function", function: { name: "greet", description: DESCRIPTION, parameters: SCHEMA } },
    { type: "function", function: { name: "wait", description: "Wait.", parameters: NO_ARGUMENTS } },
  ]);
});

test("Anthropic's form", () => {
  const tools: AnthropicTool[] = made.engine.toolDefinitions("anthropic");
  assert.deepEqual(tools, [
    { name: "greet", description: DESCRIPTION, input_schema: SCHEMA },
    { name: "wait", description: "Wait.", input_schema: NO_ARGUMENTS },
  ]);
});

test("the form of the Model Context Protocol", () => {
  const tools: McpTool[] = made.engine.toolDefinitions("mcp");
  assert.deepEqual(tools, [
    { name: "greet", description: DESCRIPTION, inputSchema: SCHEMA },
    { name: "wait", description: "Wait.", inputSchema: NO_ARGUMENTS },
  ]);
});

test("what is handed out can be changed without changing what the engine holds to, or hands out next", async () => {
  const { engine } = made;
  const listed = JSON.stringify(engine.tools());
  const [openai] = engine.toolDefinitions("openai");
  const [anthropic] = engine.toolDefinitions("anthropic");
  const [mcp] = engine.toolDefinitions("mcp");
  const [langchain] = engine.toolDefinitions("langchain");
  const { greet } = engine.toolDefinitions("ai-sdk");
  assert.ok(openai && anthropic && mcp && langchain && greet);
  for (const schema of [
    openai.function.parameters,
    anthropic.input_schema,
    mcp.inputSchema,
    langchain.schema,
    greet.inputSchema.jsonSchema,
  ]) {
    delete (schema["properties"] as Record<string, unknown>)["name"];
    (schema["required"] as string[]).push("other");
    schema["additionalProperties"] = true;
  }
  assert.equal(JSON.stringify(engine.tools()), listed);
  assert.deepEqual(engine.toolDefinitions("anthropic")[0]?.input_schema, SCHEMA);
  assert.equal((await engine.call("greet", { name: "Ada" })).text, "Hello Ada");
  assert.equal((await engine.call("greet", { name: "Ada", other: 1 })).error?.code, "INVALID_ARGUMENTS");
});

test("what is switched off is in no kind of definitions, and in them again once it is switched on", async () => {
  const { engine } = made;
  await engine.disable("greeting");
  assert.deepEqual(names(), { openai: ["wait"], anthropic: ["wait"], mcp: ["wait"], langchain: ["wait"], "ai-sdk": ["wait"] });
  await engine.enable("greeting");
  const both = ["greet", "wait"];
  assert.deepEqual(names(), { openai: both, anthropic: both, mcp: both, langchain: both, "ai-sdk": both });

  function names(): Record<ToolKind, readonly string[]> {
    return {
      openai: engine.toolDefinitions("openai").map((tool) => tool.function.name),
      anthropic: engine.toolDefinitions("anthropic").map(({ name }) => name),
      mcp: engine.toolDefinitions("mcp").map(({ name }) => name),
      langchain: engine.toolDefinitions("langchain").map(({ name }) => name),
      "ai-sdk": Object.keys(engine.toolDefinitions("ai-sdk")),
    };
  }
});

test("a kind that is none throws and says which there are, and so do options that make no sense", () => {
  const { engine } = made;
  for (const kind of ["gemini", "toString", "__proto__", undefined])
    assert.throws(() => engine.toolDefinitions(kind as "openai"), {
      name: "TypeError",
      message: `There is no kind of tool definitions "${kind}". There is openai, anthropic, mcp, langchain, ai-sdk`,
    });
  assert.throws(() => engine.toolDefinitions("langchain", { resultLimit: -1 }), RangeError);
  assert.throws(() => engine.toolDefinitions("ai-sdk", { timeoutMs: LIMITS.callMs.max + 1 }), RangeError);
});
