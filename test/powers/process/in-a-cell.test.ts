import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { toolFile, type Files } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";
import { canSeeProcesses, commandOf, until } from "../../support/processes.ts";

const FILES: Files = {
  "repo/index.js": `export const LABEL = "Demo"; export const PERMISSIONS = { process: ["git", "sleep"] };`,
  "repo/git.js": toolFile(
    "git",
    `const run = async ({ process }, { args, options }) => { const end = await process.run("git", args, options); return { text: end.stdout, payload: end }; }`,
  ),
  "repo/nap.js": toolFile(
    "nap",
    `const run = async (context) => { context.progress(null, "napping"); await context.process.run("sleep", ["61.4242"]); return "rested"; }`,
  ),
  "repo/bytes.js": toolFile(
    "bytes",
    `const run = async ({ process }) => (await process.run("git", ["hash-object", "--stdin"], { input: new Uint8Array([104, 105, 10]) })).stdout;`,
  ),
  "repo/odd.js": toolFile(
    "odd",
    `const run = async ({ process }) => {
      const told = [];
      for (const args of [["git", "log"], ["git", [1]], ["git", [], { input: 1 }], ["git", ["x".repeat(5_000_000)]], ["git", [], { input: new Uint8Array(5_000_000) }], ["sh", ["-c", "id"]], [1], ["git", [], { env: { PATH: "x" } }], ["git", [], { timeoutMs: "1" }]])
        told.push(await process.run(...args).then(() => "ran", (error) => error.code ?? error.name));
      return { text: "done", payload: told };
    }`,
  ),
};

test("a tool runs a granted program and reads what it wrote", async () => {
  await using made = await makeEngine(FILES);
  assert.equal((await made.engine.call("git", { args: ["--version"] })).error?.code, "PERMISSION_DENIED");
  await made.engine.grant("repo");
  const { text, effects, payload } = await made.engine.call("git", { args: ["--version"] });
  assert.match(text, /^git version/);
  assert.deepEqual(effects, [{ power: "process", target: "git", state: "done" }]);
  assert.deepEqual(payload, { exitCode: 0, signal: null, stdout: text, stderr: "", truncated: false });
  assert.equal((await made.engine.call("bytes")).text, "45b983be36b73c0788dc9cbcb76cbb80fc7bb057\n");
});

test("what is no request is refused in the tool", async () => {
  await using made = await makeEngine(FILES);
  await made.engine.grant("repo");
  const { payload, text } = await made.engine.call("odd");
  assert.deepEqual(
    payload,
    ["TypeError", "TypeError", "TypeError", "POWER_LIMIT", "POWER_LIMIT", "PERMISSION_DENIED", "TypeError", "EINVAL", "EINVAL"],
    text,
  );
});

test("a call that is over its deadline ends at once, says that a retry is not safe and leaves its program's end unknown", async () => {
  await using made = await makeEngine(FILES);
  await made.engine.grant("repo");
  const { error, effects } = await made.engine.call("nap", {}, { timeoutMs: 1500 });
  assert.equal(error?.code, "CALL_TIMEOUT");
  assert.equal(error?.retrySafe, false);
  assert.deepEqual(effects, [{ power: "process", target: "sleep", state: "unknown" }]);
  if (!canSeeProcesses) return;
  const isNapping = (name: string): boolean => /^\d+$/u.test(name) && commandOf(Number(name)).includes("61.4242");
  await until(() => !readdirSync("/proc").some(isNapping));
});
