import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { mock, test } from "node:test";
import { runGuard } from "../../bench/guard.ts";
import { SCOPES } from "../../bench/measure.ts";
import { GUARDED, isMet, limitOf, TARGETS, targetLines, watch, type Target } from "../../bench/targets.ts";
import type { ScopeReport } from "../../src/bench/run.ts";
import { makeRatio, makeScope } from "./a-run.ts";

const WATCHED = TARGETS.filter(({ usual }) => usual !== null);
// A run says nothing to whoever reads the tests.
mock.method(console, "log", () => undefined);

/** Every scope as usual, but for what is worse by `factor`, and all of it off by `noise`. */
function measured(worse: (target: Target) => boolean, factor: number, noise = 1): readonly ScopeReport[] {
  return GUARDED.map((scope) =>
    makeScope(
      scope,
      WATCHED.filter((target) => target.scope === scope).map((target) => {
        const by = (worse(target) ? factor : 1) * noise;
        const value = target.bound === "at most" ? (target.usual ?? 0) * by : (target.usual ?? 0) / by;
        return makeRatio(target.id, [value, value, value]);
      }),
    ),
  );
}

test("a regression by half again is seen, in each of what is watched and in that alone", () => {
  for (const target of WATCHED) {
    const regressed = watch(measured((one) => one === target, 1.5)).filter(({ hasRegressed }) => hasRegressed);
    assert.deepEqual(
      regressed.map((watched) => watched.target.id),
      [target.id],
    );
  }
});

test("noise within the margin is no regression, either way", () => {
  for (const noise of [0.6, 0.9, 1, 1.15]) assert.ok(watch(measured(() => false, 1, noise)).every(({ hasRegressed }) => !hasRegressed));
});

test("every margin leaves room for noise and none for half again", () => {
  for (const { margin } of TARGETS) assert.ok(margin >= 1.15 && margin < 1.5);
  for (const target of TARGETS) assert.equal(limitOf(target) === null, target.usual === null);
});

test("what a run could not take is told as such, and has not regressed", () => {
  const watched = watch([]);
  assert.equal(watched.length, WATCHED.length);
  assert.ok(watched.every(({ ratio, hasRegressed }) => ratio === null && !hasRegressed));
});

test("what regresses once is measured again by itself, and only what regresses twice fails", () => {
  const isSuspect = ({ scope }: Target): boolean => scope === "call";
  const runs: string[] = [];
  const guard = (bad: number): boolean =>
    runGuard((scope) => {
      runs.push(scope);
      const isBad = scope === "call" && runs.filter((one) => one === "call").length <= bad;
      const report = measured(isSuspect, isBad ? 1.5 : 1).find((one) => one.scope === scope);
      assert.ok(report);
      return report;
    });
  assert.equal(guard(1), true);
  assert.deepEqual(runs.slice(GUARDED.length), ["call"]);
  runs.length = 0;
  assert.equal(guard(2), false);
  runs.length = 0;
  assert.equal(guard(0), true);
  assert.deepEqual(runs, GUARDED);
});

test("the table of targets says met, not met or not measured, for the scopes that were run", () => {
  const text = targetLines([makeScope("call", [makeRatio("p50-floor", [1.2]), makeRatio("cpu-floor", [1.4])])]).join("\n");
  assert.match(text, /p50 against the bare floor +at most +1\.35 +1\.20 +met$/mu);
  assert.match(text, /CPU of a warm call against the bare floor's +at most +1\.35 +1\.40 +not met$/mu);
  assert.match(text, /p50 of a warm call against MCP over stdio +at most +0\.850 +- +not measured$/mu);
  assert.doesNotMatch(text, /200 cells/u);
});

test("at least is the other way about", () => {
  const target = TARGETS.find(({ id }) => id === "rate-mcp");
  assert.ok(target !== undefined && isMet(target, { median: 2 }) && !isMet(target, { median: 1.9 }));
});

test("every scope is a program, and every target is of one", () => {
  for (const scope of SCOPES) assert.ok(existsSync(join(import.meta.dirname, `../../bench/${scope}.ts`)), scope);
  for (const { scope } of TARGETS) assert.ok(SCOPES.includes(scope));
});
