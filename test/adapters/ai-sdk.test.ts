import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { asSchema, generateText, isStepCount, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import type { TestEngine } from "../support/engines.ts";
import { makeGreetingEngine } from "./offered-tools.ts";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

let made: TestEngine;
before(async () => {
  made = await makeGreetingEngine();
});
after(() => made[Symbol.asyncDispose]());

test("a model of the AI SDK calls sealed tools, and reads their text", async () => {
  const tools: ToolSet = made.engine.toolDefinitions("ai-sdk");
  const model = new MockLanguageModelV4({
    doGenerate: [asks(["greet", { name: "Ada" }], ["greet", { name: "nobody" }], ["greet", { nane: "Ada" }]), says("Done.")],
  });
  const result = await generateText({ model, tools, prompt: "Greet Ada", stopWhen: isStepCount(5) });
  assert.equal(result.text, "Done.");
  const [first, second] = model.doGenerateCalls;
  const offered = first?.tools?.map((offer) => (offer.type === "function" ? [offer.name, offer.inputSchema] : []));
  assert.deepEqual(
    offered,
    made.engine.toolDefinitions("mcp").map(({ name, inputSchema }) => [name, inputSchema]),
  );
  const told = second?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
  const outputs = told?.map((part) => (part.type === "tool-result" ? part.output : part));
  assert.deepEqual(outputs?.slice(0, 2), [
    { type: "text", value: "Hello Ada" },
    { type: "text", value: "greet failed: There is nobody to greet." },
  ]);
  // The engine, and not the library, says what is wrong with arguments.
  assert.match(JSON.stringify(outputs?.[2]), /^\{"type":"text","value":"greet was not run: .*`name`/);
});

test("the schema is the AI SDK's own kind, as it was written, and Standard JSON Schema to others", async () => {
  const { greet } = made.engine.toolDefinitions("ai-sdk");
  assert.ok(greet !== undefined);
  const schema = asSchema(greet.inputSchema);
  assert.equal(schema, greet.inputSchema);
  assert.deepEqual(await schema.jsonSchema, made.engine.toolDefinitions("mcp")[0]?.inputSchema);
  const standard = greet.inputSchema["~standard"];
  assert.deepEqual(standard.jsonSchema.input(), await schema.jsonSchema);
  assert.deepEqual(standard.validate({ anything: 1 }), { value: { anything: 1 } });
});

test("an abort of the AI SDK's ends the call", async () => {
  const { wait } = made.engine.toolDefinitions("ai-sdk");
  const text = await wait?.execute({}, { toolCallId: "1", abortSignal: AbortSignal.abort() });
  assert.equal(text, "wait was not run: The caller gave it up.");
});

test("a tool of a name that objects have by themselves is an own property", async () => {
  await using own = await makeGreetingEngine({
    "odd/odd.js": 'export const NAME = "constructor"; export const DESCRIPTION = "Odd."; export function run() { return "odd"; }',
  });
  const tools = own.engine.toolDefinitions("ai-sdk");
  assert.deepEqual(Object.keys(tools), ["constructor"]);
  assert.equal(await Object.getOwnPropertyDescriptor(tools, "constructor")?.value.execute({}), "odd");
});

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function says(text: string): Generated {
  return { content: [{ type: "text", text }], finishReason: { unified: "stop", raw: "stop" }, usage: USAGE, warnings: [] };
}

function asks(...calls: readonly (readonly [tool: string, args: object])[]): Generated {
  const content = calls.map(([toolName, args], index) => ({
    type: "tool-call" as const,
    toolCallId: `call-${index}`,
    toolName,
    input: JSON.stringify(args),
  }));
  return { content, finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: USAGE, warnings: [] };
}
