import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startCall } from "../support/calls.ts";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

// A tool whose calls have been short: what they leave may wait for those behind them, so that one write serves many.
const QUICK = toolFile(
  "quick",
  "const run = (context, { ms, name }) => { for (const end = Date.now() + (ms ?? 0); Date.now() < end; ); return name ?? ''; };",
);
const SLOW = toolFile(
  "slow",
  "const run = (context, { ms }) => { context.progress(null); for (const end = Date.now() + ms; Date.now() < end; ); return 'slow'; };",
);
const FILES = { "demo/quick.js": QUICK, "demo/slow.js": SLOW };

async function makeBrisk(limits: Parameters<typeof makeEngine>[1] = {}) {
  const made = await makeEngine(FILES, limits);
  await made.engine.call("slow", { ms: 0 });
  for (let call = 0; call < 8; call += 1) await made.engine.call("quick");
  return made;
}

const names = (from: number, count: number): string[] => Array.from({ length: count }, (_, index) => `call ${from + index}`);

describe("results of short calls", () => {
  test("do not wait behind a tool that is known to take long", async () => {
    await using made = await makeBrisk();
    const { engine } = made;
    const ended: string[] = [];
    const note = (name: string) => engine.call("quick", { name }).then(({ text }) => void ended.push(text));
    const before = names(0, 20).map(note);
    const slow = startCall(engine, "slow", { ms: 700 });
    const after = names(20, 20).map(note);
    await slow.begun;
    await Promise.all(before);
    assert.deepEqual(ended, names(0, 20));
    assert.equal((await slow.outcome).text, "slow");
    await Promise.all(after);
    assert.deepEqual(ended, names(0, 40));
  });

  test("come once each, also where one of them takes long after all", async () => {
    await using made = await makeBrisk();
    const calls = names(0, 60).map((name, index) => made.engine.call("quick", { name, ms: index === 30 ? 400 : 0 }));
    const outcomes = await Promise.all(calls);
    assert.deepEqual(
      outcomes.map(({ text }) => text),
      names(0, 60),
    );
  });

  test("that came before a turn which is stopped are not lost, and what had not begun runs on the next cell", async () => {
    await using made = await makeBrisk({ limits: { cpuMs: 150 } });
    const calls = names(0, 40).map((name, index) => made.engine.call("quick", { name, ms: index === 20 ? 60_000 : 0 }));
    const outcomes = await Promise.all(calls);
    assert.equal(outcomes[20]?.error?.code, "CPU_LIMIT");
    outcomes.splice(20, 1);
    assert.deepEqual(
      outcomes.map(({ text }) => text),
      names(0, 40).filter((name) => name !== "call 20"),
    );
  });
});
