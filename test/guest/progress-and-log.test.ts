import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { startCall } from "../support/calls.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

type Report = readonly [fraction: number | null, detail: string];

let made: TestEngine;
before(async () => {
  made = await makeEngine({
    "demo/steps.js": toolFile(
      "steps",
      `const run = async (context) => {
        context.progress(0, "begun");
        await new Promise((resolve) => setTimeout(resolve, 1));
        context.progress(0.5, "half");
        context.progress(1, "done");
        return "stepped";
      };`,
    ),
    "demo/busy.js": toolFile("busy", "const run = (context) => { context.progress(0.1, 'busy'); for (;;); };"),
    "demo/odd.js": toolFile(
      "odd",
      `const run = (context) => {
        for (const fraction of [-1, 2, NaN, Infinity, -Infinity, "0.5", undefined, null, {}, 0.25]) context.progress(fraction);
        for (const detail of [5, null, {}, ["list"], "a\\nb\\u001b[31m\\u0000 c"]) context.progress(1, detail);
        return "odd";
      };`,
    ),
    "demo/late.js": toolFile(
      "late",
      "const run = (context) => { kept ??= context; kept.progress(1, 'late'); kept.log.info('late'); return 'late'; };",
      { code: "let kept;" },
    ),
    "demo/levels.js": toolFile(
      "levels",
      `const run = (context) => {
        for (const level of ["debug", "info", "warn", "error"]) context.log[level](level, 1, true);
        for (const method of ["debug", "trace", "dir", "log", "info", "warn", "error"]) console[method]("console", method);
        console.assert(true, "holds");
        console.assert(false, "fails");
        console.group(); console.groupEnd(); console.time(); console.timeEnd(); console.count(); console.table([]); console.clear();
        return "logged";
      };`,
    ),
    "demo/words.js": toolFile(
      "words",
      `const run = (context) => {
        const circle = {}; circle.self = circle;
        context.log.info("%s %d", "format", { a: [1n, new Map([["k", 1]])] });
        context.log.info(undefined, null, Symbol("s"), () => 1);
        context.log.info(new TypeError("bad"), circle);
        context.log.info({ get value() { throw new Error("no"); } });
        context.log.info("two\\nlines", "\\u001b[31mred");
        context.log.info();
        return "logged";
      };`,
    ),
    "demo/tell.js": toolFile(
      "tell",
      `const run = async (context, { name }) => {
        for (let turn = 0; turn < 5; turn += 1) {
          console.log(name);
          context.progress(null, name);
          await new Promise((resolve) => setTimeout(resolve, turn));
        }
        return name;
      };`,
    ),
    "demo/loading.js": toolFile("loading", "const run = () => 'loaded';", { code: "console.log('while loading');" }),
  });
});
after(() => made[Symbol.asyncDispose]());

describe("progress", () => {
  test("comes in order and before the outcome", async () => {
    const heard: (Report | string)[] = [];
    const outcome = await made.engine.call("steps", {}, { onProgress: (...report) => heard.push(report) });
    heard.push(outcome.text);
    assert.deepEqual(heard, [[0, "begun"], [0.5, "half"], [1, "done"], "stepped"]);
  });

  test("leaves a tool that computes without end", async () => {
    const reported = Promise.withResolvers<Report>();
    const call = startCall(made.engine, "busy", {}, { timeoutMs: 20_000, onProgress: (...report) => reported.resolve(report) });
    assert.deepEqual(await reported.promise, [0.1, "busy"]);
    call.cancel();
    assert.equal((await call.outcome).error?.code, "CANCELLED");
  });

  test("is a number from 0 to 1 or null, and one clean line, whatever the tool says", async () => {
    assert.deepEqual(await reportsOf("odd"), [
      [0, ""],
      [1, ""],
      [null, ""],
      [1, ""],
      [0, ""],
      [null, ""],
      [null, ""],
      [null, ""],
      [null, ""],
      [0.25, ""],
      [1, ""],
      [1, ""],
      [1, ""],
      [1, ""],
      [1, "a b c"],
    ]);
  });

  test("of a call that has ended reaches nobody", async () => {
    assert.deepEqual(await reportsOf("late"), [[1, "late"]]);
    const outcome = made.engine.call("late", {}, { onProgress: () => assert.fail("a report of the call before") });
    assert.equal((await outcome).text, "late");
  });

  test("goes on where its listener throws, and the owner reads why", async () => {
    let heard = 0;
    const outcome = await made.engine.call(
      "steps",
      {},
      {
        onProgress: () => {
          heard += 1;
          throw new Error("listener");
        },
      },
    );
    assert.deepEqual([outcome.text, heard], ["stepped", 3]);
    const entries = made.log.filter(({ callId }) => callId === outcome.callId);
    assert.deepEqual(
      entries.map(({ message, level }) => [message, level]),
      Array.from({ length: 3 }, () => ["`onProgress` threw", "error"]),
    );
    assert.match(entries[0]?.detail ?? "", /Error: listener/u);
  });
});

describe("the owner's log", () => {
  test("has each level's and the console's lines", async () => {
    const lines = (await linesOf("levels")).map(([level, message]) => [level, message?.replace(/^default: \d+ms$/u, "default: (time)")]);
    assert.deepEqual(lines, [
      ["debug", "debug 1 true"],
      ["info", "info 1 true"],
      ["warn", "warn 1 true"],
      ["error", "error 1 true"],
      ["debug", "console debug"],
      ["debug", "Trace console trace"],
      ["info", "console"],
      ["info", "console log"],
      ["info", "console info"],
      ["warn", "console warn"],
      ["error", "console error"],
      ["error", "Assertion failed: fails"],
      ["info", "default: (time)"],
      ["info", "default: 1"],
      ["info", "[]"],
    ]);
  });

  test("has words for every value, and no format string is followed", async () => {
    const [format, empties, error, getter, lines, none] = (await linesOf("words")).map(([, message]) => message);
    assert.equal(format, '%s %d format {"a":["1",{"k":1}]}');
    assert.match(empties ?? "", /^undefined null .*/u);
    assert.match(error ?? "", /^TypeError: bad .*refers to itself/u);
    assert.equal(getter, "Error: no");
    assert.equal(lines, "two\nlines red");
    assert.equal(none, "");
  });

  test("has every line under the call that said it, however calls overlap", async () => {
    const outcomes = await Promise.all(["one", "two", "three"].map((name) => reportsAndLines(name)));
    for (const { name, details, lines } of outcomes) {
      assert.deepEqual(details, Array(5).fill(name));
      assert.deepEqual(lines, Array(5).fill(name));
    }
  });

  test("says when, of what tool and for whom", async () => {
    const outcome = await made.engine.call("levels", {}, { caller: "agent-7" });
    const entry = made.log.find(({ callId }) => callId === outcome.callId);
    assert.ok(entry !== undefined);
    assert.deepEqual([entry.tool, entry.capability, entry.caller], ["levels", "demo", "agent-7"]);
    assert.ok(Math.abs(Date.now() - Date.parse(entry.time)) < 60_000);
  });

  test("is no place for the model: nothing of it stands in the outcome", async () => {
    assert.ok(!JSON.stringify(await made.engine.call("levels")).includes("console"));
  });

  test("does not end a call where it cannot be written", async () => {
    const log = (): never => {
      throw new Error("disk full");
    };
    await using deaf = await makeEngine(
      { "demo/log.js": toolFile("log", "const run = () => { console.log('x'); return 'logged'; };") },
      { log },
    );
    assert.equal((await deaf.engine.call("log")).text, "logged");
  });
});

test("a module may log while it loads", async () => {
  assert.equal((await made.engine.call("loading")).text, "loaded");
});

async function reportsOf(tool: string): Promise<Report[]> {
  const reports: Report[] = [];
  await made.engine.call(tool, {}, { onProgress: (...report) => reports.push(report) });
  return reports;
}

async function linesOf(tool: string): Promise<string[][]> {
  const { callId } = await made.engine.call(tool);
  return made.log.filter((entry) => entry.callId === callId).map(({ level, message }) => [level, message]);
}

async function reportsAndLines(name: string) {
  const details: string[] = [];
  const { callId } = await made.engine.call("tell", { name }, { onProgress: (_fraction, detail) => details.push(detail) });
  return { name, details, lines: made.log.filter((entry) => entry.callId === callId).map(({ message }) => message) };
}
