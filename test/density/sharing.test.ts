import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createEngine } from "toolcell";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";
import { counter, makeSharing } from "./a-shared-folder.ts";

const skip = canSeeProcesses ? false : "needs /proc";

describe("capabilities of one folder that may share", { skip }, () => {
  test("stand in one process, and each answers", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two") });
    for (const count of ["1", "2"]) for (const name of ["count_one", "count_two"]) assert.equal((await made.engine.call(name)).text, count);
    assert.equal(keeperPids().length, 1);
  });

  test("start together in one process", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two"), ...counter("three") });
    const outcomes = await Promise.all(["one", "two", "three"].map((name) => made.engine.call(`count_${name}`)));
    assert.deepEqual(
      outcomes.map(({ text }) => text),
      ["1", "1", "1"],
    );
    assert.equal(keeperPids().length, 1);
  });

  test("have each its own globals and its own intrinsics", async () => {
    const poison = `function run() {
      Object.prototype.leaked = "here"; Array.prototype.map = () => ["poisoned"]; globalThis.leaked = "here"; JSON.stringify = () => "x";
      return "done";
    }`;
    const look = "function run() { return [String({}.leaked), String(globalThis.leaked), [1].map((n) => n + 1).join()].join(' '); }";
    await using made = await makeSharing({ "one/poison.js": toolFile("poison", poison), "two/look.js": toolFile("look", look) });
    assert.equal((await made.engine.call("look")).text, "undefined undefined 2");
    assert.equal((await made.engine.call("poison")).ok, true);
    assert.equal((await made.engine.call("look")).text, "undefined undefined 2");
    assert.equal(keeperPids().length, 1);
  });

  test("keep each its own grants", async () => {
    const keep = (name: string) =>
      toolFile(name, `const run = async ({ storage }) => { await storage.set("key", "${name}"); return "kept"; };`);
    const index = `export const PERMISSIONS = { storage: true, reason: { storage: "It keeps a value." } };\n`;
    await using made = await makeSharing({
      "one/index.js": index,
      "one/keep.js": keep("keep_one"),
      "two/index.js": index,
      "two/keep.js": keep("keep_two"),
    });
    await made.engine.grant("one");
    assert.equal((await made.engine.call("keep_one")).text, "kept");
    assert.equal((await made.engine.call("keep_two")).error?.code, "PERMISSION_DENIED");
    assert.equal(keeperPids().length, 1);
  });

  test("do not wait for one of them that computes", async () => {
    const spin = "function run(context, { ms }) { const end = Date.now() + ms; while (Date.now() < end); return 'done'; }";
    await using made = await makeSharing({ "one/spin.js": toolFile("spin", spin), ...counter("two") });
    await made.engine.call("count_two");
    await made.engine.call("spin", { ms: 0 });
    let isDone = false;
    const spinning = made.engine.call("spin", { ms: 1500 }).finally(() => (isDone = true));
    for (let count = 2; count < 30; count += 1) assert.equal((await made.engine.call("count_two")).text, String(count));
    assert.equal(isDone, false);
    assert.equal((await spinning).text, "done");
  });
});

describe("a process is never shared", { skip }, () => {
  const theirs = { ...counter("three"), ...counter("four") };

  test("with a capability of a folder that may not share", async () => {
    await using made = await makeSharing(counter("one"), {}, { files: theirs, mayShare: false });
    for (const name of ["one", "three", "four"]) assert.equal((await made.engine.call(`count_${name}`)).text, "1");
    assert.equal(keeperPids().length, 3);
  });

  test("by capabilities of two folders, though each may share", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two") }, {}, { files: theirs, mayShare: true });
    for (const name of ["one", "three", "two", "four"]) assert.equal((await made.engine.call(`count_${name}`)).text, "1");
    assert.equal(keeperPids().length, 2);
  });

  test("with a shipped capability", async () => {
    await using made = await makeSharing(counter("one"));
    await made.engine.call("count_one");
    assert.equal((await made.engine.call("math_evaluate", { expression: "1 + 1" })).ok, true);
    assert.equal(keeperPids().length, 2);
  });

  test("unless the option says so", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two") }, { shareProcess: [] });
    for (const name of ["one", "two"]) await made.engine.call(`count_${name}`);
    assert.equal(keeperPids().length, 2);
  });
});

describe("`shareProcess` refuses", () => {
  for (const [what, folders, says] of [
    ["a folder that is none of `capabilities`", ["/elsewhere"], /`shareProcess` names "\/elsewhere", which is none of `capabilities`/u],
    ["what is no array of strings", "ours", /`shareProcess` must be an array of strings/u],
    ["an empty string", [""], /`shareProcess` must be an array of strings/u],
  ] as const) {
    test(what, async () => {
      const options = { capabilities: ["ours"], shareProcess: folders as unknown as string[] };
      await assert.rejects(createEngine(options), { name: "TypeError", message: says });
    });
  }

  test("the folder of what is installed, also where it is one of `capabilities`", async () => {
    using home = makeTempFolder();
    const installed = `${home.path}/capabilities`;
    await assert.rejects(createEngine({ home: home.path, capabilities: [installed], shareProcess: [installed] }), /come.? from many/u);
  });
});

describe("a place", { skip }, () => {
  test("is taken by the next capability once the one that had it is switched off", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two"), ...counter("three") }, { limits: { sharedCellCount: 2 } });
    await made.engine.call("count_one");
    await made.engine.call("count_two");
    const [pid] = keeperPids();
    const stopped = Promise.withResolvers<void>();
    made.engine.on("stopped", ({ capability }) => capability === "one" && stopped.resolve());
    await made.engine.disable("one");
    await stopped.promise;
    assert.equal((await made.engine.call("count_three")).text, "1");
    assert.deepEqual(keeperPids(), [pid]);
    assert.equal((await made.engine.call("count_two")).text, "2");
  });

  test("holds nothing of the one that had it", async () => {
    const linger = `async function run() { globalThis.mine = "x"; setInterval(() => { globalThis.mine += "x"; }, 1); return "left"; }`;
    const look = "function run() { return String(globalThis.mine); }";
    await using made = await makeSharing(
      { "one/linger.js": toolFile("linger", linger), "two/look.js": toolFile("look", look), ...counter("three") },
      { limits: { sharedCellCount: 2 } },
    );
    await made.engine.call("linger");
    await made.engine.call("count_three");
    const stopped = Promise.withResolvers<void>();
    made.engine.on("stopped", ({ capability }) => capability === "one" && stopped.resolve());
    await made.engine.disable("one");
    await stopped.promise;
    assert.equal((await made.engine.call("look")).text, "undefined");
    assert.equal(keeperPids().length, 1);
  });

  test("is left by code that is replaced, and its neighbour notices nothing", async () => {
    await using made = await makeSharing(
      { "one/say.js": toolFile("say", "const run = () => 'old';"), ...counter("two") },
      { watch: false },
    );
    assert.equal((await made.engine.call("say")).text, "old");
    await made.engine.call("count_two");
    writeFiles(made.folder, { "one/say.js": toolFile("say", "const run = () => 'new';") });
    await made.engine.refresh();
    assert.equal((await made.engine.call("say")).text, "new");
    assert.equal((await made.engine.call("count_two")).text, "2");
    assert.equal(keeperPids().length, 1);
  });

  test("runs a tool's `unload` before it is left", async () => {
    const tidy = { code: `export async function unload() { console.log("tidied"); }` };
    await using made = await makeSharing({ "one/tidy.js": toolFile("tidy", "const run = () => 'ran';", tidy), ...counter("two") });
    await made.engine.call("tidy");
    await made.engine.call("count_two");
    const stopped = Promise.withResolvers<void>();
    made.engine.on("stopped", ({ capability }) => capability === "one" && stopped.resolve());
    await made.engine.disable("one");
    await stopped.promise;
    assert.ok(made.log.some(({ message }) => message.includes("tidied")));
    assert.equal((await made.engine.call("count_two")).text, "2");
  });

  test("is one of a process that ends with the last cell in it", async () => {
    await using made = await makeSharing({ ...counter("one"), ...counter("two") }, { limits: { idleStopMs: 60 } });
    await Promise.all(["count_one", "count_two"].map((name) => made.engine.call(name)));
    await until(() => keeperPids().length === 0);
    assert.equal((await made.engine.call("count_one")).text, "1");
  });
});
