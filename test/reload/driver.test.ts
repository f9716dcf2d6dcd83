import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { Engine } from "toolcell";
import { makeEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";
import { sources } from "./a-writer.ts";

const WRITER = path.join(import.meta.dirname, "a-writer.ts");
const REWRITES = 200;
const CALLERS = 16;

test("a driver that calls without pause while the files are rewritten gets every answer, each of one state of the folder, and nothing is left", async () => {
  const first = sources(0);
  const made = await makeEngine(
    { "demo/ask.js": first.tool, "demo/_helper.js": first.helper },
    { limits: { concurrency: 8, spareCount: 0 } },
  );
  const { engine, folder, log } = made;
  const instances = new Set<string>();
  try {
    const writer = spawn(process.execPath, [WRITER, path.join(folder, "demo"), String(REWRITES), "42"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const states = text(writer.stdout);
    const ended = once(writer, "exit");
    const writing = { isOver: false };
    void ended.then(() => (writing.isOver = true));
    const versions = new Set<string>();
    let calls = 0;
    const drive = async (caller: number): Promise<void> => {
      for (let turn = 0; !writing.isOver; turn += 1) {
        const outcome = await engine.call("ask", turn % 16 === caller ? { wait: 20 } : {});
        assert.ok(outcome.ok, outcome.text);
        const [tool, helper, instance = ""] = outcome.text.split("/");
        versions.add(`${tool}/${helper}`);
        instances.add(instance);
        calls += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => drive(caller)));
    assert.deepEqual(await ended, [0, null]);
    const seenOnDisk = new Set((await states).split("\n"));
    for (const version of versions) assert.ok(seenOnDisk.has(version), `an answer of ${version}, which the folder never held`);
    await until(() => engine.skipped().length === 0);
    await answers(engine, String(REWRITES), instances);
    assert.ok(versions.size > 2, `only ${versions.size} versions were seen in ${calls} calls`);
    if (canSeeProcesses) {
      // Those that went have ended; the one that serves is left.
      while (keeperPids().length > 1) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(keeperPids().length, 1);
    }
  } finally {
    await made[Symbol.asyncDispose]();
  }
  const unloads = log.filter(({ message }) => message.startsWith("unloaded ")).map(({ message }) => message.slice("unloaded ".length));
  assert.equal(new Set(unloads).size, unloads.length, "an unload ran twice");
  for (const instance of instances) assert.ok(unloads.includes(instance), `instance ${instance} was never unloaded`);
  if (canSeeProcesses) assert.deepEqual(keeperPids(), []);
});

async function answers(engine: Engine, version: string, instances: Set<string>): Promise<void> {
  for (;;) {
    const [tool, , instance = ""] = (await engine.call("ask", {})).text.split("/");
    instances.add(instance);
    if (tool === version) return;
  }
}
