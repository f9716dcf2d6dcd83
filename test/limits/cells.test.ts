import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import { HOLD, startCall } from "../support/calls.ts";
import type { TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

// How many calls this cell has had: one that was replaced begins anew.
const COUNTING = { code: "let calls = 0;" };

const files = {
  "one/count.js": toolFile("count", "const run = () => (calls += 1);", COUNTING),
  "one/hear.js": toolFile(
    "hear",
    `const run = (context) => new Promise((resolve) => {
      context.signal.addEventListener("abort", () => setTimeout(() => resolve("heard"), 100));
      context.progress(null, "begun");
    });`,
  ),
  "two/count_two.js": toolFile("count_two", "const run = () => (calls += 1);", COUNTING),
  "two/hold_two.js": toolFile("hold_two", HOLD),
};

testLimit("graceMs", {
  files,
  set: 10,
  raisedTo: 10_000,
  at: [
    "keeps the cell of a call that ends before it has passed",
    async ({ engine }) => {
      await engine.call("count");
      const { error } = await startedAndCancelled(engine, "hold_two");
      assert.equal(error?.code, "CANCELLED");
      assert.equal((await engine.call("count")).text, "2");
    },
  ],
  over: [
    "replaces the cell of a call that does not",
    async ({ engine }) => {
      const before = Number((await engine.call("count")).text);
      assert.equal((await startedAndCancelled(engine, "hear")).error?.code, "CANCELLED");
      const after = Number((await engine.call("count")).text);
      assert.ok(after <= before, `${before} calls, then ${after}`);
    },
  ],
  raised: [
    "waits for longer, and the cell stays",
    async ({ engine }) => {
      await engine.call("count");
      assert.equal((await startedAndCancelled(engine, "hear")).error?.code, "CANCELLED");
      assert.equal((await engine.call("count")).text, "2");
    },
  ],
});

if (canSeeProcesses) {
  testLimit("idleStopMs", {
    files,
    set: 60,
    beside: { spareCount: 0 },
    at: [
      "leaves a cell alone that has something to do for as long",
      async ({ engine }) => {
        const call = startCall(engine, "hold_two");
        await call.begun;
        const pids = keeperPids();
        // A second cell comes and goes meanwhile.
        await engine.call("count");
        await until(() => keeperPids().length === 1);
        assert.deepEqual(keeperPids(), pids);
        call.cancel();
        await call.outcome;
      },
    ],
    over: [
      "ends a cell that has had nothing to do, and the next call has a new one",
      async ({ engine }) => {
        assert.equal((await engine.call("count")).text, "1");
        await until(() => keeperPids().length === 0);
        assert.equal((await engine.call("count")).text, "1");
      },
    ],
    raised: [
      "keeps it",
      async ({ engine }) => {
        await engine.call("count");
        await engine.call("count_two", {});
        await startedAndCancelled(engine, "hear");
        assert.equal((await engine.call("count")).text, "2");
      },
    ],
  });

  testLimit("cellCount", {
    files,
    set: 1,
    raisedTo: 2,
    beside: { spareCount: 0 },
    at: [
      "keeps exactly as many cells",
      async ({ engine }) => {
        await engine.call("count");
        await engine.call("count");
        assert.equal(keeperPids().length, 1);
      },
    ],
    over: [
      "ends the one idle for longest where one more is wanted, and never one that is busy",
      async ({ engine }) => {
        await engine.call("count");
        const [first] = keeperPids();
        const busy = startCall(engine, "hold_two");
        await busy.begun;
        await until(() => keeperPids().length === 1);
        assert.ok(!keeperPids().includes(first ?? 0));
        // Nobody is idle now: a call of another capability waits for the busy one to be.
        assert.equal((await engine.call("count", {}, { timeoutMs: 100 })).error?.code, "START_TIMEOUT");
        const waiting = engine.call("count");
        busy.cancel();
        assert.equal((await busy.outcome).error?.code, "CANCELLED");
        assert.equal((await waiting).text, "1");
        // Both want a cell before either has one.
        const calls = [startCall(engine, "hear"), startCall(engine, "hold_two")];
        const ahead = await Promise.race(calls.map(async (call) => (await call.begun, call)));
        assert.equal(keeperPids().length, 1);
        for (const call of [ahead, ...calls.filter((other) => other !== ahead)]) {
          await call.begun;
          call.cancel();
          assert.equal((await call.outcome).error?.code, "CANCELLED");
        }
      },
    ],
    raised: [
      "keeps one more",
      async ({ engine }) => {
        await engine.call("count");
        await engine.call("count_two");
        assert.equal(keeperPids().length, 2);
        assert.equal((await engine.call("count")).text, "2");
      },
    ],
  });

  testLimit("spareCount", {
    files,
    set: 1,
    raisedTo: 2,
    at: [
      "has exactly as many processes stand ready",
      async ({ engine }) => {
        await engine.call("count");
        await until(() => keeperPids().length === 2);
      },
    ],
    over: [
      "makes no more of them however many cells there are",
      async ({ engine }) => {
        const spare = keeperPids();
        await engine.call("count_two");
        await until(() => keeperPids().length === 3);
        assert.ok(
          spare.every((pid) => keeperPids().includes(pid)),
          "the spare serves the second capability",
        );
      },
    ],
    raised: [
      "has one more stand ready",
      async ({ engine }) => {
        await engine.call("count");
        await until(() => keeperPids().length === 3);
      },
    ],
  });
}

async function startedAndCancelled(engine: TestEngine["engine"], tool: string) {
  const call = startCall(engine, tool);
  await call.begun;
  call.cancel();
  return await call.outcome;
}
