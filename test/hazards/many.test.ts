import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const MiB = 1024 * 1024;
const LOOPS = 20;

test(`${LOOPS} capabilities that loop at once each meet their own deadline, and the host and a neighbour go on`, async () => {
  const names = Array.from({ length: LOOPS }, (_, index) => `loop_${index}`);
  const files = Object.fromEntries(names.map((name) => [`${name}/tool.js`, toolFile(name, "function run() { for (;;); }")]));
  files["beside/tool.js"] = toolFile("beside", "function run() { return 'here'; }");
  await using made = await makeEngine(files, { limits: { callCount: LOOPS + 1, cellCount: LOOPS + 4 } });
  await made.engine.call("beside");
  const lag = monitorEventLoopDelay({ resolution: 10 });
  const calls = names.map((name) => made.engine.call(name, {}, { timeoutMs: 5000 }));
  lag.enable();
  const first = await Promise.race([
    made.engine.call("beside").then(({ text }) => text),
    ...calls.map((call) => call.then(() => "a loop")),
  ]);
  assert.equal(first, "here", "a neighbour waits for a loop to end");
  const codes = (await Promise.all(calls)).map(({ error }) => error?.code);
  lag.disable();
  // A cell may still be waiting for a core to start on: that is its own deadline as well.
  assert.ok(
    codes.every((code) => code === "CALL_TIMEOUT" || code === "START_TIMEOUT"),
    codes.join(", "),
  );
  assert.ok(codes.includes("CALL_TIMEOUT"));
  // A loop that were held up by one of them would be so for its whole deadline; how long it waits for a core is the machine's.
  assert.ok(lag.percentile(50) / 1e6 < 500, `${(lag.percentile(50) / 1e6).toFixed(0)} ms`);
});

test("a capability that leaks a little with each call is given a new cell before it fails", async () => {
  const leak = toolFile("leak", "function run() { kept.push(new Array(500).fill(kept.length + 0.5)); return String(kept.length); }", {
    code: "const kept = [];",
  });
  await using made = await makeEngine({ "demo/tool.js": leak }, { limits: { memoryBytes: 32 * MiB } });
  const counts: number[] = [];
  for (let call = 0; call < 12_000; call += 1) {
    const { ok, text } = await made.engine.call("leak");
    assert.equal(ok, true, text);
    counts.push(Number(text));
  }
  // A count that starts again is a cell that was replaced between two calls.
  assert.ok(
    counts.some((count, at) => at > 0 && count < (counts[at - 1] ?? 0)),
    `${Math.max(...counts)} kept at most`,
  );
});
