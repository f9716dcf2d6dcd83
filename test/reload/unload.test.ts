import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { HOLD, startCall } from "../support/calls.ts";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, onlyKeeper, until } from "../support/processes.ts";

const SAY = (word: string, unload = `export const unload = () => { console.log("unloaded ${word}"); };`): string =>
  toolFile("say", `const run = () => "${word}";`, { code: unload });

function unloaded({ log }: TestEngine): readonly string[] {
  return log.filter(({ message }) => message.startsWith("unloaded ")).map(({ message }) => message.slice("unloaded ".length));
}

async function said({ engine }: TestEngine, word: string): Promise<void> {
  for (;;) if ((await engine.call("say")).text === word) return;
}

describe("unload", () => {
  test("runs once before new code serves, and once more for that when the engine closes", async () => {
    const made = await makeEngine({ "demo/say.js": SAY("old") });
    await made.engine.call("say");
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await said(made, "new");
    assert.deepEqual(unloaded(made), ["old"]);
    await made.engine.close();
    assert.deepEqual(unloaded(made), ["old", "new"]);
    await made[Symbol.asyncDispose]();
  });

  test("is waited for where it is asynchronous, and has its capability's powers", async () => {
    using workspace = makeTempFolder();
    await using made = await makeEngine(
      {
        "demo/index.js": 'export const PERMISSIONS = { workspace: "write" };',
        "demo/say.js": `import { writeFile } from "node:fs/promises";\n${SAY(
          "old",
          'export const unload = async () => { await new Promise((r) => setTimeout(r, 50)); await writeFile("last.txt", "kept"); console.log("unloaded old"); };',
        )}`,
      },
      { policy: { grant: () => true }, workspace: workspace.path },
    );
    assert.equal((await made.engine.call("say")).text, "old");
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await said(made, "new");
    assert.deepEqual(unloaded(made), ["old"]);
    assert.equal(readFileSync(path.join(workspace.path, "last.txt"), "utf8"), "kept");
  });

  test("that throws is reported, and delays nothing", async () => {
    await using made = await makeEngine({
      "demo/say.js": SAY("old", `export const unload = () => { throw new TypeError("no such door"); };`),
    });
    const failures: unknown[] = [];
    made.engine.on("unloadFailed", (event) => failures.push(event));
    await made.engine.call("say");
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await said(made, "new");
    assert.equal(failures.length, 1);
    assert.deepEqual(Object.keys(failures[0] ?? {}), ["capability", "tool", "message"]);
    assert.match(JSON.stringify(failures), /"capability":"demo","tool":"say","message":"[^"]*no such door/u);
    assert.ok(
      made.log.some(({ level, message, detail }) => level === "warn" && /`unload`/u.test(message) && /TypeError/u.test(detail ?? "")),
    );
  });

  for (const [how, code] of [
    ["never settles", "() => new Promise(() => undefined)"],
    ["computes without end", "() => { for (;;); }"],
  ]) {
    test(`that ${how} is ended at its deadline, reported, and new code serves`, async () => {
      await using made = await makeEngine(
        { "demo/say.js": SAY("old", `export const unload = ${code};`), "demo/other.js": toolFile("other", "const run = () => 1;") },
        { limits: { unloadMs: 200 } },
      );
      const failures: string[] = [];
      made.engine.on("unloadFailed", ({ tool, message }) => failures.push(`${tool}: ${message}`));
      await made.engine.call("other");
      await made.engine.call("say");
      writeFiles(made.folder, { "demo/say.js": SAY("new") });
      await said(made, "new");
      assert.deepEqual(failures, ["say: It did not end within 200 ms (unloadMs)"]);
      if (canSeeProcesses) await until(() => keeperPids().length <= 2);
    });
  }

  test("of an idle cell runs before it is stopped, and the next call starts another", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("it") }, { limits: { idleStopMs: 40 } });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    made.engine.on("stopped", resolve);
    await made.engine.call("say");
    assert.deepEqual(await promise, { capability: "demo" });
    assert.deepEqual(unloaded(made), ["it"]);
    assert.equal((await made.engine.call("say")).text, "it");
  });

  test("waits for the calls in flight, and new calls wait for it", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("old"), "demo/hold.js": toolFile("hold", HOLD) });
    const held = startCall(made.engine, "hold");
    await held.begun;
    await made.engine.call("say");
    const { promise: reloaded, resolve } = Promise.withResolvers<unknown>();
    made.engine.on("reloaded", resolve);
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await reloaded;
    const next = made.engine.call("say");
    assert.equal(await Promise.race([next.then(() => "answered"), new Promise((r) => setTimeout(r, 100, "waiting"))]), "waiting");
    assert.deepEqual(unloaded(made), []);
    held.cancel();
    assert.equal((await held.outcome).error?.code, "CANCELLED");
    assert.equal((await next).text, "new");
    assert.deepEqual(unloaded(made), ["old"]);
  });

  test("waits no longer than `drainMs` for a long call, which still ends in its own time", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("old"), "demo/hold.js": toolFile("hold", HOLD) }, { limits: { drainMs: 50 } });
    const held = startCall(made.engine, "hold");
    await held.begun;
    await made.engine.call("say");
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await said(made, "new");
    assert.deepEqual(unloaded(made), []);
    held.cancel();
    assert.equal((await held.outcome).error?.code, "CANCELLED");
    await until(() => unloaded(made).length === 1);
  });

  test("is not run in a cell that met a limit: its state is torn", async () => {
    await using made = await makeEngine(
      { "demo/say.js": SAY("it"), "demo/loop.js": toolFile("loop", "const run = () => { for (;;); };") },
      { limits: { callMs: 200 } },
    );
    await made.engine.call("say");
    assert.equal((await made.engine.call("loop")).error?.code, "CALL_TIMEOUT");
    assert.equal((await made.engine.call("say")).text, "it");
    await made.engine.close();
    assert.deepEqual(unloaded(made), ["it"], "only the second cell's");
  });

  test("in which the cell is killed says so, and the next call works", { skip: !canSeeProcesses && "needs /proc" }, async () => {
    await using made = await makeEngine(
      { "demo/say.js": SAY("old", `export const unload = () => { console.log("unloading"); return new Promise(() => undefined); };`) },
      { limits: { spareCount: 0, unloadMs: 60_000 } },
    );
    const failures: string[] = [];
    made.engine.on("unloadFailed", ({ message }) => failures.push(message));
    await made.engine.call("say");
    const pid = onlyKeeper();
    writeFiles(made.folder, { "demo/say.js": SAY("new") });
    await until(() => made.log.some(({ message }) => message === "unloading"));
    process.kill(pid, "SIGKILL");
    await said(made, "new");
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? "", /SIGKILL/u);
  });
});
