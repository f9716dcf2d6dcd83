import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, ToolMessage } from "@langchain/core/messages";
import { RunnableLambda, type RunnableInterface } from "@langchain/core/runnables";
import { isLangChainTool, tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { FakeStreamingChatModel } from "@langchain/core/utils/testing";
import type { Engine, LangChainTool } from "toolcell";
import type { TestEngine } from "../support/engines.ts";
import { makeGreetingEngine } from "./offered-tools.ts";

let made: TestEngine;
before(async () => {
  made = await makeGreetingEngine();
});
after(() => made[Symbol.asyncDispose]());

test("LangChain converts them into what the engine itself gives for OpenAI", () => {
  const { engine } = made;
  const tools = engine.toolDefinitions("langchain");
  assert.ok(tools.every((definition) => isLangChainTool(definition)));
  assert.deepEqual(
    tools.map((definition) => convertToOpenAITool(definition)),
    engine.toolDefinitions("openai"),
  );
});

test("a model binds them, and the call that it answers with is invoked as it is", async () => {
  const { engine } = made;
  const asked = { type: "tool_call", id: "call-1", name: "greet", args: { name: "Ada", times: 2 } } as const;
  const model = new FakeStreamingChatModel({ chunks: [new AIMessageChunk({ content: "", tool_calls: [asked] })], toolStyle: "openai" });
  const tools = engine.toolDefinitions("langchain");
  tools satisfies BindToolsInput[];
  const { tool_calls: calls = [] } = await model.bindTools(tools).invoke("Greet Ada twice");
  const [call] = calls;
  assert.equal(call?.name, "greet");
  const content = await tools.find(({ name }) => name === call.name)?.invoke(call);
  assert.equal(content, "Hello Ada\nHello Ada");
  assert.equal(new ToolMessage({ content, tool_call_id: call.id ?? "" }).content, content);
});

test("one is invoked with its arguments alone, in a batch, and as a step of a chain", async () => {
  const greet = greetOf(made.engine);
  assert.equal(await greet.invoke({ name: "Ada" }), "Hello Ada");
  assert.deepEqual(await greet.batch([{ name: "Ada" }, { name: "nobody" }]), ["Hello Ada", "greet failed: There is nobody to greet."]);
  const chain = RunnableLambda.from((name: string) => ({ name })).pipe(greet as unknown as RunnableInterface<{ name: string }, string>);
  assert.equal(await chain.invoke("Ada"), "Hello Ada");
  for await (const text of await greet.stream({ name: "Ada" })) assert.equal(text, "Hello Ada");
  assert.equal(greet.getName(), "greet");
});

test("one becomes a StructuredTool, with its callbacks, where somebody wants that", async () => {
  const greet = greetOf(made.engine);
  const structured = tool((args, config) => greet.invoke(args, config), greet);
  const ended: unknown[] = [];
  const call = { type: "tool_call", id: "call-1", name: "greet", args: { name: "Ada" } } as const;
  const message: unknown = await structured.invoke(call, {
    callbacks: [{ handleToolEnd: (output: ToolMessage) => ended.push(output.content) }],
  });
  assert.ok(message instanceof ToolMessage);
  assert.deepEqual([message.content, message.tool_call_id, message.name], ["Hello Ada", "call-1", "greet"]);
  assert.deepEqual(ended, ["Hello Ada"]);
});

test("whatever goes wrong is text", async () => {
  const greet = greetOf(made.engine);
  assert.equal(await greet.invoke({ name: "nobody" }), "greet failed: There is nobody to greet.");
  assert.match(await greet.invoke({ nane: "Ada" }), /^greet was not run: .*`name`/s);
  assert.match(await greet.invoke("Ada"), /^greet was not run: The arguments must be a JSON object, not a string/);
  assert.match(
    await greet.invoke({ name: "Ada" }, { signal: {} as AbortSignal }),
    /^greet was not run: Option `signal` must be an AbortSignal/,
  );
});

test("a signal and a timeout of LangChain's end the call", async () => {
  const wait = made.engine.toolDefinitions("langchain").find(({ name }) => name === "wait");
  assert.equal(await wait?.invoke({}, { signal: AbortSignal.abort() }), "wait was not run: The caller gave it up.");
  assert.match((await wait?.invoke({}, { timeout: 300 })) ?? "", /^wait .*(did not end within|waited|not ready after)/);
});

test("options of the definitions hold for each call, where the library says nothing else", async () => {
  const [greet] = made.engine.toolDefinitions("langchain", { resultLimit: 60, caller: "tests" });
  const text = await greet?.invoke({ name: "Ada", times: 100 }, { signal: undefined });
  assert.match(text ?? "", /characters left out/);
});

test("a tool that was switched off after it was handed out, and a closed engine, are said in text", async () => {
  const own = await makeGreetingEngine();
  const greet = greetOf(own.engine);
  await own.engine.disable("greeting");
  assert.match(await greet.invoke({ name: "Ada" }), /^greet was not run: There is no tool "greet"\. There is: wait/);
  await own[Symbol.asyncDispose]();
  assert.equal(await greet.invoke({ name: "Ada" }), "greet was not run: This engine is closed.");
});

function greetOf(engine: Engine): LangChainTool {
  const found = engine.toolDefinitions("langchain").find(({ name }) => name === "greet");
  assert.ok(found !== undefined);
  return found;
}
