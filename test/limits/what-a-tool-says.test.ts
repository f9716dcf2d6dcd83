import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const files = {
  "limit/report.js": toolFile(
    "report",
    `const run = (context, { count, everyMs = 0, detail = "" }) => {
      for (let index = 1; index <= count; index += 1) {
        context.progress(index / count, detail || String(index));
        for (const end = Date.now() + everyMs; Date.now() < end; );
      }
      return "reported";
    };`,
  ),
  "limit/log.js": toolFile(
    "log",
    "const run = (context, { count, line = 'line' }) => { for (let index = 0; index < count; index += 1) context.log.info(line); return 'logged'; };",
  ),
  "limit/timers.js": toolFile(
    "timers",
    `const run = (context, { count }) => {
      for (let index = 1; index < count; index += 1) setInterval(() => {}, 1000);
      return new Promise((resolve) => setTimeout(() => resolve("ticked"), 1));
    };`,
  ),
};

testLimit("progressCount", {
  files,
  set: 3,
  raisedTo: 4,
  beside: { progressMs: 60_000 },
  at: [
    "passes on exactly as many reports, each as it comes",
    async (made) => assert.deepEqual(await reports(made, { count: 3 }), ["1", "2", "3"]),
  ],
  over: [
    "merges what comes past it, and keeps the last",
    async (made) => assert.deepEqual(await reports(made, { count: 6 }), ["1", "2", "3", "6"]),
  ],
  raised: ["passes on one more", async (made) => assert.deepEqual(await reports(made, { count: 6 }), ["1", "2", "3", "4", "6"])],
});

testLimit("progressMs", {
  files,
  set: 20,
  raisedTo: 60_000,
  beside: { progressCount: 1 },
  at: [
    "passes on a merged report after exactly as long",
    async (made) => assert.deepEqual(await reports(made, { count: 4, everyMs: 20 }), ["1", "2", "3", "4"]),
  ],
  over: [
    "merges reports that come sooner",
    async (made) => {
      const heard = await reports(made, { count: 40, everyMs: 2 });
      assert.ok(heard.length < 40, `${heard.length} of 40 reports`);
      assert.equal(heard.at(-1), "40");
    },
  ],
  raised: ["merges reports for longer", async (made) => assert.deepEqual(await reports(made, { count: 4, everyMs: 20 }), ["1", "4"])],
});

testLimit("detailChars", {
  files,
  set: 10,
  raisedTo: 11,
  at: [
    "shows a detail of exactly as many characters",
    async (made) => assert.deepEqual(await reports(made, { count: 1, detail: "0123456789" }), ["0123456789"]),
  ],
  over: [
    "cuts a detail that is one longer",
    async (made) => assert.deepEqual(await reports(made, { count: 1, detail: "0123456789a" }), ["0123456789"]),
  ],
  raised: [
    "shows one character more",
    async (made) => assert.deepEqual(await reports(made, { count: 1, detail: "0123456789a" }), ["0123456789a"]),
  ],
});

testLimit("logCount", {
  files,
  set: 3,
  raisedTo: 4,
  at: ["keeps exactly as many lines", async (made) => assert.deepEqual(await lines(made, { count: 3 }), ["line", "line", "line"])],
  over: [
    "counts the lines past it",
    async (made) => assert.deepEqual(await lines(made, { count: 5 }), ["line", "line", "line", "2 more lines of this call were not kept"]),
  ],
  raised: [
    "keeps one more",
    async (made) =>
      assert.deepEqual(await lines(made, { count: 5 }), ["line", "line", "line", "line", "1 more lines of this call were not kept"]),
  ],
});

testLimit("logChars", {
  files,
  set: 10,
  raisedTo: 11,
  at: [
    "keeps a line of exactly as many characters",
    async (made) => assert.deepEqual(await lines(made, { count: 1, line: "0123456789" }), ["0123456789"]),
  ],
  over: [
    "cuts a line that is one longer",
    async (made) => assert.deepEqual(await lines(made, { count: 1, line: "0123456789a" }), ["0123456789"]),
  ],
  raised: [
    "keeps one character more",
    async (made) => assert.deepEqual(await lines(made, { count: 1, line: "0123456789a" }), ["0123456789a"]),
  ],
});

testLimit("timerCount", {
  files,
  set: 3,
  raisedTo: 4,
  at: [
    "runs exactly as many timers at once",
    async ({ engine }) => assert.equal((await engine.call("timers", { count: 3 })).text, "ticked"),
  ],
  over: [
    "refuses the tool one more, and leaves its next call all of them",
    async ({ engine }) => {
      const outcome = await engine.call("timers", { count: 4 });
      assert.equal(outcome.error?.code, "TOOL_EXCEPTION");
      assert.match(outcome.text, /at most 3 timers/u);
      assert.equal((await engine.call("timers", { count: 3 })).text, "ticked");
    },
  ],
  raised: ["runs one more", async ({ engine }) => assert.equal((await engine.call("timers", { count: 4 })).text, "ticked")],
});

testLimit("frameCount", {
  files,
  set: 100,
  raisedTo: 101,
  at: [
    "takes exactly as many frames of a call, its result the last",
    async ({ engine }) => assert.equal((await engine.call("log", { count: 99 })).text, "logged"),
  ],
  over: [
    "ends the cell of a call that sends one more",
    async (made) => {
      const outcome = await made.engine.call("log", { count: 100 });
      assert.equal(outcome.error?.code, "CELL_CRASHED");
      assert.equal((await made.engine.call("log", { count: 1 })).text, "logged");
      assert.ok(made.log.some(({ message }) => message.includes("protocol")));
    },
  ],
  raised: ["takes one more", async ({ engine }) => assert.equal((await engine.call("log", { count: 100 })).text, "logged")],
});

async function reports({ engine }: TestEngine, args: object): Promise<string[]> {
  const details: string[] = [];
  const outcome = await engine.call("report", args, { onProgress: (_fraction, detail) => details.push(detail) });
  assert.equal(outcome.text, "reported");
  return details;
}

async function lines({ engine, log }: TestEngine, args: object): Promise<string[]> {
  const { callId, text } = await engine.call("log", args);
  assert.equal(text, "logged");
  return log.filter((entry) => entry.callId === callId).map(({ message }) => message);
}
