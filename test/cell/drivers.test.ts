import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { EngineOptions } from "toolcell";
import { HOLD, startCall } from "../support/calls.ts";
import { makeTempFolder, toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { makeSharing } from "../density/a-shared-folder.ts";

const MiB = 1024 * 1024;

const SAY = toolFile("say", "const run = (context, { word }) => ({ text: `said ${word}`, summary: 'one word', payload: { word } });", {
  schema: '{ type: "object", properties: { word: { type: "string" }, times: { type: "integer" } }, required: ["word"] }',
});
const COUNT = toolFile("count", "const run = () => (calls += 1);", { code: "let calls = 0;" });
const SPIN = toolFile("spin", "const run = (context) => { context.progress(null); for (;;); };");
const FILL = toolFile(
  "fill",
  "const run = () => { for (;;) { const part = []; for (let at = 0; at < 1000; at += 1) part.push({ at }); kept.push(part); } };",
  { code: "const kept = [];" },
);
const DEAF = toolFile("deaf", "const run = (context) => { context.progress(null); return new Promise(() => {}); };");

for (const driver of ["isolate", "shared isolate", "worker"] as const) {
  /** An engine whose tools all stand in one capability with this driver, trusted where it has to be. */
  const make = async (tools: Readonly<Record<string, string>>, options: EngineOptions = {}, asks = "{}"): Promise<TestEngine> => {
    const files = Object.entries(tools).map(([name, source]) => [`demo/${name}.js`, source] as const);
    const runtime = driver === "worker" ? "worker" : "isolate";
    const index = `export const RUNTIME = "${runtime}"; export const PERMISSIONS = ${asks};`;
    const all = { "demo/index.js": index, ...Object.fromEntries(files) };
    const made = driver === "shared isolate" ? await makeSharing(all, options) : await makeEngine(all, options);
    if (runtime === "worker") await made.engine.trust("demo");
    return made;
  };

  describe(`a cell of the driver "${driver}"`, () => {
    test("returns what a tool returns", async () => {
      await using made = await make({ say: SAY });
      const { ok, text, summary, payload, usage } = await made.engine.call("say", { word: "hello" });
      assert.deepEqual([ok, text, summary, payload], [true, "said hello", "one word", { word: "hello" }]);
      assert.ok(usage.heapBytes > 0);
    });

    test("says what is wrong with the arguments, all of it", async () => {
      await using made = await make({ say: SAY });
      const { error, text } = await made.engine.call("say", { times: "twice" });
      assert.deepEqual([error?.code, error?.started], ["INVALID_ARGUMENTS", false]);
      assert.match(text, /`times` must be an integer.*need `word`/su);
    });

    test("tells a ToolError in its own words, and whether a retry makes sense", async () => {
      const refuse = toolFile("refuse", "const run = () => { throw new ToolError('No such place.', { retryable: true }); };");
      await using made = await make({ refuse });
      const { error, text } = await made.engine.call("refuse");
      assert.deepEqual([error?.code, error?.started], ["TOOL_ERROR", true]);
      assert.equal(text, "refuse failed: No such place. Calling again later may succeed.");
    });

    test("tells an exception without its stack, and the owner with it", async () => {
      await using made = await make({ trip: toolFile("trip", "async function run() { await null; undefined.field; }") });
      const { error, text } = await made.engine.call("trip");
      assert.equal(error?.code, "TOOL_EXCEPTION");
      assert.match(text, /TypeError: Cannot read properties of undefined/u);
      assert.doesNotMatch(text, /\n|\.js|at run/u);
      assert.match(made.log.find(({ level }) => level === "error")?.detail ?? "", /at .*run/u);
    });

    test("refuses a value that can be no result", async () => {
      await using made = await make({ odd: toolFile("odd", "const run = () => ({ text: 'x', payload: { go: () => 1 } });") });
      const { error, text } = await made.engine.call("odd");
      assert.equal(error?.code, "BAD_RESULT");
      assert.match(text, /There is a function at `result\.go`/u);
    });

    test("refuses a result over its limit, and goes on", async () => {
      const long = toolFile("long", "const run = (context, { chars }) => ({ text: '', payload: 'x'.repeat(chars) });");
      await using made = await make({ long, count: COUNT }, { limits: { resultBytes: 2000 } });
      assert.equal((await made.engine.call("count")).text, "1");
      assert.equal((await made.engine.call("long", { chars: 1998 })).ok, true);
      assert.equal((await made.engine.call("long", { chars: 1999 })).error?.code, "BAD_RESULT");
      assert.equal((await made.engine.call("count")).text, "2");
    });

    test("reports progress as it happens and logs under the call that wrote it", async () => {
      const work = toolFile(
        "work",
        `async function run(context, { name }) {
  context.progress(0.5, "half of " + name); console.warn("from %s", name); context.log.debug("and", { name });
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log("later", name);
  return name;
}`,
      );
      await using made = await make({ work });
      const reports: unknown[] = [];
      const onProgress = (fraction: number | null, detail: string): void => void reports.push([fraction, detail]);
      const [first, second] = await Promise.all([
        made.engine.call("work", { name: "a" }, { onProgress }),
        made.engine.call("work", { name: "b" }),
      ]);
      assert.deepEqual(reports, [[0.5, "half of a"]]);
      const linesOf = (callId: string): string[] => made.log.filter((entry) => entry.callId === callId).map(({ message }) => message);
      for (const [outcome, name] of [
        [first, "a"],
        [second, "b"],
      ] as const) {
        const lines = linesOf(outcome.callId);
        assert.equal(lines.length, 3);
        assert.match(lines[0] ?? "", new RegExp(`from .*${name}`, "u"));
        assert.deepEqual([lines[1], lines[2]], [`and {"name":"${name}"}`, `later ${name}`]);
      }
    });

    test("lets a tool that listens end a cancelled call, and lives on", async () => {
      await using made = await make({ hold: toolFile("hold", HOLD), count: COUNT });
      await made.engine.call("count");
      const call = startCall(made.engine, "hold");
      await call.begun;
      call.cancel();
      assert.equal((await call.outcome).error?.code, "CANCELLED");
      assert.equal((await made.engine.call("count")).text, "2");
    });

    test("ends with a cancelled call that its tool does not end", async () => {
      await using made = await make({ deaf: DEAF, count: COUNT }, { limits: { graceMs: 50 } });
      await made.engine.call("count");
      const call = startCall(made.engine, "deaf");
      await call.begun;
      call.cancel();
      assert.equal((await call.outcome).error?.code, "CANCELLED");
      assert.equal((await made.engine.call("count")).text, "1");
    });

    test("ends with a call past its deadline", async () => {
      await using made = await make({ deaf: DEAF, count: COUNT });
      await made.engine.call("count");
      const { error } = await made.engine.call("deaf", {}, { timeoutMs: 200 });
      assert.deepEqual([error?.code, error?.started, error?.limit], ["CALL_TIMEOUT", true, { name: "timeoutMs", value: 200 }]);
      assert.equal((await made.engine.call("count")).text, "1");
    });

    test("ends a turn that computes without end", async () => {
      await using made = await make({ spin: SPIN, count: COUNT }, { limits: { cpuMs: 700 } });
      await made.engine.call("count");
      const { error } = await made.engine.call("spin");
      assert.deepEqual([error?.code, error?.limit], ["CPU_LIMIT", { name: "cpuMs", value: 700 }]);
      assert.equal((await made.engine.call("count")).text, "1");
    });

    test("ends a module that computes without end while it is loaded", async () => {
      const stuck = toolFile("stuck", "const run = () => 1;", { code: "for (;;);" });
      await using made = await make({ stuck }, { limits: { cpuMs: 700 } });
      const { error, text } = await made.engine.call("stuck");
      assert.equal(error?.code, "LOAD_FAILED");
      assert.match(text, /computed for more than 700 ms/u);
    });

    test("ends a tool that needs more memory than it may have", async () => {
      await using made = await make({ fill: FILL, count: COUNT }, { limits: { memoryBytes: 32 * MiB } });
      await made.engine.call("count");
      const { error } = await made.engine.call("fill");
      assert.deepEqual([error?.code, error?.limit], ["MEMORY_LIMIT", { name: "memoryBytes", value: 32 * MiB }]);
      assert.equal((await made.engine.call("count")).text, "1");
    });

    test("runs calls beside each other, and a call that had not begun on the next cell", async () => {
      await using made = await make({ hold: toolFile("hold", HOLD), spin: SPIN, count: COUNT }, { limits: { graceMs: 50 } });
      await made.engine.call("count");
      const held = startCall(made.engine, "hold");
      await held.begun;
      assert.equal((await made.engine.call("count")).text, "2");
      held.cancel();
      await held.outcome;
      const spinning = startCall(made.engine, "spin", {}, { timeoutMs: 1000 });
      await spinning.begun;
      const waiting = made.engine.call("count");
      assert.equal((await spinning.outcome).error?.code, "CALL_TIMEOUT");
      assert.equal((await waiting).text, "1");
    });

    test("unloads its tools before it ends as planned, and tells what went wrong with that", async () => {
      const unload = "export async function unload() { console.log('let go'); await null; throw new Error('of one thing'); }";
      const made = await make({ count: toolFile("count", "const run = () => 1;", { code: unload }) });
      await made.engine.call("count");
      await made[Symbol.asyncDispose]();
      const lines = made.log.map(({ message }) => message);
      assert.equal(lines.filter((line) => line === "let go").length, 1);
      assert.ok(lines.some((line) => line.includes("of one thing")));
    });

    test("keeps to what is granted of storage", async () => {
      const keep = toolFile(
        "keep",
        "async function run({ storage }, { value }) { await storage.set('key', value); return JSON.stringify([await storage.get('key'), await storage.list()]); }",
      );
      await using made = await make({ keep }, {}, "{ storage: true }");
      assert.equal((await made.engine.call("keep", { value: 1 })).error?.code, "PERMISSION_DENIED");
      await made.engine.grant("demo");
      const { text, effects } = await made.engine.call("keep", { value: { a: "é" } });
      assert.equal(text, '[{"a":"é"},["key"]]');
      assert.deepEqual(
        effects.map(({ power, state }) => `${power} ${state}`),
        ["storage done", "storage done", "storage done"],
      );
    });

    test("keeps to what is granted of files, by the mount and by `context.paths`", async () => {
      const note = toolFile(
        "note",
        `async function run({ fs, paths }, { text }) {
  await fs.write("/workspace/note.txt", text);
  await fs.append(paths.workspace + "/note.txt", new Uint8Array([33, 255]));
  return { text: await fs.readText(paths.workspace + "/note.txt"), payload: (await fs.list(paths.workspace)).map(({ name }) => name) };
}`,
      );
      using workspace = makeTempFolder();
      await using made = await make({ note }, { workspace: workspace.path }, '{ workspace: "write" }');
      assert.equal((await made.engine.call("note", { text: "a" })).error?.code, "PERMISSION_DENIED");
      assert.deepEqual(readdirSync(workspace.path), []);
      await made.engine.grant("demo");
      const { text, payload, effects } = await made.engine.call("note", { text: "日本 " });
      assert.deepEqual([text, payload], ["日本 !\ufffd", ["note.txt"]]);
      assert.deepEqual(readFileSync(path.join(workspace.path, "note.txt")), Buffer.from([...Buffer.from("日本 !"), 255]));
      assert.deepEqual(
        effects.map(({ target, state }) => `${target} ${state}`),
        ["/workspace/note.txt done", "/workspace/note.txt done", "/workspace/note.txt done", "/workspace done"],
      );
    });
  });
}
