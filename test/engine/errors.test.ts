import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { after, before, describe, test } from "node:test";
import { CODES, type Code, type Outcome, type Phase } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { HOLD, startCall } from "../support/calls.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";

const MiB = 1024 * 1024;
const limits = {
  callMs: 5000,
  cpuMs: 500,
  memoryBytes: 16 * MiB,
  queueCount: 1,
  queueMs: 150,
  startMs: 4000,
  concurrency: 1,
  graceMs: 100,
};
const SPIN = "for (;;);";

let made: TestEngine;
before(async () => {
  const schema = `{ type: "object", additionalProperties: false, required: ["place"], properties: {
    place: { type: "string" }, days: { type: "integer", minimum: 1 }, unit: { enum: ["C", "F"] } } }`;
  made = await makeEngine(
    {
      "demo/weather.js": toolFile("weather", "const run = () => 'mild';", { schema }),
      "demo/refuse.js": toolFile("refuse", "const run = () => { throw new ToolError('No place called \"Daytn\". Check the spelling.'); };"),
      "demo/boom.js": toolFile("boom", "const run = () => { const place = undefined; return place.name; };"),
      "demo/never.js": toolFile("never", "const run = () => new Promise(() => {});"),
      "demo/spin.js": toolFile("spin", `const run = () => { ${SPIN} };`),
      "demo/grow.js": toolFile("grow", "const run = () => { const kept = []; for (;;) kept.push(new Array(100_000).fill(1.5)); };"),
      "demo/circle.js": toolFile("circle", "const run = () => { const circle = {}; circle.self = circle; return circle; };"),
      "demo/functions.js": toolFile("functions", "const run = () => ({ deep: { callback() {} } });"),
      "demo/hold.js": toolFile("hold", HOLD),
      "broken/broken.js": toolFile("broken", "const run = () => 1;", { code: "throw new Error('no key');" }),
      "endless/endless.js": toolFile("endless", "const run = () => 1;", { code: SPIN }),
      "hungry/hungry.js": toolFile("hungry", "const run = () => 1;", {
        code: "globalThis.kept = []; for (;;) kept.push(new Array(100_000).fill(1.5));",
      }),
      "slow/slow.js": toolFile("slow", "const run = () => 1;", { code: "for (const end = Date.now() + 300; Date.now() < end; );" }),
    },
    { limits },
  );
});
after(() => made[Symbol.asyncDispose]());

interface Expected {
  readonly code: Code;
  readonly phase: Phase;
  readonly started: boolean;
  readonly limit?: { readonly name: string; readonly value: number };
  /** What the model reads, after the tool's name. */
  readonly says: RegExp;
}

describe("the model reads what happened and what to do:", () => {
  test("UNKNOWN_TOOL lists what there is", async () => {
    const outcome = await made.engine.call("get_wether");
    assertFailed(outcome, {
      code: "UNKNOWN_TOOL",
      phase: "lookup",
      started: false,
      says: /no tool "get_wether"\. There is: .*\bweather\b/u,
    });
    assert.equal(outcome.capability, null);
  });

  test("INVALID_ARGUMENTS names every fault at once", async () => {
    const outcome = await made.engine.call("weather", { days: 0, unit: "K", citty: "Kyoto" });
    assertFailed(outcome, { code: "INVALID_ARGUMENTS", phase: "validate", started: false, says: /`place`, which is missing/u });
    assert.equal(outcome.error?.message.split("\n").length, 4);
    assert.match(outcome.text, /`days` must be >= 1/u);
    assert.match(outcome.text, /`unit` must be one of "C", "F"/u);
    assert.match(outcome.text, /must not have `citty`/u);
  });

  test("TOOL_ERROR is the tool's own words", async () => {
    const outcome = await made.engine.call("refuse");
    assertFailed(outcome, { code: "TOOL_ERROR", phase: "run", started: true, says: /: No place called "Daytn"\. Check the spelling\.$/u });
  });

  test("TOOL_EXCEPTION is what it threw; the owner has the stack", async () => {
    const outcome = await made.engine.call("boom");
    assertFailed(outcome, {
      code: "TOOL_EXCEPTION",
      phase: "run",
      started: true,
      says: /threw TypeError: .*'name'.*\. Try other arguments/u,
    });
    const entry = made.log.find(({ callId }) => callId === outcome.callId);
    assert.match(entry?.detail ?? "", /at .*run/u);
    assert.deepEqual([entry?.tool, entry?.capability, entry?.level], ["boom", "demo", "error"]);
  });

  test("CALL_TIMEOUT tells of the deadline that it had", async () => {
    const outcome = await made.engine.call("never", {}, { timeoutMs: 100 });
    assertFailed(outcome, {
      code: "CALL_TIMEOUT",
      phase: "run",
      started: true,
      limit: { name: "timeoutMs", value: 100 },
      says: /did not end within 100 ms\. Ask for less, or allow more time/u,
    });
  });

  test("CPU_LIMIT", async () => {
    assertFailed(await made.engine.call("spin"), {
      code: "CPU_LIMIT",
      phase: "run",
      started: true,
      limit: { name: "cpuMs", value: 500 },
      says: /more than 500 ms .*Ask for less at a time/u,
    });
  });

  test("MEMORY_LIMIT", async () => {
    assertFailed(await made.engine.call("grow"), {
      code: "MEMORY_LIMIT",
      phase: "run",
      started: true,
      limit: { name: "memoryBytes", value: 16 * MiB },
      says: /more memory .*Ask for less at a time/u,
    });
  });

  test("BAD_RESULT says what is wrong with it and where", async () => {
    assertFailed(await made.engine.call("circle"), { code: "BAD_RESULT", phase: "result", started: true, says: /refers to itself/u });
    assertFailed(await made.engine.call("functions"), {
      code: "BAD_RESULT",
      phase: "result",
      started: true,
      says: /function at `result\.deep\.callback`: return data only/u,
    });
  });

  test("LOAD_FAILED for a module that throws, that never ends, that fills the heap", async () => {
    const expected = { code: "LOAD_FAILED", phase: "start", started: false } as const;
    assertFailed(await made.engine.call("broken"), { ...expected, says: /could not be loaded: Error: no key\. .*repair/u });
    assertFailed(await made.engine.call("endless"), { ...expected, says: /could not be loaded: .*500 ms.*repair/u });
    assertFailed(await made.engine.call("hungry"), { ...expected, says: /could not be loaded: .*memory.*repair/u });
  });

  test("START_TIMEOUT, with the time that it was given", async () => {
    const outcome = await made.engine.call("slow", {}, { timeoutMs: 100 });
    assertFailed(outcome, {
      code: "START_TIMEOUT",
      phase: "start",
      started: false,
      limit: { name: "timeoutMs", value: 100 },
      says: /not ready after \d+ ms.*never begun\. Call again/u,
    });
  });

  test("QUEUE_TIMEOUT and BUSY", async () => {
    const running = startCall(made.engine, "hold");
    await running.begun;
    const waiting = made.engine.call("hold");
    const busy = await made.engine.call("hold");
    assertFailed(busy, {
      code: "BUSY",
      phase: "queue",
      started: false,
      limit: { name: "queueCount", value: 1 },
      says: /1 calls? .*wait already\. Call again later/u,
    });
    const late = { code: "QUEUE_TIMEOUT", phase: "queue", started: false, says: /was never begun.*Call again later/u } as const;
    const outcome = await waiting;
    assertFailed(outcome, { ...late, limit: { name: "queueMs", value: 150 } });
    assert.ok(outcome.usage.queueMs >= 149);
    assertFailed(await made.engine.call("hold", {}, { timeoutMs: 50 }), { ...late, limit: { name: "timeoutMs", value: 50 } });
    running.cancel();
    await running.outcome;
  });

  test("CELL_CRASHED where the process ended by itself", { skip: canSeeProcesses ? false : "processes cannot be seen here" }, async () => {
    const others = new Set(keeperPids());
    await using alone = await makeEngine({ "demo/hold.js": toolFile("hold", HOLD) }, { limits: { spareCount: 0 } });
    const call = startCall(alone.engine, "hold");
    await call.begun;
    for (const pid of keeperPids()) if (!others.has(pid)) process.kill(pid, "SIGKILL");
    const outcome = await call.outcome;
    assertFailed(outcome, {
      code: "CELL_CRASHED",
      phase: "run",
      started: true,
      says: /ended by itself \(SIGKILL\)\. Call again; .*repair/u,
    });
    await until(() => alone.log.some(({ message }) => message.includes("SIGKILL")));
  });
});

describe("a call that is given up is CANCELLED", () => {
  test("before it begins", async () => {
    const outcome = await made.engine.call("hold", {}, { signal: AbortSignal.abort() });
    assertFailed(outcome, { code: "CANCELLED", phase: "queue", started: false, says: /caller gave it up/u });
  });

  test("in the queue, and its place is free", async () => {
    const running = startCall(made.engine, "hold");
    await running.begun;
    const waiting = startCall(made.engine, "hold");
    waiting.cancel();
    assertFailed(await waiting.outcome, { code: "CANCELLED", phase: "queue", started: false, says: /caller gave it up/u });
    const next = startCall(made.engine, "hold");
    running.cancel();
    await running.outcome;
    await next.begun;
    next.cancel();
    await next.outcome;
  });

  test("while its cell starts", async () => {
    await using fresh = await makeEngine({
      "slow/slow.js": toolFile("slow", "const run = () => 1;", { code: "for (const end = Date.now() + 300; Date.now() < end; );" }),
    });
    const call = startCall(fresh.engine, "slow");
    await setImmediate();
    call.cancel();
    assertFailed(await call.outcome, { code: "CANCELLED", phase: "start", started: false, says: /caller gave it up/u });
    assert.equal((await fresh.engine.call("slow")).text, "1");
  });

  test("while it runs, whatever it answers then", async () => {
    const call = startCall(made.engine, "hold");
    await call.begun;
    call.cancel();
    assertFailed(await call.outcome, { code: "CANCELLED", phase: "run", started: true, says: /caller gave it up/u });
  });

  test("while it computes and hears nothing", async () => {
    await using fresh = await makeEngine(
      { "demo/deaf.js": toolFile("deaf", `const run = (context) => { context.progress(null, "begun"); ${SPIN} };`) },
      { limits: { graceMs: 50 } },
    );
    const call = startCall(fresh.engine, "deaf");
    await call.begun;
    call.cancel();
    assertFailed(await call.outcome, { code: "CANCELLED", phase: "run", started: true, says: /caller gave it up/u });
  });
});

test("no code of this file is missing that can occur without powers and quarantine", () => {
  const later = new Set(["POWER_LIMIT", "PERMISSION_DENIED", "QUARANTINED"]);
  assert.deepEqual(
    [...seen].sort(),
    Object.keys(CODES)
      .filter((code) => !later.has(code))
      .sort(),
  );
});

const seen = new Set<Code>();

function assertFailed(outcome: Outcome, { says, ...expected }: Expected): void {
  const { error, ok, text } = outcome;
  assert.ok(error !== null && !ok, text);
  seen.add(error.code);
  const { message, ...rest } = error;
  assert.deepEqual(rest, { ...expected, retrySafe: true }, text);
  assert.match(text, says);
  assert.equal(text.startsWith(`${outcome.tool} ${error.started ? "failed" : "was not run"}: `), true, text);
  assert.ok(text.includes(message));
  assert.match(text, /[.!?…]$/u);
  assert.equal(outcome.summary, error.code.toLowerCase().replaceAll("_", " "));
  // Neither a path of this machine nor a line of a stack.
  for (const secret of [process.cwd(), made.home, made.folder, "/tmp/toolcell", "node_modules", "file://", "capability.js:"])
    assert.ok(!text.includes(secret), text);
  assert.doesNotMatch(text, /^\s*at /mu);
  assert.deepEqual([outcome.payload, outcome.images, outcome.effects, outcome.trimmed], [null, [], [], null]);
}
