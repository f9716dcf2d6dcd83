import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { HOLD, startCall } from "../support/calls.ts";
import { makeEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";

const COUNT = toolFile("count", "const run = () => (calls += 1);", { code: "let calls = 0;" });
const NEVER = toolFile("never", "const run = (context) => { context.progress(null); return new Promise(() => {}); };");
const WAIT = toolFile(
  "wait",
  "const run = (context, { ms }) => new Promise((resolve) => { context.progress(null); setTimeout(() => resolve('waited'), ms); });",
);
const SPIN = toolFile("spin", "const run = (context) => { context.progress(null); for (;;); };");
const skip = canSeeProcesses ? false : "processes cannot be seen here";

describe("beside a call that times out", () => {
  test("others finish where the cell still answers, and the next call has a new cell", async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT, "demo/never.js": NEVER, "demo/wait.js": WAIT });
    const { engine } = made;
    assert.equal((await engine.call("count")).text, "1");
    const neighbour = startCall(engine, "wait", { ms: 600 });
    await neighbour.begun;
    assert.equal((await engine.call("never", {}, { timeoutMs: 100 })).error?.code, "CALL_TIMEOUT");
    assert.equal((await engine.call("count")).text, "1");
    assert.equal((await neighbour.outcome).text, "waited");
  });

  test("one that had begun ends where the cell answers no more", async () => {
    await using made = await makeEngine({ "demo/wait.js": WAIT, "demo/spin.js": SPIN }, { limits: { graceMs: 50 } });
    const neighbour = startCall(made.engine, "wait", { ms: 60_000 });
    await neighbour.begun;
    // The module is there, so that its turn is the call's own.
    const spinning = startCall(made.engine, "spin", {}, { timeoutMs: 1000 });
    assert.equal((await spinning.outcome).error?.code, "CALL_TIMEOUT");
    const { error, text } = await neighbour.outcome;
    assert.deepEqual([error?.code, error?.started], ["CELL_CRASHED", true], text);
    assert.match(text, /another call of the same capability .*Call again/u);
  });

  test("one that had not begun runs on the next cell", async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT, "demo/spin.js": SPIN }, { limits: { graceMs: 50 } });
    const { engine } = made;
    await engine.call("count");
    const spinning = startCall(engine, "spin", {}, { timeoutMs: 1000 });
    await spinning.begun;
    const waiting = engine.call("count");
    assert.equal((await spinning.outcome).error?.code, "CALL_TIMEOUT");
    assert.equal((await waiting).text, "1");
  });

  test("a stopped turn takes no neighbour with it", async () => {
    await using made = await makeEngine({ "demo/wait.js": WAIT, "demo/spin.js": SPIN }, { limits: { cpuMs: 200 } });
    const neighbour = startCall(made.engine, "wait", { ms: 700 });
    await neighbour.begun;
    assert.equal((await made.engine.call("spin")).error?.code, "CPU_LIMIT");
    assert.equal((await neighbour.outcome).text, "waited");
  });

  test("one whose module loads in the same cell is not failed by another caller's haste", async () => {
    const slow = toolFile("slow", "const run = () => 'ready';", { code: "for (const end = Date.now() + 500; Date.now() < end; );" });
    await using made = await makeEngine({ "demo/slow.js": slow, "demo/count.js": COUNT }, { limits: { graceMs: 20 } });
    await made.engine.call("count");
    const patient = made.engine.call("slow");
    assert.equal((await made.engine.call("slow", {}, { timeoutMs: 50 })).error?.code, "START_TIMEOUT");
    assert.equal((await patient).text, "ready");
  });
});

describe("concurrency", () => {
  test("of 4 runs four calls of a capability at once, the fifth behind them, in their order", async () => {
    await using made = await makeEngine({ "demo/hold.js": toolFile("hold", HOLD) }, { limits: { concurrency: 4 } });
    const begun: number[] = [];
    const calls = Array.from({ length: 6 }, () => startCall(made.engine, "hold"));
    for (const [index, call] of calls.entries()) void call.begun.then(() => begun.push(index));
    await Promise.all(calls.slice(0, 4).map((call) => call.begun));
    assert.deepEqual(begun, [0, 1, 2, 3]);
    calls[2]?.cancel();
    await calls[4]?.begun;
    assert.deepEqual(begun, [0, 1, 2, 3, 4]);
    for (const call of calls) call.cancel();
    const outcomes = await Promise.all(calls.map(({ outcome }) => outcome));
    assert.ok(outcomes.every(({ error }) => error?.code === "CANCELLED"));
    assert.ok((outcomes[4]?.usage.queueMs ?? 0) > (outcomes[0]?.usage.queueMs ?? Infinity));
  });

  test("counts a call's time in the queue against its own `timeoutMs`", async () => {
    await using made = await makeEngine({ "demo/hold.js": toolFile("hold", HOLD) }, { limits: { concurrency: 1 } });
    const running = startCall(made.engine, "hold");
    await running.begun;
    const outcome = await made.engine.call("hold", {}, { timeoutMs: 50 });
    assert.deepEqual([outcome.error?.code, outcome.error?.phase, outcome.usage.startMs], ["QUEUE_TIMEOUT", "queue", 0]);
    running.cancel();
    await running.outcome;
  });
});

describe("a deadline", () => {
  test("may be longer than the default where the caller says so", async () => {
    await using made = await makeEngine({ "demo/wait.js": WAIT }, { limits: { callMs: 50 } });
    assert.equal((await made.engine.call("wait", { ms: 200 }, { timeoutMs: 20_000 })).text, "waited");
  });

  test("is told as the one that was met: the capability's own before a caller's longer one", async () => {
    await using made = await makeEngine({
      "demo/index.js": "export const LIMITS = { callMs: 300 };",
      "demo/never.js": NEVER,
      "demo/count.js": COUNT,
    });
    await made.engine.call("never", {}, { timeoutMs: 1 });
    await made.engine.call("count");
    const { error, text } = await made.engine.call("never", {}, { timeoutMs: 500 });
    assert.deepEqual(error?.limit, { name: "callMs", value: 300 });
    assert.match(text, /within 300 ms/u);
  });
});

describe("refresh", () => {
  test("serves new code, and calls in flight end as they began", async () => {
    const version = (text: string) =>
      toolFile(
        "version",
        `const run = (context, { ms = 0 }) => new Promise((resolve) => { context.progress(null); setTimeout(() => resolve('${text}'), ms); });`,
      );
    await using made = await makeEngine({ "demo/version.js": version("one") });
    const { engine, folder } = made;
    assert.equal((await engine.call("version")).text, "one");
    const old = startCall(engine, "version", { ms: 400 });
    await old.begun;
    writeFiles(folder, { "demo/version.js": version("two") });
    await engine.refresh();
    assert.equal((await engine.call("version")).text, "two");
    assert.equal((await old.outcome).text, "one");
  });

  test("loses no call, whenever it comes, and what was called before never brings old code back", async () => {
    const version = (text: string) => toolFile("version", `const run = () => '${text}';`);
    await using made = await makeEngine({ "demo/version.js": version("v0") });
    const { engine, folder } = made;
    const done = new AbortController();
    const heard = new Set<string>();
    const caller = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const { error, text } = await engine.call("version");
        heard.add(error === null ? text : `${error.code}: ${text}`);
      }
    };
    const callers = [caller(), caller(), caller()];
    const served: string[] = [];
    for (const text of ["v1", "v2", "v3", "v4"]) {
      writeFiles(folder, { "demo/version.js": version(text) });
      await engine.refresh();
      served.push((await engine.call("version")).text);
    }
    done.abort();
    await Promise.all(callers);
    assert.deepEqual(served, ["v1", "v2", "v3", "v4"]);
    assert.deepEqual([...heard].sort(), ["v0", "v1", "v2", "v3", "v4"]);
  });

  test("while a cell still starts serves new code all the same, to a call that waits for it too", async () => {
    const version = (text: string) =>
      toolFile("version", `const run = () => '${text}';`, { code: "for (const end = Date.now() + 300; Date.now() < end; );" });
    await using made = await makeEngine({ "demo/version.js": version("old") });
    const old = made.engine.call("version");
    writeFiles(made.folder, { "demo/version.js": version("new") });
    await made.engine.refresh();
    assert.equal((await made.engine.call("version")).text, "new");
    // Which of the two was there when its turn came is a matter of time.
    assert.match((await old).text, /^(?:old|new)$/u);
    assert.equal((await made.engine.call("version")).text, "new");
  });

  test("takes new LIMITS too", async () => {
    const spin = toolFile("spin", "const run = () => { for (const end = Date.now() + 500; Date.now() < end; ); return 'spun'; };");
    await using made = await makeEngine({ "demo/spin.js": spin });
    assert.equal((await made.engine.call("spin")).text, "spun");
    writeFiles(made.folder, { "demo/index.js": "export const LIMITS = { cpuMs: 100 };" });
    await made.engine.refresh();
    assert.deepEqual((await made.engine.call("spin")).error?.limit, { name: "cpuMs", value: 100 });
  });

  test("leaves the cell of what has not changed alone", async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT });
    assert.equal((await made.engine.call("count")).text, "1");
    await made.engine.refresh();
    assert.equal((await made.engine.call("count")).text, "2");
  });

  test("finds what is new and drops what is gone", async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT });
    writeFiles(made.folder, { "more/never.js": NEVER });
    await made.engine.refresh();
    assert.ok(made.engine.tools().some(({ name }) => name === "never"));
    writeFiles(made.folder, { "more/never.js": toolFile("other", "const run = () => 'other';") });
    await made.engine.refresh();
    assert.equal((await made.engine.call("never")).error?.code, "UNKNOWN_TOOL");
    assert.equal((await made.engine.call("other")).text, "other");
  });
});

describe("close", () => {
  test("ends calls in flight and in the queue as CANCELLED and leaves no process behind", { skip }, async () => {
    await using made = await makeEngine({ "demo/hold.js": toolFile("hold", HOLD) }, { limits: { concurrency: 1 } });
    const running = startCall(made.engine, "hold");
    const waiting = startCall(made.engine, "hold");
    await running.begun;
    await Promise.all([made.engine.close(), made.engine.close()]);
    for (const call of [running, waiting]) {
      const { error, text } = await call.outcome;
      assert.equal(error?.code, "CANCELLED", text);
    }
    await until(() => keeperPids().length === 0);
    await made.engine.close();
  });

  test("while a cell starts ends that too", { skip }, async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT });
    const call = made.engine.call("count");
    await made.engine.close();
    assert.match((await call).error?.code ?? "it ran", /CANCELLED|it ran/u);
    await until(() => keeperPids().length === 0);
  });

  test("is the end of the engine: it takes no call and reads nothing again", async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT });
    await made.engine.close();
    await assert.rejects(made.engine.call("count"), { name: "TypeError", message: "This engine is closed" });
    await assert.rejects(made.engine.refresh(), { name: "TypeError", message: "This engine is closed" });
  });
});

describe("a spare process", () => {
  test("that died while it waited is no loss", { skip }, async () => {
    await using made = await makeEngine({ "demo/count.js": COUNT, "more/never.js": NEVER, "third/wait.js": WAIT });
    await made.engine.call("count");
    await until(() => keeperPids().length === 2);
    for (const pid of keeperPids()) process.kill(pid, "SIGKILL");
    await until(() => made.log.some(({ message }) => message.includes("SIGKILL")));
    assert.equal((await made.engine.call("wait", { ms: 1 })).text, "waited");
    assert.equal((await made.engine.call("count")).text, "1");
  });
});
