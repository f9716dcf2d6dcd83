import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { makeTempFolder } from "../support/capabilities.ts";
import { commandOf, descendants, until } from "../support/processes.ts";
import { newKeeper, PLAIN, startKeeper, wrapperOrReason } from "./keepers.ts";

const MiB = 1024 * 1024;
const found = await wrapperOrReason("bubblewrap");
const skip = "reason" in found ? found.reason : false;
const seal = { ...PLAIN, wrapper: "wrapper" in found ? found.wrapper : null };

const READY = `import { writeSync } from "node:fs";
const ready = () => { const frame = Buffer.alloc(19); frame.writeUInt32LE(15, 0); frame[4] = 1; frame.write("{}", 17); writeSync(4, frame); };`;

test("killing a cell kills what runs inside its namespaces", { skip }, async () => {
  const keeper = await startKeeper(seal);
  const inside = descendants(keeper.pid ?? 0);
  assert.ok(
    inside.some((pid) => commandOf(pid).startsWith("/cell/node")),
    "Node runs inside",
  );
  keeper.kill("done");
  assert.equal((await keeper.closed).signal, "SIGKILL");
  await until(() => inside.every((pid) => !commandOf(pid).startsWith("/cell/node")));
});

test("a cell killed at any moment of its start leaves nothing behind and is told to have ended", { skip }, async () => {
  const held = setInterval(() => undefined, 1000);
  const left = new Set<number>();
  for (let delayMs = 0; delayMs < 40; delayMs += 1) {
    const keeper = newKeeper(seal);
    await pause(delayMs / 2);
    for (const pid of descendants(keeper.pid ?? 0)) left.add(pid);
    keeper.kill("closed");
    await keeper.closed;
  }
  clearInterval(held);
  await until(() => [...left].every((pid) => !/bwrap|cell\/node/u.test(commandOf(pid))));
});

test("a host that is killed takes what runs inside with it, also where that never reads its pipe again", { skip }, async () => {
  using temp = makeTempFolder();
  const stuck = `${temp.path}/stuck.mjs`;
  writeFileSync(stuck, `${READY}\nready(); for (;;);`);
  const script = `import { newKeeper, PLAIN, startKeeper, wrapperOrReason } from ${JSON.stringify(import.meta.resolve("./keepers.ts"))};
const { wrapper } = await wrapperOrReason("bubblewrap");
const keeper = await startKeeper({ ...PLAIN, wrapper }, ${JSON.stringify(stuck)});
console.log(keeper.pid);
setInterval(() => {}, 1000);`;
  const host = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = Number(String(await new Promise((resolve) => host.stdout.once("data", resolve))));
  const inside = descendants(pid);
  assert.ok(inside.length >= 2);
  host.kill("SIGKILL");
  await until(() => inside.every((each) => !commandOf(each).startsWith("/cell/node")));
});

test("the memory of what runs inside is what the host's watch reads", { skip }, async () => {
  using temp = makeTempFolder();
  const grown = `${temp.path}/grown.mjs`;
  writeFileSync(grown, `${READY}\nglobalThis.kept = Buffer.alloc(300 * 2 ** 20, 1); ready(); setInterval(() => {}, 1000);`);
  const keeper = await startKeeper(seal, grown);
  const bytes = keeper.residentBytes() ?? 0;
  keeper.kill("done");
  await keeper.closed;
  assert.ok(bytes > 300 * MiB && bytes < 500 * MiB, `${(bytes / MiB).toFixed(0)} MiB`);
});

test("the end of what runs inside is told as if nothing stood around it", { skip }, async () => {
  using temp = makeTempFolder();
  const aborts = `${temp.path}/aborts.mjs`;
  writeFileSync(aborts, `${READY}\nready(); process.abort();`);
  const keeper = await startKeeper(seal, aborts);
  const held = setInterval(() => undefined, 1000);
  const { signal, stderr } = await keeper.closed.finally(() => clearInterval(held));
  assert.equal(signal, "SIGABRT");
  assert.doesNotMatch(stderr, new RegExp(temp.path, "u"));
});

test("nothing inside can be written to, and there is no more than a cell needs", { skip }, async () => {
  const keeper = await startKeeper(seal);
  const node = descendants(keeper.pid ?? 0).find((pid) => commandOf(pid).startsWith("/cell/node")) ?? 0;
  const mounts = readFileSync(`/proc/${node}/mountinfo`, "utf8").trim().split("\n");
  const seen = readdirSync(`/proc/${node}/root`).sort();
  keeper.kill("done");
  await keeper.closed;
  for (const mount of mounts) assert.match(mount.split(" ")[5] ?? "", /^ro(?:,|$)/u, mount);
  assert.ok(
    seen.every((name) => ["cell", "lib", "lib64", "usr"].includes(name)),
    seen.join(", "),
  );
});
