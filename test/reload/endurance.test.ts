import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { HOLD, startCall } from "../support/calls.ts";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, killWhole, until } from "../support/processes.ts";

const RELOADS = 1000;
const CAPABILITIES = 8;
const MiB = 1024 * 1024;

function save(folder: string, version: number): void {
  for (let number = 0; number < CAPABILITIES; number += 1)
    writeFiles(folder, {
      [`c${number}x/ask.js`]: toolFile(`ask_${number}`, `const run = () => "${version}";`, { code: "export const unload = () => {};" }),
    });
}

async function answers({ engine }: TestEngine, version: number): Promise<void> {
  for (let number = 0; number < CAPABILITIES; number += 1) while ((await engine.call(`ask_${number}`)).text !== `${version}`);
}

interface Holdings {
  readonly memory: number;
  readonly resources: number;
  readonly files: number;
}

async function holdings(): Promise<Holdings> {
  // One cell a capability: those of old are gone by then.
  await until(() => keeperPids().length === CAPABILITIES);
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    memory: process.memoryUsage().heapUsed,
    resources: process.getActiveResourcesInfo().filter((name) => name !== "Timeout" && name !== "Immediate").length,
    files: readdirSync("/proc/self/fd").length,
  };
}

test(
  "a thousand reloads leave memory, handles and processes as they were",
  { skip: !canSeeProcesses && "needs /proc", timeout: 280_000 },
  async () => {
    await using made = await makeEngine({}, { limits: { spareCount: 0 } });
    const { setFlagsFromString } = await import("node:v8");
    setFlagsFromString("--expose-gc");
    globalThis.gc ??= (await import("node:vm")).runInNewContext("gc") as typeof globalThis.gc;
    const rounds = RELOADS / CAPABILITIES;
    let before: Holdings | null = null;
    for (let round = 0; round < rounds; round += 1) {
      save(made.folder, round);
      await answers(made, round);
      if (round === rounds / 5) before = await holdings();
    }
    assert.ok(before !== null);
    const after = await holdings();
    assert.ok(after.memory < before.memory + 8 * MiB, `the heap grew from ${before.memory} to ${after.memory}`);
    assert.ok(after.resources <= before.resources + 2, `${before.resources} resources, then ${after.resources}`);
    assert.ok(after.files <= before.files + 4, `${before.files} open files, then ${after.files}`);
  },
);

test(
  "a cell that is killed during a swap ends its calls in words, and the next call runs the new code",
  { skip: !canSeeProcesses && "needs /proc" },
  async () => {
    const say = (word: string): string => toolFile("say", `const run = () => "${word}";`);
    await using made = await makeEngine(
      { "demo/say.js": say("old"), "demo/hold.js": toolFile("hold", HOLD) },
      { limits: { spareCount: 0 } },
    );
    for (let round = 0; round < 5; round += 1) {
      const held = startCall(made.engine, "hold");
      await held.begun;
      await made.engine.call("say");
      const { promise: reloaded, resolve } = Promise.withResolvers<unknown>();
      const off = made.engine.on("reloaded", resolve);
      writeFiles(made.folder, { "demo/say.js": say(`new ${round}`) });
      await reloaded;
      off();
      // The old cell with its call, and the new one that waits for it.
      assert.equal(keeperPids().length, 2);
      const next = made.engine.call("say");
      killWhole(keeperPids());
      const { error, text } = await held.outcome;
      assert.deepEqual([error?.code, error?.started], ["CELL_CRASHED", true], text);
      assert.equal((await next).text, `new ${round}`);
    }
  },
);
