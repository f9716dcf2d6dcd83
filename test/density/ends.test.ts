import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Engine } from "toolcell";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { startCall } from "../support/calls.ts";
import { canSeeProcesses, keeperPids, onlyKeeper, until } from "../support/processes.ts";
import { counter, makeSharing, WAIT } from "./a-shared-folder.ts";

const skip = canSeeProcesses ? false : "needs /proc";

const MiB = 1024 * 1024;
/** V8 throws at the isolate's limit, and the isolate alone is gone. */
const GROW = "function run() { const kept = []; for (let i = 0; ; i++) kept.push('x'.repeat(100000) + i); }";
/** V8 aborts the whole process at the isolate's limit. */
const ABORT = "function run() { const map = new Map(); for (let i = 0; ; i++) map.set({ i }, 'v' + i); }";
/** A built-in that nothing interrupts. */
const STUCK = "function run() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }";
const LOOP = "function run() { for (;;); }";

const beside = { ...counter("two"), "two/wait.js": toolFile("wait", WAIT) };

describe("what ends one cell of a process leaves its neighbour be:", { skip }, () => {
  for (const [what, run, code, limits, options] of [
    ["its isolate's memory", GROW, "MEMORY_LIMIT", { memoryBytes: 32 * MiB }, {}],
    ["a turn that computes for too long", LOOP, "CPU_LIMIT", { cpuMs: 200 }, {}],
    ["a deadline in the middle of a turn", LOOP, "CALL_TIMEOUT", { graceMs: 100 }, { timeoutMs: 500 }],
    ["a flood of microtasks", "async function run() { for (;;) await 0; }", "CPU_LIMIT", { cpuMs: 200 }, {}],
  ] as const) {
    test(what, async () => {
      await using made = await makeSharing({ "one/bad.js": toolFile("bad", run), ...counter("one"), ...beside }, { limits });
      const { engine } = made;
      await engine.call("count_two");
      await engine.call("count_one");
      const pid = onlyKeeper();
      const waiting = startCall(engine, "wait");
      await waiting.begun;
      const stopped = endOf(engine, "one");
      assert.equal((await engine.call("bad", {}, options)).error?.code, code);
      await stopped;
      assert.equal((await engine.call("count_two")).text, "2");
      assert.equal((await engine.call("count_one")).text, "1");
      assert.equal(onlyKeeper(), pid);
      waiting.cancel();
      assert.equal((await waiting.outcome).error?.code, "CANCELLED");
    });
  }
});

describe("what ends the whole process", { skip }, () => {
  for (const [what, run, code, limits] of [
    ["an abort of V8's", ABORT, "MEMORY_LIMIT", { memoryBytes: 32 * MiB }],
    ["a turn that nothing stops", STUCK, "CPU_LIMIT", { cpuMs: 200 }],
  ] as const) {
    test(`ends its neighbour's calls that had begun: ${what}`, async () => {
      await using made = await makeSharing({ "one/bad.js": toolFile("bad", run), ...beside }, { limits: { ...limits, crashCount: 1 } });
      const { engine } = made;
      const waiting = startCall(engine, "wait");
      await waiting.begun;
      assert.equal((await engine.call("bad")).error?.code, code);
      const { error } = await waiting.outcome;
      assert.deepEqual([error?.code, error?.started, error?.retrySafe], ["CELL_CRASHED", true, true]);
      assert.match(error?.message ?? "", /shares with other capabilities/u);
      // Nobody holds it against the neighbour, not even after one crash.
      assert.equal((await engine.call("count_two")).text, "1");
    });

    test(`is told of whoever did it, who stands alone from then on: ${what}`, async () => {
      const files = { "one/bad.js": toolFile("bad", run), ...counter("one"), ...beside, ...counter("three") };
      await using made = await makeSharing(files, { limits });
      const { engine } = made;
      await engine.call("count_two");
      assert.equal((await engine.call("bad")).error?.code, code);
      await until(() => keeperPids().length === 0);
      for (const name of ["count_one", "count_two", "count_three"]) assert.equal((await engine.call(name)).text, "1");
      assert.equal(keeperPids().length, 2);
      const waiting = startCall(engine, "wait");
      await waiting.begun;
      assert.equal((await engine.call("bad")).error?.code, code);
      assert.equal((await engine.call("count_three")).text, "2");
      waiting.cancel();
      assert.equal((await waiting.outcome).error?.code, "CANCELLED");
    });
  }

  test("runs a neighbour's calls that had not begun on its next cell", async () => {
    const hold = `function run(context) { context.progress(null, "begun"); const end = Date.now() + 3000; while (Date.now() < end); return "held"; }`;
    const files = { "one/bad.js": toolFile("bad", STUCK), "two/hold.js": toolFile("hold", hold), ...counter("two") };
    await using made = await makeSharing(files, { limits: { cpuMs: 10_000 } });
    const { engine } = made;
    await engine.call("count_two");
    const held = startCall(engine, "hold");
    await held.begun;
    const counting = engine.call("count_two");
    assert.equal((await engine.call("bad", {}, { timeoutMs: 300 })).error?.code, "CALL_TIMEOUT");
    assert.equal((await held.outcome).error?.code, "CELL_CRASHED");
    const counted = await counting;
    assert.deepEqual([counted.ok, counted.text], [true, "1"]);
  });

  test("is held against the code that did it, and not against what takes its place", async () => {
    const files = { "one/bad.js": toolFile("bad", STUCK), ...counter("two") };
    await using made = await makeSharing(files, { limits: { cpuMs: 200 }, watch: false });
    const { engine } = made;
    await engine.call("count_two");
    assert.equal((await engine.call("bad")).error?.code, "CPU_LIMIT");
    await until(() => keeperPids().length === 0);
    writeFiles(made.folder, { "one/bad.js": toolFile("bad", "const run = () => 'good';") });
    await engine.refresh();
    assert.equal((await engine.call("bad")).text, "good");
    assert.equal((await engine.call("count_two")).text, "1");
    assert.equal(keeperPids().length, 1);
  });

  test("is held against nobody where it came from outside", async () => {
    await using made = await makeSharing({ ...counter("one"), ...beside }, { limits: { crashCount: 1 } });
    const { engine } = made;
    await engine.call("count_one");
    const waiting = startCall(engine, "wait");
    await waiting.begun;
    process.kill(-onlyKeeper(), "SIGKILL");
    assert.equal((await waiting.outcome).error?.code, "CELL_CRASHED");
    for (const name of ["count_one", "count_two"]) assert.equal((await engine.call(name)).text, "1");
    assert.equal(keeperPids().length, 1);
  });

  test("is memory of the process that no isolate's limit counts", async () => {
    const resize = `function run() {
      const kept = [];
      for (;;) { const buffer = new ArrayBuffer(0, { maxByteLength: 2 ** 30 }); for (let size = 0; size < 2 ** 30; size += 2 ** 20) { buffer.resize(size + 2 ** 20); new Uint8Array(buffer).fill(1, size); } kept.push(buffer); }
    }`;
    const limits = { memoryBytes: 32 * MiB, residentBytes: 128 * MiB, sharedCellCount: 2 };
    await using made = await makeSharing({ "one/resize.js": toolFile("resize", resize), ...counter("two") }, { limits });
    await made.engine.call("count_two");
    assert.equal((await made.engine.call("resize")).error?.code, "MEMORY_LIMIT");
    assert.equal((await made.engine.call("count_two")).text, "1");
  });
});

describe("where several were in a turn", { skip }, () => {
  test("nobody is told that it did it, and each stands alone for a while", async () => {
    // Each has begun and computes, and one of them ends the process.
    const spin = `async function run(context) { context.progress(null, "begun"); for (;;) { const end = Date.now() + 100; while (Date.now() < end); await new Promise((r) => setTimeout(r, 1)); } }`;
    const files = {
      "one/bad.js": toolFile("bad", ABORT),
      ...counter("one"),
      "two/spin.js": toolFile("spin", spin),
      ...counter("two"),
      ...counter("three"),
      ...counter("four"),
    };
    await using made = await makeSharing(files, { limits: { memoryBytes: 64 * MiB, crashCount: 1 } });
    const { engine } = made;
    await engine.call("count_three");
    const spinning = startCall(engine, "spin");
    await spinning.begun;
    const ended = await engine.call("bad");
    assert.ok(["CELL_CRASHED", "MEMORY_LIMIT"].includes(ended.error?.code ?? ""));
    assert.equal((await spinning.outcome).error?.code, "CELL_CRASHED");
    for (const name of ["one", "two", "three", "four"]) {
      const { error } = await engine.call(`count_${name}`);
      // The one that did it may have been quarantined; the others never.
      if (name !== "one" || ended.error?.code === "CELL_CRASHED") assert.equal(error, null);
    }
  });
});

function endOf(engine: Engine, name: string): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["stopped", "crashed"] as const) engine.on(event, ({ capability }) => capability === name && resolve());
  });
}
