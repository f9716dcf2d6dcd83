import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import { HOLD, startCall, type StartedCall } from "../support/calls.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const MiB = 1024 * 1024;

const files = {
  "limit/wait.js": toolFile("wait", "const run = (context, { ms }) => new Promise((resolve) => setTimeout(() => resolve('waited'), ms));"),
  "limit/never.js": toolFile("never", "const run = () => new Promise(() => {});"),
  "limit/spin.js": toolFile(
    "spin",
    "const run = (context, { ms }) => { for (const end = Date.now() + ms; Date.now() < end; ); return 'spun'; };",
  ),
  "limit/turns.js": toolFile(
    "turns",
    `const run = async (context, { count, ms }) => {
      for (let turn = 0; turn < count; turn += 1) {
        for (const end = Date.now() + ms; Date.now() < end; );
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      return "turned";
    };`,
  ),
  "limit/keep.js": toolFile(
    "keep",
    "const run = (context, { mib }) => { const kept = []; for (let index = 0; index < mib; index += 1) kept.push(new Array(131072).fill(index + 0.5)); return `kept ${kept.length}`; };",
  ),
  "limit/hold.js": toolFile("hold", HOLD),
  "other/hold_other.js": toolFile("hold_other", HOLD),
};

testLimit("callMs", {
  files,
  set: 400,
  raisedTo: 60_000,
  at: ["leaves a call alone that ends in time", async ({ engine }) => assert.equal((await engine.call("wait", { ms: 1 })).text, "waited")],
  over: [
    "ends a call that does not",
    async ({ engine }) => {
      const { text, error } = await engine.call("never");
      assert.deepEqual([error?.code, error?.limit], ["CALL_TIMEOUT", { name: "callMs", value: 400 }]);
      assert.match(text, /did not end within 400 ms/u);
    },
  ],
  raised: ["waits for longer", async ({ engine }) => assert.equal((await engine.call("wait", { ms: 500 })).text, "waited")],
});

testLimit("cpuMs", {
  files,
  set: 1000,
  at: [
    "leaves a tool alone whose every turn is shorter, however many there are",
    async ({ engine }) => assert.equal((await engine.call("turns", { count: 4, ms: 300 })).text, "turned"),
  ],
  over: [
    "stops a turn that is longer",
    async ({ engine }) => {
      const { text, error } = await engine.call("spin", { ms: 60_000 });
      assert.deepEqual([error?.code, error?.limit], ["CPU_LIMIT", { name: "cpuMs", value: 1000 }]);
      assert.match(text, /more than 1000 ms/u);
    },
  ],
  raised: ["lets a turn be longer", async ({ engine }) => assert.equal((await engine.call("spin", { ms: 1300 })).text, "spun")],
});

testLimit("memoryBytes", {
  files,
  set: 16 * MiB,
  at: ["leaves a tool alone that keeps less", async ({ engine }) => assert.equal((await engine.call("keep", { mib: 4 })).text, "kept 4")],
  over: [
    "ends a tool that keeps more, and the next call has a cell",
    async ({ engine }) => {
      const { error } = await engine.call("keep", { mib: 60 });
      assert.deepEqual([error?.code, error?.limit], ["MEMORY_LIMIT", { name: "memoryBytes", value: 16 * MiB }]);
      assert.equal((await engine.call("keep", { mib: 1 })).text, "kept 1");
    },
  ],
  raised: ["lets a tool keep more", async ({ engine }) => assert.equal((await engine.call("keep", { mib: 60 })).text, "kept 60")],
});

testLimit("concurrency", {
  files,
  set: 2,
  raisedTo: 3,
  at: ["runs exactly as many calls of a capability at once", async ({ engine }) => await release([await hold(engine), await hold(engine)])],
  over: [
    "lets one more wait, and calls of another capability pass it",
    async ({ engine }) => {
      const holding = [await hold(engine), await hold(engine)];
      const { error } = await engine.call("hold", {}, { timeoutMs: 30 });
      assert.equal(error?.code, "QUEUE_TIMEOUT");
      await release([...holding, await hold(engine, "hold_other")]);
    },
  ],
  raised: ["runs one more", async ({ engine }) => await release([await hold(engine), await hold(engine), await hold(engine)])],
});

testLimit("callCount", {
  files,
  set: 1,
  raisedTo: 2,
  at: ["runs exactly as many calls of all capabilities at once", async ({ engine }) => await release([await hold(engine)])],
  over: [
    "lets a call of any capability wait behind them",
    async ({ engine }) => {
      const holding = await hold(engine);
      const { error } = await engine.call("hold_other", {}, { timeoutMs: 30 });
      assert.equal(error?.code, "QUEUE_TIMEOUT");
      await release([holding]);
    },
  ],
  raised: ["runs one more", async ({ engine }) => await release([await hold(engine), await hold(engine, "hold_other")])],
});

testLimit("queueCount", {
  files,
  set: 1,
  raisedTo: 2,
  beside: { concurrency: 1 },
  at: ["lets exactly as many calls wait", async ({ engine }) => await release([await hold(engine), startCall(engine, "hold")])],
  over: [
    "turns the next one away",
    async ({ engine }) => {
      const calls = [await hold(engine), startCall(engine, "hold")];
      const { error } = await engine.call("hold");
      assert.deepEqual([error?.code, error?.limit], ["BUSY", { name: "queueCount", value: 1 }]);
      await release(calls);
    },
  ],
  raised: [
    "lets one more wait",
    async ({ engine }) => await release([await hold(engine), startCall(engine, "hold"), startCall(engine, "hold")]),
  ],
});

testLimit("queueMs", {
  files,
  set: 200,
  beside: { concurrency: 1 },
  at: [
    "waits for a turn that comes in time",
    async ({ engine }) => {
      const first = await hold(engine);
      const second = startCall(engine, "hold");
      first.cancel();
      await second.begun;
      await release([first, second]);
    },
  ],
  over: [
    "gives up a call whose turn does not come",
    async ({ engine }) => {
      const first = await hold(engine);
      const { error } = await engine.call("hold");
      assert.deepEqual([error?.code, error?.limit, error?.started], ["QUEUE_TIMEOUT", { name: "queueMs", value: 200 }, false]);
      await release([first]);
    },
  ],
  raised: [
    "waits for longer",
    async ({ engine }) => {
      const first = await hold(engine);
      const second = startCall(engine, "wait", { ms: 1 });
      // Longer than the limit of the other two tests: the turn that comes then is still taken.
      await engine.call("hold_other", {}, { timeoutMs: 300 });
      await release([first]);
      assert.equal((await second.outcome).text, "waited");
    },
  ],
});

testLimit("startMs", {
  files: {
    "quick/quick.js": toolFile("quick", "const run = () => 'started';"),
    "slow/slow.js": toolFile("slow", "const run = () => 'started';", { code: "for (const end = Date.now() + 1300; Date.now() < end; );" }),
  },
  set: 1200,
  at: ["takes a tool that is ready in time", async ({ engine }) => assert.equal((await engine.call("quick")).text, "started")],
  over: [
    "gives up one whose module is not, before its tool has begun",
    async ({ engine }) => {
      const { error } = await engine.call("slow");
      assert.deepEqual([error?.code, error?.limit, error?.started], ["START_TIMEOUT", { name: "startMs", value: 1200 }, false]);
    },
  ],
  raised: ["waits for a slower start", async ({ engine }) => assert.equal((await engine.call("slow")).text, "started")],
});

async function hold(engine: TestEngine["engine"], tool = "hold"): Promise<StartedCall> {
  const call = startCall(engine, tool);
  await call.begun;
  return call;
}

async function release(calls: readonly StartedCall[]): Promise<void> {
  for (const call of calls) call.cancel();
  for (const call of calls) assert.equal((await call.outcome).error?.code, "CANCELLED");
}
