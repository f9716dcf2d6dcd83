import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const MiB = 1024 * 1024;
const CALLS = 20_000;
const RESTARTS = 500;
// What a heap may differ by between two collections of its own choosing.
const SLACK_BYTES = 40 * MiB;

test(`${CALLS} calls in a row on one capability grow neither memory nor handles nor processes`, async () => {
  await using made = await makeEngine({ "demo/tool.js": toolFile("echo", "function run(context, { text }) { return text; }") });
  const { engine } = made;
  for (let warm = 0; warm < 2000; warm += 1) await engine.call("echo", { text: "x" });
  const before = footprint();
  for (let call = 0; call < CALLS; call += 1) assert.equal((await engine.call("echo", { text: "x" })).ok, true);
  assertFlat(before);
});

test(`${RESTARTS} stops and starts of a cell grow neither memory nor handles nor processes`, async () => {
  await using made = await makeEngine({ "demo/tool.js": toolFile("fail", "function run() { [].sort.call({ length: 2 ** 53 - 1 }); }") });
  const { engine } = made;
  const fail = async (): Promise<void> => {
    assert.equal((await engine.call("fail")).error?.code, "MEMORY_LIMIT");
  };
  for (let warm = 0; warm < 50; warm += 1) await fail();
  const before = footprint();
  for (let restart = 0; restart < RESTARTS; restart += 1) await fail();
  assertFlat(before);
});

interface Footprint {
  readonly rss: number;
  readonly handles: number;
  readonly files: number;
}

function footprint(): Footprint {
  const files = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  return { rss: process.memoryUsage.rss(), handles: process.getActiveResourcesInfo().length, files };
}

function assertFlat(before: Footprint): void {
  const after = footprint();
  assert.ok(after.rss - before.rss < SLACK_BYTES, `memory grew by ${((after.rss - before.rss) / MiB).toFixed(0)} MiB`);
  // A cell more or less may just be starting or ending: three pipes and a process.
  assert.ok(after.handles - before.handles <= 8, `handles grew from ${before.handles} to ${after.handles}`);
  assert.ok(after.files - before.files <= 8, `open files grew from ${before.files} to ${after.files}`);
}
