import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";
import { canSeeProcesses, commandOf, keeperPids, until } from "../support/processes.ts";

const HABITS = {
  "stuck/tool.js": toolFile("stuck", "function run() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }"),
  "looping/tool.js": toolFile("looping", "function run() { for (;;); }"),
  "flooding/tool.js": toolFile("flooding", "function run() { for (;;) console.log('x'.repeat(4000)); }"),
  "waiting/tool.js": toolFile("waiting", "async function run() { await new Promise(() => {}); }"),
  "growing/tool.js": toolFile(
    "growing",
    "async function run() { const k = []; for (;;) { k.push(new Array(1000).fill({})); if (k.length % 50 === 0) await new Promise((r) => setTimeout(r, 20)); } }",
  ),
};

// Linux alone lists a process's children; elsewhere the test would not know what to look for.
const skip = !canSeeProcesses && "needs /proc";

test("a host killed with SIGKILL leaves no process behind, whatever its guests were doing", { skip }, async () => {
  using temp = makeTempFolder();
  writeFiles(`${temp.path}/capabilities`, HABITS);
  const host = spawn(process.execPath, ["--input-type=module", "-e", hostScript(temp.path)], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => host.stdout.once("data", resolve));
  const cells = keeperPids(host.pid);
  assert.ok(cells.length >= Object.keys(HABITS).length - 1, `${cells.length} cells`);
  host.kill("SIGKILL");
  await gone(cells);
});

test("a closed engine leaves no process behind, and its calls end as CANCELLED", { skip }, async () => {
  const made = await makeEngine(HABITS);
  const calls = ["stuck", "looping", "flooding", "waiting"].map((name) => made.engine.call(name));
  await until(() => keeperPids().length >= 4);
  await pause(200);
  const cells = keeperPids();
  await made[Symbol.asyncDispose]();
  for (const outcome of await Promise.all(calls)) assert.equal(outcome.error?.code, "CANCELLED");
  await gone(cells);
});

test("an engine closed while its cells are still starting leaves no process behind", { skip }, async () => {
  for (const waitMs of [0, 1, 10, 30, 60]) {
    const made = await makeEngine(HABITS);
    const call = made.engine.call("waiting");
    await pause(waitMs);
    await made[Symbol.asyncDispose]();
    assert.equal((await call).error?.code, "CANCELLED");
    await gone(keeperPids());
  }
});

function hostScript(folder: string): string {
  const toolcell = import.meta.resolve("toolcell");
  const [home, capabilities] = [JSON.stringify(`${folder}/home`), JSON.stringify(`${folder}/capabilities`)];
  return `import { createEngine } from ${JSON.stringify(toolcell)};
const engine = await createEngine({ home: ${home}, capabilities: [${capabilities}], log() {} });
for (const name of ["stuck", "looping", "flooding", "waiting", "growing"]) engine.call(name, {}, { timeoutMs: 60000, onProgress() {} });
setTimeout(() => console.log("running"), 1500);`;
}

// Ends when every process is gone or is a zombie, which has no command any more.
async function gone(pids: readonly number[]): Promise<void> {
  await until(() => pids.every((pid) => !commandOf(pid).includes("keeper.cjs")));
}
