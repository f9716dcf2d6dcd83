import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CANARY } from "../../hazards/case.ts";
import { CASES } from "../../hazards/groups.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { hazardTools, patienceFor } from "./hazard-tools.ts";

const MiB = 1024 * 1024;
const NEIGHBOUR_MS = 100;
const GROWTH_BYTES = 50 * MiB;
// A machine may pause this process itself: one slow answer of a neighbour is asked for again.
const SLOW_ANSWERS = 2;

let made: TestEngine;

before(async () => {
  // What a guest that reads the host's environment would show.
  process.env["HAZARD_CANARY"] = CANARY;
  made = await makeEngine(hazardTools(CASES), { limits: { memoryBytes: 64 * MiB } });
  await made.engine.call("neighbour");
});
after(() => made[Symbol.asyncDispose]());

for (const hazard of CASES) {
  const { name, ends, leak } = hazard;
  test(`${name} ends as ${ends.join(" or ")}; its neighbour answers and the host stays small`, async () => {
    const { engine, log } = made;
    const rssBefore = process.memoryUsage.rss();
    const state = { isEnded: false };
    const ended = engine.call(name, {}, { timeoutMs: patienceFor(hazard) }).finally(() => (state.isEnded = true));
    const waits: number[] = [];
    let peak = rssBefore;
    while (!state.isEnded) {
      const askedAt = performance.now();
      const { text } = await engine.call("neighbour");
      waits.push(performance.now() - askedAt);
      assert.equal(text, "here");
      peak = Math.max(peak, process.memoryUsage.rss());
      await pause(20);
    }
    const { ok, error, text } = await ended;
    const end = ok ? "ok" : (error?.code ?? "none");
    assert.ok(
      ends.some((right) => right === end),
      `${end}: ${text}`,
    );
    assert.ok(
      waits.filter((wait) => wait > NEIGHBOUR_MS).length <= SLOW_ANSWERS,
      `the neighbour waited ${Math.max(...waits).toFixed(0)} ms`,
    );
    assert.ok(peak - rssBefore < GROWTH_BYTES, `the host grew by ${((peak - rssBefore) / MiB).toFixed(0)} MiB`);
    if (leak !== undefined) assert.doesNotMatch(text, leak);
    assert.doesNotMatch(text, /node_modules|\/dist\/|\/tmp\/|keeper|at .*:\d+:\d+/u);
    assert.ok(log.length < 10_000);
  });
}
