import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { canSeeProcesses, until } from "../../support/processes.ts";
import { isAlive, makeBench } from "./bench.ts";

// Its pid is written where the test can read it.
const DEAF = `const { writeFileSync } = require("node:fs");
process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {});
writeFileSync(process.argv[2], String(process.pid)); setInterval(() => {}, 1000);`;

test("a program that ignores every polite signal is ended at its deadline", async () => {
  await using bench = makeBench();
  bench.program("tool", DEAF);
  const [use, file] = [bench.use(), path.join(bench.root, "pid")];
  const running = bench.run(use, "tool", [file], { timeoutMs: 700 });
  await assert.rejects(running, { code: "ETIMEDOUT", message: /700 ms/ });
  assert.equal(use.effects[0]?.state, "unknown");
  if (existsSync(file)) assert.equal(isAlive(Number(readFileSync(file, "utf8"))), false);
  for (const timeoutMs of [0, -1, 1.5, "1", null])
    await assert.rejects(bench.run(bench.use(), "tool", [], { timeoutMs }), { code: "EINVAL" });
});

test("a call that ends takes its program along", async () => {
  await using bench = makeBench();
  bench.program("tool", DEAF);
  const [use, file] = [bench.use(), path.join(bench.root, "pid")];
  const running = bench.run(use, "tool", [file]);
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  use.end();
  await assert.rejects(running, { code: "ECANCELED" });
  assert.equal(isAlive(Number(readFileSync(file, "utf8"))), false);
  await assert.rejects(bench.run(use, "tool", [file]), { code: "ECANCELED" });
});

test("closing the engine waits until its programs are gone, and none starts afterwards", async () => {
  await using bench = makeBench();
  bench.program("tool", DEAF);
  const file = path.join(bench.root, "pid");
  const running = bench.run(bench.use(), "tool", [file]);
  running.catch(() => undefined);
  await until(() => existsSync(file) && readFileSync(file, "utf8") !== "");
  await bench.power[Symbol.asyncDispose]();
  assert.equal(isAlive(Number(readFileSync(file, "utf8"))), false);
  await assert.rejects(running, { code: "ECANCELED" });
  await assert.rejects(bench.run(bench.use(), "tool", [file]), { code: "ECANCELED" });
});

// Starts nine sleepers: some in its group, some in a group or session of their own, some orphaned twice over, each
// holding its outputs open. `then` says what it does itself.
function swarm(pids: string, then: string): string {
  return `const { spawn } = require("node:child_process"); const { appendFileSync } = require("node:fs");
if (process.argv[2] === "sleep") { appendFileSync(${JSON.stringify(pids)}, process.pid + "\\n"); setInterval(() => {}, 1000); }
else if (process.argv[2] === "middle") { spawn(process.argv[0], [__filename, "sleep"], { detached: true, stdio: "inherit" }).unref(); process.exit(); }
else { for (let i = 0; i < 3; i++) { spawn(process.argv[0], [__filename, "sleep"], { stdio: "inherit" }).unref();
  spawn(process.argv[0], [__filename, "sleep"], { detached: true, stdio: "inherit" }).unref();
  spawn(process.argv[0], [__filename, "middle"], { detached: true, stdio: "inherit" }).unref(); }
  const seen = setInterval(() => { try { if (require("node:fs").readFileSync(${JSON.stringify(pids)}, "utf8").split("\\n").length > 9) { clearInterval(seen); ${then} } } catch {} }, 10); }`;
}

test(
  "what a program leaves in the background ends with it, also what left its group and its session",
  { skip: !canSeeProcesses },
  async () => {
    await using bench = makeBench();
    const file = path.join(bench.root, "pids");
    bench.program("tool", swarm(file, "process.exit(0)"));
    assert.equal((await bench.run(bench.use(), "tool")).exitCode, 0);
    const pids = readFileSync(file, "utf8").trim().split("\n").map(Number);
    assert.equal(pids.length, 9);
    assert.deepEqual(pids.filter(isAlive), []);
  },
);

test("so does what a program has started that is ended itself", { skip: !canSeeProcesses }, async () => {
  await using bench = makeBench();
  const file = path.join(bench.root, "pids");
  bench.program("tool", swarm(file, "process.stdout.write('x'.repeat(60_000))"));
  assert.equal((await bench.run(bench.use(), "tool")).truncated, true);
  assert.deepEqual(readFileSync(file, "utf8").trim().split("\n").map(Number).filter(isAlive), []);
});

test("a host that exits in the middle takes its programs and their folders along", { skip: !canSeeProcesses }, async () => {
  await using bench = makeBench();
  bench.program("tool", DEAF.replace("String(process.pid)", "process.pid + ' ' + process.env.HOME"));
  const file = path.join(bench.root, "pid");
  const module = new URL("../../../src/powers/process/process.ts", import.meta.url).href;
  const script = `const { createProcess } = await import(${JSON.stringify(module)}); const { existsSync, readFileSync } = await import("node:fs");
const power = createProcess({ processMs: 60000, processCount: 5, processInputBytes: 10000, processOutputBytes: 10000 });
const [workspace, file] = process.argv.slice(1); const places = { workspace, home: workspace, capability: workspace, temp: workspace };
const use = { places, permissions: { process: ["tool"], workspace: "none" }, signal: new AbortController().signal, effect: () => ({ done() {}, refused() {} }) };
void power.perform({ op: "run", args: { program: "tool", args: [file] }, bytes: null }, use);
setInterval(() => { if (existsSync(file) && readFileSync(file, "utf8") !== "") process.exit(0); }, 10);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", script, bench.workspace, file], { stdio: "inherit" });
  assert.deepEqual(await once(host, "exit"), [0, null]);
  const [pid, home] = readFileSync(file, "utf8").split(" ");
  await until(() => !isAlive(Number(pid)));
  assert.equal(existsSync(home ?? ""), false);
});

test("a program whose interpreter is missing says so without a path", async () => {
  await using bench = makeBench();
  writeFileSync(path.join(bench.root, "bin", "tool"), "#!/nowhere/at/all\n", { mode: 0o755 });
  const use = bench.use();
  await assert.rejects(bench.run(use, "tool"), (error: Error & { code: string }) => {
    assert.equal(error.code, "ENOENT");
    assert.ok(!error.message.includes(realpathSync(bench.root)));
    return true;
  });
  assert.equal(use.effects[0]?.state, "refused");
});
