import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Engine } from "toolcell";
import { makeProject, names, packageJson, whyNot, type TestProject } from "./a-project.ts";

const TOOLS = `
import { AsyncLocalStorage } from "node:async_hooks";
import { DynamicStructuredTool, DynamicTool, StructuredTool, tool } from "@langchain/core/tools";
import { ToolMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { z } from "zod";
import { z as z3 } from "zod/v3";

AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());
const place = z.object({ place: z.string().min(2).describe("Where"), days: z.number().int().max(9).default(3) });
export const zod4 = tool(({ place, days }) => \`\${place} \${days}\`, { name: "zod4", description: "By Zod 4.", schema: place });
export const zod3 = tool(({ place, days }) => \`\${place} \${days}\`, {
  name: "zod3", description: "By Zod 3.", schema: z3.object({ place: z3.string().min(2).describe("Where"), days: z3.number().int().default(3) }),
});
export const json = tool(({ place }) => place, {
  name: "json", description: "By JSON Schema.", schema: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
});
export const text = tool((input) => \`got \${input}\`, { name: "text", description: "One string.", schema: z.string() });
export const range = tool(({ from, to }) => \`\${to - from}\`, {
  name: "range", description: "Refined.",
  schema: z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from <= to, { message: "from has to come before to", path: ["from"] }),
});
export const dynamic = new DynamicTool({ name: "dynamic", description: "A DynamicTool.", func: async (input) => input.toUpperCase() });
export const structured = new DynamicStructuredTool({
  name: "structured", description: "A DynamicStructuredTool.", schema: z.object({ n: z.number() }), func: async ({ n }) => ({ text: "mine", twice: n * 2 }),
});
class Own extends StructuredTool {
  name = "own"; description = "A class of its own."; schema = z.object({ n: z.number() });
  async _call({ n }) { return String(n + 1); }
}
export const own = new Own();
export const artifact = tool(async () => ["what a model reads", { rows: [1, 2] }], {
  name: "artifact", description: "With an artifact.", schema: z.object({}), responseFormat: "content_and_artifact",
});
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
export const blocks = tool(async () => [{ type: "text", text: "a picture" }, { type: "image_url", image_url: { url: "data:image/png;base64," + PNG } }], {
  name: "blocks", description: "Blocks.", schema: z.object({}),
});
export const message = tool(async () => new ToolMessage({ content: "it failed", status: "error", tool_call_id: "x" }), {
  name: "message", description: "A message of its own.", schema: z.object({}),
});
export const throwing = tool(() => { throw new RangeError("too far"); }, { name: "throwing", description: "Throws.", schema: z.object({}) });
export const loose = tool((args) => JSON.stringify(args), { name: "loose", description: "Takes anything.", schema: z.looseObject({}) });
export const context = tool(async (_args, config) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return JSON.stringify({ same: AsyncLocalStorageProviderSingleton.getRunnableConfig()?.signal === config.signal, aborted: config.signal.aborted });
}, { name: "context", description: "Its context.", schema: z.object({}), });
export const endless = tool(() => new Promise(() => {}), { name: "endless", description: "Waits.", schema: z.object({}) });
`;
const NAMES = [...TOOLS.matchAll(/^export const (\w+)/gmu)].map(([, name = ""]) => name).sort();

describe("LangChain tools, unchanged", () => {
  let project: TestProject;
  let engine: Engine;
  before(async () => {
    const tools = Object.fromEntries(NAMES.map((name) => [name, `./tools.js#${name}`]));
    const kit = {
      "package.json": packageJson("kit", { tools }, { dependencies: { "@langchain/core": "1", zod: "4" } }),
      "tools.js": TOOLS,
    };
    project = makeProject({ kit }, {}, ["@langchain/core", "zod"]);
    engine = await project.start();
  });
  after(() => project[Symbol.asyncDispose]());
  const textOf = async (name: string, args: object = {}): Promise<string> => {
    const { ok, text } = await engine.call(name, args);
    assert.ok(ok, text);
    return text;
  };
  const schemaOf = (name: string) => engine.tools().find((tool) => tool.name === name)?.inputSchema;

  test("all of them are listed", () => {
    assert.equal(whyNot(engine, "kit"), "");
    assert.deepEqual(engine.skipped(), []);
    assert.deepEqual(names(engine), NAMES);
  });

  test("a schema of Zod 4 and one of Zod 3 are one in JSON Schema, and both give defaults on", async () => {
    const properties = { place: { type: "string", minLength: 2, description: "Where" } };
    for (const name of ["zod4", "zod3"]) {
      const schema = schemaOf(name) as { properties: { place: unknown; days: { type: string } }; required: readonly string[] };
      assert.deepEqual([schema.properties.place, schema.properties.days.type, schema.required], [properties.place, "integer", ["place"]]);
      assert.equal(await textOf(name, { place: "Kyoto" }), "Kyoto 3");
      const outcome = await engine.call(name, { place: "K", days: "many" });
      assert.equal(outcome.error?.code, "INVALID_ARGUMENTS");
      assert.match(outcome.text, /`place` must have at least 2 characters\.\n`days` must be an integer/u);
    }
  });

  test("a schema in JSON, one of a single string, and the classes", async () => {
    assert.equal(await textOf("json", { place: "Nara" }), "Nara");
    assert.equal((await engine.call("json", {})).error?.code, "INVALID_ARGUMENTS");
    assert.equal(await textOf("text", { input: "this" }), "got this");
    assert.equal(await textOf("dynamic", { input: "loud" }), "LOUD");
    assert.equal(await textOf("own", { n: 4 }), "5");
    assert.equal(await textOf("structured", { n: 4 }), '{"text":"mine","twice":8}');
  });

  test("a refinement that JSON Schema cannot say is checked in the cell, in words to act on", async () => {
    assert.equal(await textOf("range", { from: 1, to: 3 }), "2");
    const { error, text } = await engine.call("range", { from: 3, to: 1 });
    assert.deepEqual([error?.code, error?.phase, error?.started], ["INVALID_ARGUMENTS", "validate", false]);
    assert.match(text, /The arguments do not fit the tool's own schema:\n.*from has to come before to/u);
  });

  test("an artifact is the payload, blocks are text and images, and a message that says it failed is a failure", async () => {
    const artifact = await engine.call("artifact");
    assert.deepEqual([artifact.text, artifact.payload], ["what a model reads", { rows: [1, 2] }]);
    const blocks = await engine.call("blocks");
    assert.deepEqual([blocks.text, blocks.images.map(({ mediaType }) => mediaType)], ["a picture", ["image/png"]]);
    const failed = await engine.call("message");
    assert.deepEqual([failed.error?.code, failed.error?.message], ["TOOL_ERROR", "it failed"]);
  });

  test("what it throws reaches the model as text", async () => {
    const { ok, error, text } = await engine.call("throwing");
    assert.deepEqual([ok, error?.code], [false, "TOOL_EXCEPTION"]);
    assert.match(text, /too far/u);
  });

  test("arguments that look like LangChain's own record of a call are arguments all the same", async () => {
    const args = { type: "tool_call", id: "x", name: "loose", args: { hidden: true } };
    assert.deepEqual(JSON.parse(await textOf("loose", args)), args);
  });

  test("its context holds after an await, and its signal is the call's", async () => {
    assert.deepEqual(JSON.parse(await textOf("context")), { same: true, aborted: false });
    assert.equal((await engine.call("endless", {}, { timeoutMs: 200 })).error?.code, "CALL_TIMEOUT");
    assert.equal(await textOf("own", { n: 1 }), "2");
  });
});
