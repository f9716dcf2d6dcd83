import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { CallOptions, Code, EngineOptions, Outcome } from "toolcell";
import { toolFile, type Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { readPage } from "./pages.ts";

const NEVER = "async function run(context) { context.progress(0); await new Promise(() => {}); }";

const TOOLS: Files = {
  "demo/loop.js": toolFile("loop", "function run() { for (;;); }"),
  "demo/wait.js": toolFile("wait", NEVER),
  "demo/grow.js": toolFile("grow", "function run() { const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length)); }"),
  "demo/find.js": toolFile("find", `function run() { throw new ToolError("No place called 'Daytn' was found. Check the spelling"); }`),
  "demo/slip.js": toolFile("slip", "function run() { return undefined.length; }"),
  "demo/ring.js": toolFile("ring", "function run() { const ring = {}; ring.ring = ring; return ring; }"),
  "demo/ask.js": toolFile("ask", 'async function run(context) { await context.storage.get("k"); }'),
  "demo/often.js": toolFile("often", 'async function run(context) { for (;;) await context.fs.list("/tmp"); }'),
  "unloadable/unloadable.js": toolFile("unloadable", "function run() {}", { code: 'throw new Error("no luck today");' }),
  "slow/slow.js": toolFile("slow", "function run() {}", { code: "for (;;);" }),
  "stuck/stuck.js": toolFile("stuck", "function run() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }"),
  "stuck/beside.js": toolFile("beside", NEVER),
};

let own: TestEngine;
before(async () => {
  own = await makeEngine(TOOLS);
});
after(async () => {
  await own[Symbol.asyncDispose]();
});

/** The page's row for a code, as text; where it ends in an ellipsis the rest is left open. */
function assertShown(code: Code, { error, text }: Outcome): void {
  const row = new RegExp(`^\\| \`${code}\` \\| (.*) \\|$`, "mu").exec(readPage("docs/embedding.md"))?.[1] ?? "";
  const shown = row.replaceAll("<br>", "\n").replaceAll("\\`", "`");
  assert.equal(error?.code, code);
  if (shown.endsWith("…")) assert.equal(text.slice(0, shown.length - 1), shown.slice(0, -1));
  else assert.equal(text, shown);
}

const PLAIN: readonly (readonly [Code, string, unknown?, CallOptions?])[] = [
  ["UNKNOWN_TOOL", "text_count"],
  ["INVALID_ARGUMENTS", "text_stats", { text: 5, top: 200, size: 1 }],
  ["LOAD_FAILED", "unloadable"],
  ["TOOL_ERROR", "find"],
  ["TOOL_EXCEPTION", "slip"],
  ["PERMISSION_DENIED", "ask"],
  ["BAD_RESULT", "ring"],
  ["MEMORY_LIMIT", "grow"],
];
for (const [code, tool, args] of PLAIN) {
  test(`the guide shows what ${code} looks like`, async () => {
    assertShown(code, await own.engine.call(tool, args));
  });
}

const LIMITED: readonly (readonly [Code, string, NonNullable<EngineOptions["limits"]>])[] = [
  ["START_TIMEOUT", "slow", { startMs: 600 }],
  ["CPU_LIMIT", "loop", { cpuMs: 700 }],
  ["POWER_LIMIT", "often", { powerCount: 1 }],
];
for (const [code, tool, limits] of LIMITED) {
  test(`the guide shows what ${code} looks like`, async () => {
    await using limited = await makeEngine(TOOLS, { limits });
    assertShown(code, await limited.engine.call(tool));
  });
}

test("the guide shows what CALL_TIMEOUT looks like", async () => {
  // Started beforehand, so that the whole time is the run's.
  await own.engine.call("find");
  assertShown("CALL_TIMEOUT", await own.engine.call("wait", {}, { timeoutMs: 300 }));
});

test("the guide shows what BUSY, QUEUE_TIMEOUT and CANCELLED look like", async () => {
  await using narrow = await makeEngine(TOOLS, { limits: { concurrency: 1, queueCount: 1, queueMs: 150 } });
  const giveUp = new AbortController();
  const running = startWaiting(narrow, "wait", giveUp.signal);
  await running.begun;
  const waiting = narrow.engine.call("wait");
  assertShown("BUSY", await narrow.engine.call("wait"));
  assertShown("QUEUE_TIMEOUT", await waiting);
  giveUp.abort();
  assertShown("CANCELLED", await running.end);
});

test("the guide shows what CELL_CRASHED looks like beside a call that cannot be stopped", async () => {
  const beside = startWaiting(own, "beside", undefined);
  await beside.begun;
  assert.equal((await own.engine.call("stuck", {}, { timeoutMs: 1000 })).error?.code, "CALL_TIMEOUT");
  assertShown("CELL_CRASHED", await beside.end);
});

/** A call that never ends by itself, and when it has begun, or has ended all the same. */
function startWaiting({ engine }: TestEngine, tool: string, signal: AbortSignal | undefined) {
  const begun = Promise.withResolvers<void>();
  const end = engine.call(tool, {}, { signal, onProgress: () => begun.resolve() });
  return { begun: Promise.race([begun.promise, end]), end };
}
