import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u;

let made: TestEngine;
before(async () => {
  made = await makeEngine({
    "demo/whole.js": toolFile(
      "whole",
      `const run = (context, { word }) => {
        for (const end = Date.now() + 3; Date.now() < end; );
        return { text: "Said " + word, summary: "said", payload: { word, callId: context.callId, resultLimit: context.resultLimit } };
      };`,
    ),
    "demo/long.js": toolFile("long", "const run = () => 'x'.repeat(1000);"),
    "demo/proof.js": toolFile("proof", "const run = () => ({ text: 'x'.repeat(1000), payload: { kept: true } });"),
    "demo/refuse.js": toolFile("refuse", "const run = () => { throw new ToolError('There is none.'); };"),
    "demo/look.js": toolFile(
      "look",
      `const run = (context) => ({ text: "look", payload: {
        paths: context.paths, host: context.host,
        frozen: [context, context.paths, context.host, context.log].every((part) => Object.isFrozen(part)),
        keys: Object.keys(context).sort(),
      } });`,
    ),
  });
});
after(() => made[Symbol.asyncDispose]());

test("a call that went well has every field of an outcome and no other", async () => {
  const outcome = await made.engine.call("whole", { word: "hi" }, { resultLimit: 100 });
  const { callId, usage, ...rest } = outcome;
  assert.match(callId, UUID);
  assert.deepEqual(rest, {
    ok: true,
    tool: "whole",
    capability: "demo",
    text: "Said hi",
    summary: "said",
    payload: { word: "hi", callId, resultLimit: 100 },
    images: [],
    effects: [],
    trimmed: null,
    error: null,
  });
  assertUsage(outcome);
  assert.ok(usage.cpuMs > 0 && usage.heapBytes > 0);
  assert.equal(usage.bytesIn, '{"word":"hi"}'.length);
  assert.ok(usage.bytesOut >= JSON.stringify(outcome.payload).length);
});

test("a call that failed has every field of an outcome and no other", async () => {
  const outcome = await made.engine.call("refuse", {});
  const { callId, usage, ...rest } = outcome;
  assert.match(callId, UUID);
  assert.ok(usage.wallMs > 0);
  assert.deepEqual(rest, {
    ok: false,
    tool: "refuse",
    capability: "demo",
    text: "refuse failed: There is none.",
    summary: "tool error",
    payload: null,
    images: [],
    effects: [],
    trimmed: null,
    error: { code: "TOOL_ERROR", phase: "run", message: "There is none.", started: true, retrySafe: true },
  });
  assertUsage(outcome);
});

test("every call has an id of its own", async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await made.engine.call("refuse")).callId));
  assert.equal(new Set(ids).size, 5);
});

test("the first call of a capability tells what its cell's start took, the next took none", async () => {
  await using fresh = await makeEngine({ "demo/hi.js": toolFile("hi", "const run = () => 'hi';") });
  const first = await fresh.engine.call("hi");
  assert.ok(first.usage.startMs > 0 && first.usage.startMs <= first.usage.wallMs);
  assert.equal((await fresh.engine.call("hi")).usage.startMs, 0);
});

describe("a result over `resultLimit`", () => {
  test("is cut for the model, and tells of how much", async () => {
    const { text, trimmed } = await made.engine.call("long", {}, { resultLimit: 200 });
    assert.ok(text.length <= 200);
    assert.deepEqual(trimmed, { shown: text.replace(/\n….*…\n/u, "").length, total: 1000 });
  });

  test("is whole in the payload, where the tool kept no evidence of its own", async () => {
    assert.equal((await made.engine.call("long", {}, { resultLimit: 200 })).payload, "x".repeat(1000));
    assert.deepEqual((await made.engine.call("proof", {}, { resultLimit: 200 })).payload, { kept: true });
  });

  test("of exactly the limit, or without one, is whole", async () => {
    for (const resultLimit of [1000, null, undefined]) {
      const { text, trimmed, payload } = await made.engine.call("long", {}, { resultLimit });
      assert.deepEqual([text.length, trimmed, payload], [1000, null, null]);
    }
  });

  test("of 0 leaves no text", async () => {
    const { text, trimmed } = await made.engine.call("long", {}, { resultLimit: 0 });
    assert.deepEqual([text, trimmed], ["", { shown: 0, total: 1000 }]);
  });
});

test("a tool is told no path of this machine and only roughly what it is", async () => {
  const { payload } = await made.engine.call("look");
  const { paths, host, frozen, keys } = payload as { paths: object; host: Record<string, unknown>; frozen: boolean; keys: string[] };
  assert.deepEqual(paths, { workspace: "/workspace", home: "/home", capability: "/capability", temp: "/tmp" });
  assert.deepEqual(Object.keys(host).sort(), ["arch", "cpus", "engine", "locale", "memoryBytes", "node", "os", "timeZone"]);
  assert.equal(host["node"], process.versions.node.split(".")[0]);
  for (const count of [host["cpus"], host["memoryBytes"]]) assert.ok(Number.isInteger(Math.log2(Number(count))), String(count));
  assert.equal(frozen, true);
  assert.deepEqual(keys, ["callId", "fs", "host", "log", "paths", "process", "progress", "resultLimit", "secrets", "signal", "storage"]);
});

function assertUsage({ usage }: Outcome): void {
  assert.deepEqual(Object.keys(usage), ["wallMs", "queueMs", "startMs", "cpuMs", "heapBytes", "powerCalls", "bytesIn", "bytesOut"]);
  for (const [name, value] of Object.entries(usage)) assert.ok(Number.isFinite(value) && value >= 0, `${name} ${value}`);
  assert.ok(usage.wallMs >= usage.queueMs + usage.startMs);
}
