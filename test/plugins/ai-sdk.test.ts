import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Engine } from "toolcell";
import { makeProject, names, packageJson, whyNot, type TestProject } from "./a-project.ts";

const TOOLS = `
import { dynamicTool, jsonSchema, tool } from "ai";
import { z } from "zod";

export const weather = tool({
  description: "The weather.",
  inputSchema: z.object({ place: z.string().trim().min(1), days: z.number().int().default(3) }).refine(({ place }) => place !== "Nowhere", "There is no such place"),
  execute: async ({ place, days }, { toolCallId, abortSignal }) => ({ place, days, id: typeof toolCallId, aborted: abortSignal.aborted }),
});
export const json = tool({
  description: "By JSON Schema.",
  inputSchema: jsonSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }, {
    validate: (value) => (value.n < 10 ? { success: true, value: { n: value.n * 2 } } : { success: false, error: new Error("n has to be below 10") }),
  }),
  execute: ({ n }) => n,
});
export const lazy = tool({ description: "Later.", inputSchema: () => z.object({ n: z.number() }), execute: ({ n }) => n + 1 });
export const dynamic = dynamicTool({ description: "Dynamic.", inputSchema: z.object({}), execute: async () => "dynamic" });
export const stream = tool({
  description: "Yields.", inputSchema: z.object({}),
  async *execute() { yield "half"; yield "whole"; },
});
export const shown = tool({
  description: "Says it otherwise.", inputSchema: z.object({}), execute: () => ({ rows: 2 }),
  toModelOutput: ({ output }) => ({ type: "text", value: \`\${output.rows} rows\` }),
});
export const content = tool({
  description: "Content.", inputSchema: z.object({}), execute: () => ({ rows: 2 }),
  toModelOutput: () => ({ type: "content", value: [{ type: "text", text: "one" }, { type: "text", text: "two" }] }),
});
export const failing = tool({
  description: "Fails.", inputSchema: z.object({}), execute: () => "x", toModelOutput: () => ({ type: "error-text", value: "It is closed today" }),
});
export const throwing = tool({ description: "Throws.", inputSchema: z.object({}), execute: () => { throw new Error("out of reach"); } });
export const approved = tool({ description: "Asks first.", inputSchema: z.object({}), needsApproval: true, execute: () => "done" });
export const remote = tool({ description: "Elsewhere.", inputSchema: z.object({}) });
export const standard = {
  description: "Of another library.",
  inputSchema: { "~standard": { version: 1, vendor: "other", validate: (value) => ({ value: { n: value.n + 1 } }), jsonSchema: { input: () => ({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }) } } },
  execute: ({ n }) => n,
};
export const bare = { description: "Of one that says nothing.", inputSchema: { "~standard": { version: 1, vendor: "other", validate: (value) => ({ value }) } }, execute: () => 1 };
`;
const NAMES = [...TOOLS.matchAll(/^export const (\w+)/gmu)].map(([, name = ""]) => name).sort();

describe("AI SDK tools, unchanged", () => {
  let project: TestProject;
  let engine: Engine;
  before(async () => {
    const tools = Object.fromEntries(NAMES.map((name) => [name, `./tools.js#${name}`]));
    const kit = { "package.json": packageJson("kit", { tools }, { dependencies: { ai: "7", zod: "4" } }), "tools.js": TOOLS };
    project = makeProject({ kit }, {}, ["ai", "zod"]);
    engine = await project.start();
  });
  after(() => project[Symbol.asyncDispose]());

  test("all are listed under the names that they are registered as, but for what cannot be run or read", () => {
    assert.deepEqual(
      names(engine),
      NAMES.filter((name) => !["remote", "bare", "approved"].includes(name)),
    );
    assert.match(whyNot(engine, "kit", "tools.js#remote"), /a tool without `execute`: it is run elsewhere/u);
    assert.match(whyNot(engine, "kit", "tools.js#bare"), /one of "other" that has no JSON Schema/u);
  });

  test("one that wants approval waits for its owner to allow it by name", () => {
    assert.match(whyNot(engine, "kit", "tools.js#approved"), /gated/u);
  });

  test("its schema is checked in the cell again: with its defaults, its transforms and its refinements", async () => {
    const outcome = await engine.call("weather", { place: "  Kyoto " });
    assert.deepEqual(outcome.payload, { place: "Kyoto", days: 3, id: "string", aborted: false });
    for (const [place, reason] of [
      ["Nowhere", /There is no such place/u],
      ["   ", /place: Too small/u],
    ] as const) {
      const { error, text } = await engine.call("weather", { place });
      assert.equal(error?.code, "INVALID_ARGUMENTS", place);
      assert.match(text, reason);
    }
    assert.equal((await engine.call("weather", {})).error?.code, "INVALID_ARGUMENTS");
  });

  test("jsonSchema() with its own check, a schema made late, and one of another library", async () => {
    assert.equal((await engine.call("json", { n: 4 })).text, "8");
    const { error, text } = await engine.call("json", { n: 14 });
    assert.equal(error?.code, "INVALID_ARGUMENTS");
    assert.match(text, /n has to be below 10/u);
    assert.equal((await engine.call("lazy", { n: 4 })).text, "5");
    assert.equal((await engine.call("standard", { n: 4 })).text, "5");
    assert.equal((await engine.call("dynamic")).text, "dynamic");
  });

  test("what it says to a model, and what it gives, each in its place", async () => {
    assert.equal((await engine.call("stream")).text, "whole");
    const shown = await engine.call("shown");
    assert.deepEqual([shown.text, shown.payload], ["2 rows", { rows: 2 }]);
    assert.equal((await engine.call("content")).text, "one\ntwo");
    const failing = await engine.call("failing");
    assert.deepEqual([failing.error?.code, failing.error?.message], ["TOOL_ERROR", "It is closed today"]);
    assert.match((await engine.call("throwing")).text, /out of reach/u);
  });
});
