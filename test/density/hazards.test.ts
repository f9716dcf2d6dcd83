import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CANARY } from "../../hazards/case.ts";
import { CASES } from "../../hazards/groups.ts";
import type { Outcome } from "toolcell";
import { hazardTools, patienceFor } from "../hazards/hazard-tools.ts";
import { makeSharing, type SharedEngine } from "./a-shared-folder.ts";

const MiB = 1024 * 1024;
// What ends a process in each of the ways that there are, and what tries to reach beyond its isolate.
const NAMES = [
  "array_fill",
  "map_grows",
  "string_split",
  "json_parse_deep",
  "resizable_buffer",
  "to_reversed_huge",
  "sparse_index_of",
  "sparse_unshift",
  "bigint_parse",
  "thrown_proxy_loops",
  "returns_and_loops_on",
  "float16_result",
  "progress_flood",
  "console_flood",
  "timer_flood",
  "poisoned_prototypes",
  "through_an_overflow",
  "looks_for_the_addon",
  "writes_to_stderr_for_ever",
];
const PICKED = CASES.filter(({ name }) => NAMES.includes(name));

let made: SharedEngine;

before(async () => {
  process.env["HAZARD_CANARY"] = CANARY;
  made = await makeSharing(hazardTools(PICKED), { limits: { memoryBytes: 64 * MiB } });
  await made.engine.call("neighbour");
});
after(() => made[Symbol.asyncDispose]());

test("every hazard that is picked is there", () => assert.equal(PICKED.length, NAMES.length));

for (const hazard of PICKED) {
  const { name, ends, leak } = hazard;
  test(`${name} in a shared process ends as ${ends.join(" or ")}, and its neighbour answers or is told that the process ended`, async () => {
    const { engine } = made;
    const state = { isEnded: false };
    const options = { timeoutMs: patienceFor(hazard) };
    const attempt = async (): Promise<Outcome> => {
      const outcome = await engine.call(name, {}, options);
      // Where it is not known whose turn it was each stands alone, and shows it then.
      return outcome.error?.code === "CELL_CRASHED" ? await engine.call(name, {}, options) : outcome;
    };
    const ended = attempt().finally(() => (state.isEnded = true));
    while (!state.isEnded) {
      const { ok, error, text } = await engine.call("neighbour");
      assert.ok(ok || error?.code === "CELL_CRASHED", text);
      await pause(20);
    }
    const { ok, error, text } = await ended;
    const end = ok ? "ok" : (error?.code ?? "none");
    assert.ok(
      ends.some((right) => right === end),
      `${end}: ${text}`,
    );
    if (leak !== undefined) assert.doesNotMatch(text, leak);
    assert.doesNotMatch(text, /node_modules|\/dist\/|\/tmp\/|keeper|at .*:\d+:\d+/u);
    assert.equal((await engine.call("neighbour")).text, "here");
    assert.equal(engine.capabilities().find((entry) => entry.name === "neighbour")?.state, "ready");
  });
}
