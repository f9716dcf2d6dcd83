import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { canSeeProcesses, commandOf, keeperPids, until } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

const MiB = 1024 * 1024;

const SEALED_GROWTH = `const run = async (context, { mib, turns = 1 }) => {
  // Outside the heap that the isolate's own limit is about.
  const buffer = new ArrayBuffer(0, { maxByteLength: mib * 1048576 });
  for (let grown = 1; grown <= mib; grown += 1) {
    buffer.resize(grown * 1048576);
    new Uint8Array(buffer).fill(1, (grown - 1) * 1048576);
    if (grown % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setTimeout(resolve, 25));
  return "grown";
};`;

const files = {
  "grow/grow.js": toolFile("grow", SEALED_GROWTH),
  "large/large.js": toolFile("large", "const run = (context, { mib }) => ({ text: 'large', payload: 'x'.repeat(mib * 1048576) });"),
};

if (canSeeProcesses) {
  testLimit("residentBytes", {
    files,
    set: 64 * MiB,
    raisedTo: 1024 * MiB,
    beside: { memoryBytes: 8 * MiB, spareCount: 0 },
    at: ["leaves a cell alone that stays below", async ({ engine }) => assert.equal((await engine.call("grow", { mib: 1 })).text, "grown")],
    over: [
      "ends one that grows past it outside its heap",
      async ({ engine }) => assert.equal((await engine.call("grow", { mib: 300 })).error?.code, "MEMORY_LIMIT"),
    ],
    raised: ["lets it grow further", async ({ engine }) => assert.equal((await engine.call("grow", { mib: 300 })).text, "grown")],
  });

  testLimit("watchMs", {
    files,
    set: 5,
    raisedTo: 1000,
    beside: { memoryBytes: 8 * MiB, residentBytes: 64 * MiB, spareCount: 0 },
    at: [
      "lets a cell grow that stays below between two looks",
      async ({ engine }) => assert.equal((await engine.call("grow", { mib: 1 })).text, "grown"),
    ],
    over: [
      "sees a cell that has grown at the next look",
      async ({ engine }) => assert.equal((await engine.call("grow", { mib: 300 })).error?.code, "MEMORY_LIMIT"),
    ],
    raised: [
      "sees it later, and still",
      async ({ engine }) => assert.equal((await engine.call("grow", { mib: 300, turns: 400 })).error?.code, "MEMORY_LIMIT"),
    ],
  });

  testLimit("keeperHeapBytes", {
    files,
    set: 16 * MiB,
    raisedTo: 256 * MiB,
    beside: { resultBytes: 64 * MiB, spareCount: 0 },
    at: [
      "carries a result that it holds",
      async ({ engine }) => {
        assert.equal((await engine.call("large", { mib: 1 })).text, "large");
        assert.ok(keeperPids().every((pid) => commandOf(pid).includes("--max-old-space-size=16 ")));
      },
    ],
    over: [
      "ends a cell whose keeper needs more",
      async ({ engine }) => assert.equal((await engine.call("large", { mib: 48 })).error?.code, "MEMORY_LIMIT"),
    ],
    raised: ["carries a larger result", async ({ engine }) => assert.equal((await engine.call("large", { mib: 48 })).text, "large")],
  });
}

testLimit("stderrBytes", {
  files,
  set: 256,
  raisedTo: 257,
  // V8 says most where the keeper's own heap is full.
  beside: { keeperHeapBytes: 16 * MiB, resultBytes: 64 * MiB },
  at: ["keeps nothing of a cell that says nothing", async (made) => assert.equal(await lastWords(made, 1), "")],
  over: ["keeps the last bytes of one that says more", async (made) => assert.equal((await lastWords(made, 48)).length, 256)],
  raised: ["keeps one byte more", async (made) => assert.equal((await lastWords(made, 48)).length, 257)],
});

/** What the owner's log keeps of the end of the cell that a call takes with it. */
async function lastWords({ engine, log }: TestEngine, mib: number): Promise<string> {
  const before = log.length;
  const outcome = await engine.call("large", { mib });
  if (outcome.ok) return "";
  await until(() => log.slice(before).some(({ message }) => message.includes("ended")));
  return log.slice(before).find(({ message }) => message.includes("ended"))?.detail ?? "";
}
