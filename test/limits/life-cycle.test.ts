import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { HOLD, startCall } from "../support/calls.ts";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { keeperPids } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

const SAY = (word: string, unload = ""): string => toolFile("say", `const run = () => "${word}";`, { code: unload });
const unloadAfter = (ms: number): string =>
  `export const unload = () => new Promise((resolve) => setTimeout(() => { console.log("unloaded"); resolve(); }, ${ms}));`;

const files = {
  "demo/say.js": SAY("old"),
  "demo/slow.js": toolFile(
    "slow",
    `const run = async (context, { ms }) => { context.progress(0); await new Promise((resolve) => setTimeout(resolve, ms)); return "slow"; };`,
  ),
  "demo/ticks.js": toolFile(
    "ticks",
    `const run = async (context, { count, ms }) => {
      for (let tick = 0; tick < count; tick += 1) { await new Promise((resolve) => setTimeout(resolve, ms)); context.progress(tick / count); }
      return "ticked";
    };`,
  ),
  "demo/hold.js": toolFile("hold", HOLD),
  "demo/die.js": toolFile("die", HOLD),
};

/** Saves other code of `say` and resolves to what of this comes first: it answers, or `other` settles. */
async function whichFirst({ engine, folder }: TestEngine, other: Promise<unknown>): Promise<"new code" | "the other"> {
  const { promise: reloaded, resolve } = Promise.withResolvers<unknown>();
  engine.on("reloaded", resolve);
  writeFiles(folder, { "demo/say.js": SAY("new") });
  await reloaded;
  const answer = engine.call("say").then(({ text }) => {
    assert.equal(text, "new");
    return "new code" as const;
  });
  return await Promise.race([answer, other.then(() => "the other" as const)]);
}

testLimit("drainMs", {
  files,
  set: 3000,
  raisedTo: 1,
  at: [
    "lets a call of old code that ends in time end before new code serves",
    async (made) => {
      await made.engine.call("say");
      const slow = startCall(made.engine, "slow", { ms: 600 });
      await slow.begun;
      assert.equal(await whichFirst(made, slow.outcome), "the other");
    },
  ],
  over: [
    "lets new code serve beside a call that does not, which ends by itself",
    async (made) => {
      await saved(SAY("older"), "older", made);
      const held = startCall(made.engine, "hold");
      await held.begun;
      assert.equal(await whichFirst(made, held.outcome), "new code");
      held.cancel();
      assert.equal((await held.outcome).error?.code, "CANCELLED");
    },
  ],
  raised: [
    "a shorter one waits for less",
    async (made) => {
      await made.engine.call("say");
      const slow = startCall(made.engine, "slow", { ms: 10_000 });
      await slow.begun;
      assert.equal(await whichFirst(made, slow.outcome), "new code");
      slow.cancel();
    },
  ],
});

async function unloads({ engine, folder, log }: TestEngine, ms: number): Promise<readonly string[]> {
  const heard: string[] = [];
  engine.on("unloadFailed", ({ message }) => heard.push(message));
  await saved(SAY("old", unloadAfter(ms)), "old", { engine, folder });
  const before = log.length;
  await saved(SAY("new"), "new", { engine, folder });
  return [
    ...heard,
    ...log
      .slice(before)
      .map(({ message }) => message)
      .filter((message) => message === "unloaded"),
  ];
}

async function saved(source: string, word: string, { engine, folder }: Pick<TestEngine, "engine" | "folder">): Promise<void> {
  writeFiles(folder, { "demo/say.js": source });
  while ((await engine.call("say")).text !== word) await pause(1);
}

testLimit("unloadMs", {
  files: { "demo/say.js": SAY("first") },
  set: 50,
  raisedTo: 60_000,
  at: [
    "leaves an `unload` alone that ends at once",
    async (made) => {
      const faults: string[] = [];
      made.engine.on("unloadFailed", ({ message }) => faults.push(message));
      await saved(SAY("quick", 'export const unload = () => console.log("quick unloaded");'), "quick", made);
      await saved(SAY("next"), "next", made);
      assert.deepEqual(faults, []);
      assert.ok(made.log.some(({ message }) => message === "quick unloaded"));
    },
  ],
  over: [
    "ends one that does not",
    async (made) => assert.deepEqual(await unloads(made, 10_000), ["It did not end within 50 ms (unloadMs)"]),
  ],
  raised: ["waits for longer", async (made) => assert.deepEqual(await unloads(made, 200), ["unloaded"])],
});

testLimit("idleMs", {
  files,
  set: 400,
  raisedTo: 60_000,
  at: [
    "leaves a long call alone that gives a sign of life in time",
    async ({ engine }) => assert.equal((await engine.call("ticks", { count: 20, ms: 40 })).text, "ticked"),
  ],
  over: [
    "ends one that is silent for longer, and names itself",
    async ({ engine }) => {
      const { text, error } = await engine.call("slow", { ms: 20_000 });
      assert.deepEqual([error?.code, error?.limit], ["CALL_TIMEOUT", { name: "idleMs", value: 400 }]);
      assert.match(text, /no sign of life for 400 ms/u);
    },
  ],
  raised: [
    "waits for longer, and a call may ask for another; progress never makes the whole time longer",
    async ({ engine }) => {
      assert.equal((await engine.call("slow", { ms: 600 })).text, "slow");
      assert.equal((await engine.call("slow", { ms: 20_000 }, { idleMs: 100 })).error?.limit?.name, "idleMs");
      assert.equal(
        (await engine.call("ticks", { count: 10_000, ms: 10 }, { timeoutMs: 600, idleMs: 300 })).error?.limit?.name,
        "timeoutMs",
      );
    },
  ],
});

// What kills the cell is this test, from outside, once the call has been heard of.
async function crash({ engine }: TestEngine): Promise<string | undefined> {
  const held = startCall(engine, "die");
  await held.begun;
  for (const pid of keeperPids()) process.kill(pid, "SIGKILL");
  return (await held.outcome).error?.code;
}
const AT_ONCE = { spareCount: 0, quarantineMs: 60_000 };

testLimit("crashCount", {
  files,
  set: 3,
  raisedTo: 100,
  beside: AT_ONCE,
  at: [
    "leaves a capability on that has crashed less often",
    async (made) =>
      assert.deepEqual(
        [await crash(made), await crash(made), (await made.engine.call("say")).text],
        ["CELL_CRASHED", "CELL_CRASHED", "old"],
      ),
  ],
  over: [
    "keeps one off that has crashed as often",
    async (made) => assert.deepEqual([await crash(made), (await made.engine.call("say")).error?.code], ["CELL_CRASHED", "QUARANTINED"]),
  ],
  raised: [
    "leaves it on for longer",
    async (made) => {
      for (let time = 0; time < 4; time += 1) assert.equal(await crash(made), "CELL_CRASHED");
      assert.equal((await made.engine.call("say")).text, "old");
    },
  ],
});

testLimit("crashWindowMs", {
  files,
  set: 10,
  raisedTo: 60_000,
  beside: { ...AT_ONCE, crashCount: 2 },
  at: ["lets one crash be one crash", async (made) => assert.equal(await crash(made), "CELL_CRASHED")],
  over: [
    "forgets a crash that is older",
    async (made) => {
      assert.deepEqual([await crash(made), (await made.engine.call("say")).text], ["CELL_CRASHED", "old"]);
    },
  ],
  raised: [
    "remembers for longer",
    async (made) => {
      assert.deepEqual(
        [await crash(made), await crash(made), (await made.engine.call("say")).error?.code],
        ["CELL_CRASHED", "CELL_CRASHED", "QUARANTINED"],
      );
    },
  ],
});

const QUARANTINED = { spareCount: 0, crashCount: 1 };

testLimit("quarantineMs", {
  files,
  set: 100,
  raisedTo: 60_000,
  beside: QUARANTINED,
  at: [
    "lets a capability have another chance when it has passed",
    async (made) => {
      assert.equal(await crash(made), "CELL_CRASHED");
      while ((await made.engine.call("say")).error?.code === "QUARANTINED") await pause(5);
      assert.equal((await made.engine.call("say")).text, "old");
    },
  ],
  over: [
    "is twice as long for one that crashes again",
    async (made) => {
      const told: number[] = [];
      made.engine.on("quarantined", ({ ms }) => told.push(ms));
      assert.equal(await crash(made), "CELL_CRASHED");
      assert.deepEqual(told, [200]);
    },
  ],
  raised: [
    "keeps it off for longer",
    async (made) => {
      assert.equal(await crash(made), "CELL_CRASHED");
      assert.match((await made.engine.call("say")).text, /kept off for 60 s more/u);
    },
  ],
});

testLimit("quarantineMaxMs", {
  files,
  set: 150,
  raisedTo: 60_000,
  beside: { ...QUARANTINED, quarantineMs: 100 },
  at: [
    "lets a pause be that long",
    async (made) => {
      const told: number[] = [];
      made.engine.on("quarantined", ({ ms }) => told.push(ms));
      assert.equal(await crash(made), "CELL_CRASHED");
      assert.deepEqual(told, [100]);
    },
  ],
  over: [
    "and no longer",
    async (made) => {
      const told: number[] = [];
      made.engine.on("quarantined", ({ ms }) => told.push(ms));
      while ((await made.engine.call("say")).error?.code === "QUARANTINED") await pause(5);
      assert.equal(await crash(made), "CELL_CRASHED");
      assert.deepEqual(told, [150]);
    },
  ],
  raised: [
    "lets it grow further",
    async (made) => {
      const told: number[] = [];
      made.engine.on("quarantined", ({ ms }) => told.push(ms));
      for (let time = 0; time < 3; time += 1) {
        while ((await made.engine.call("say")).error?.code === "QUARANTINED") await pause(5);
        assert.equal(await crash(made), "CELL_CRASHED");
      }
      assert.deepEqual(told, [100, 200, 400]);
    },
  ],
});
