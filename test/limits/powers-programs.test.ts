import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

const MiB = 1024 * 1024;

const files = {
  "programs/index.js": `export const PERMISSIONS = { process: ["cat", "sleep"] };`,
  "programs/run_cat.js": toolFile(
    "run_cat",
    `const run = async ({ process }, { bytes, count = 1, of = 120 }) => {
      let end;
      for (let index = 0; index < count; index += 1) end = await process.run("cat", [], { input: new Uint8Array(bytes).fill(of) });
      return { text: "ran", payload: end };
    };`,
  ),
  "programs/run_sleep.js": toolFile(
    "run_sleep",
    `const run = async ({ process }, { seconds }) => { await process.run("sleep", [seconds], { timeoutMs: 60_000 }); return "slept"; };`,
  ),
  "grow/grow.js": toolFile(
    "grow",
    `const run = (context, { mib }) => {
      const buffer = new ArrayBuffer(0, { maxByteLength: mib * 1048576 });
      for (let grown = 8; grown <= mib; grown += 8) {
        buffer.resize(grown * 1048576);
        new Uint8Array(buffer).fill(1, (grown - 8) * 1048576);
      }
      return "grown";
    };`,
  ),
};

const some = { files, options: { policy: { grant: () => true } } };

describe("programs", { skip: process.platform === "win32" ? "it has neither cat nor sleep" : false }, () => {
  testLimit("processMs", {
    ...some,
    set: 1000,
    at: ["lets a program end that needs less", (made) => done(made, "run_sleep", { seconds: "0" })],
    over: [
      "ends one that needs more, whatever the tool has asked for",
      async ({ engine }) => {
        const { ok, text } = await engine.call("run_sleep", { seconds: "60" });
        assert.equal(ok, false);
        assert.match(text, /"sleep" did not end within 1000 ms/u);
      },
    ],
    raised: ["lets a program take longer", (made) => done(made, "run_sleep", { seconds: "1.1" })],
  });

  testLimit("processCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: [
      "runs exactly as many programs in a call, and as many in the next",
      (made) => twice(() => done(made, "run_cat", { bytes: 1, count: 2 })),
    ],
    over: ["refuses one more", (made) => refused(made, "run_cat", { bytes: 1, count: 3 }, /at most 2 programs \(processCount\)/u)],
    raised: ["runs one more", (made) => done(made, "run_cat", { bytes: 1, count: 3 })],
  });

  testLimit("processInputBytes", {
    ...some,
    set: 64,
    raisedTo: 65,
    at: ["gives a program exactly as many bytes, its name counted", (made) => done(made, "run_cat", { bytes: 64 - "cat".length })],
    over: [
      "refuses one byte more",
      (made) => refused(made, "run_cat", { bytes: 65 - "cat".length }, /at most 64 bytes together \(processInputBytes\)/u),
    ],
    raised: ["gives it one byte more", (made) => done(made, "run_cat", { bytes: 65 - "cat".length })],
  });

  test("an output that the bridge cannot carry is refused, and the cell goes on", async () => {
    await using made = await makeEngine(files, { ...some.options, limits: { powerBytes: 250_000, argumentBytes: 64, bundleBytes: MiB } });
    // Six bytes each on its way.
    await refused(made, "run_cat", { bytes: 200_000, of: 1 }, /answer of the host may carry at most 250000 bytes/u);
    await done(made, "run_cat", { bytes: 1 });
  });

  testLimit("processOutputBytes", {
    ...some,
    set: 64,
    raisedTo: 65,
    at: ["gives back exactly as many bytes of output", async (made) => assert.deepEqual(await output(made, 64), [64, false])],
    over: ["cuts the output of a program that writes one more", async (made) => assert.deepEqual(await output(made, 65), [64, true])],
    raised: ["gives back one byte more", async (made) => assert.deepEqual(await output(made, 65), [65, false])],
  });
});

if (canSeeProcesses) {
  testLimit("dataBytes", {
    files,
    options: { policy: { hardened: true } },
    set: 256 * MiB,
    raisedTo: 1024 * MiB,
    beside: { residentBytes: 4096 * MiB, cpuMs: 60_000 },
    at: [
      "is exactly what the system holds a hardened cell to",
      async (made) => {
        await done(made, "grow", { mib: 8 });
        assert.ok(keeperPids().length > 0);
        for (const pid of keeperPids())
          assert.match(readFileSync(`/proc/${pid}/limits`, "utf8"), new RegExp(`^Max data size +${256 * MiB} +${256 * MiB} `, "mu"));
      },
    ],
    over: [
      "refuses a cell more, and other capabilities go on",
      async (made) => {
        const { error, text } = await made.engine.call("grow", { mib: 400 });
        assert.ok(["MEMORY_LIMIT", "TOOL_EXCEPTION", "CELL_CRASHED"].includes(error?.code ?? ""), text);
        await done(made, "text_stats", { text: "a b c" });
      },
    ],
    raised: ["gives it more", (made) => done(made, "grow", { mib: 400 })],
  });
}

async function done(made: TestEngine, tool: string, args: object): Promise<void> {
  await succeeded(made, tool, args);
}

async function twice(step: () => Promise<unknown>): Promise<void> {
  await step();
  await step();
}

async function output(made: TestEngine, bytes: number): Promise<unknown> {
  const { stdout, truncated } = (await succeeded(made, "run_cat", { bytes })).payload as { stdout: string; truncated: boolean };
  return [stdout.length, truncated];
}

async function succeeded({ engine }: TestEngine, tool: string, args: object): Promise<Outcome> {
  const outcome = await engine.call(tool, args);
  assert.ok(outcome.ok, outcome.text);
  return outcome;
}

async function refused({ engine }: TestEngine, tool: string, args: object, words: RegExp): Promise<void> {
  const { error, text } = await engine.call(tool, args);
  assert.equal(error?.code, "POWER_LIMIT", text);
  assert.match(text, words);
}
