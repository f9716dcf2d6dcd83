import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { startCall } from "../support/calls.ts";
import { canSeeProcesses, commandOf, keeperPids, until } from "../support/processes.ts";
import { counter, makeSharing, WAIT } from "./a-shared-folder.ts";

const skip = canSeeProcesses ? false : "needs /proc";

const HABITS = {
  "stuck/tool.js": toolFile(
    "stuck",
    `function run(context) { context.progress(null, "begun"); return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }`,
  ),
  "looping/tool.js": toolFile("looping", `function run(context) { context.progress(null, "begun"); for (;;); }`),
  "flooding/tool.js": toolFile("flooding", "function run(context) { for (;;) context.progress(null, 'begun'); }"),
  "waiting/tool.js": toolFile("waiting", WAIT),
};
const NAMES = ["stuck", "looping", "flooding", "waiting"];

test("a host killed with SIGKILL leaves no shared process behind, whatever its guests were doing", { skip }, async () => {
  using temp = makeTempFolder();
  writeFiles(`${temp.path}/ours`, HABITS);
  const host = spawn(process.execPath, ["--input-type=module", "-e", hostScript(temp.path)], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => host.stdout.once("data", resolve));
  const pids = keeperPids(host.pid);
  assert.equal(pids.length, 1);
  host.kill("SIGKILL");
  await until(() => pids.every((pid) => !commandOf(pid).includes("keeper.cjs")));
});

test("a closed engine leaves no shared process behind, and the calls in it end as CANCELLED", { skip }, async () => {
  const made = await makeSharing(HABITS);
  const calls = NAMES.map((name) => startCall(made.engine, name));
  await Promise.all(calls.map(({ begun }) => begun));
  assert.equal(keeperPids().length, 1);
  await made[Symbol.asyncDispose]();
  for (const { outcome } of calls) assert.equal((await outcome).error?.code, "CANCELLED");
  assert.deepEqual(keeperPids(), []);
});

test("an engine that is closed while a shared process starts leaves none behind", { skip }, async () => {
  const made = await makeSharing({ ...counter("one"), ...counter("two") });
  const calls = ["count_one", "count_two"].map((name) => made.engine.call(name));
  await until(() => keeperPids().length === 1);
  await made[Symbol.asyncDispose]();
  for (const call of calls) assert.ok([undefined, "CANCELLED"].includes((await call).error?.code));
  assert.deepEqual(keeperPids(), []);
});

test("a program whose engine shares a process ends by itself", { skip }, async () => {
  using temp = makeTempFolder();
  writeFiles(`${temp.path}/ours`, { ...counter("one"), ...counter("two") });
  const calls = `for (const name of ["count_one", "count_two"]) console.log((await engine.call(name)).text);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", engineScript(temp.path) + calls], { stdio: "ignore" });
  const [code] = await new Promise<[number | null]>((resolve) => host.once("exit", (...end) => resolve([end[0]])));
  assert.equal(code, 0);
});

function hostScript(folder: string): string {
  return `${engineScript(folder)}
const begun = ${JSON.stringify(NAMES)}.map((name) => new Promise((resolve) => engine.call(name, {}, { timeoutMs: 60000, onProgress: resolve })));
await Promise.all(begun);
console.log("running");`;
}

function engineScript(folder: string): string {
  const [home, ours] = [JSON.stringify(`${folder}/home`), JSON.stringify(`${folder}/ours`)];
  return `import { createEngine } from ${JSON.stringify(import.meta.resolve("toolcell"))};
const limits = { spareCount: 0 };
const engine = await createEngine({ home: ${home}, capabilities: [${ours}], shareProcess: [${ours}], limits, watch: false, log() {} });
`;
}
