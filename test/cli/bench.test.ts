import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Comparison } from "../../src/bench/compare.ts";
import type { Run } from "../../src/bench/run.ts";
import { makeCommandHome } from "./a-home.ts";

const SCHEMA = '{ type: "object", properties: { text: { type: "string" }, out: { type: "string" } }, required: ["text"] }';
const { run, start, root } = makeCommandHome({
  "demo/echo.js": `export const NAME = "echo";\nexport const DESCRIPTION = "Gives back.";\nexport const INPUT_SCHEMA = ${SCHEMA};\nexport const run = (context, { text, out }) => text + (out ?? "");\n`,
  "demo/fails.js": `import { ToolError } from "toolcell/tool";\nexport const NAME = "fails";\nexport const DESCRIPTION = "Fails.";\nexport function run() { throw new ToolError("It never works."); }\n`,
  "demo/slow.js": `export const NAME = "slow";\nexport const DESCRIPTION = "Takes its time.";\nexport const run = () => new Promise((resolve) => setTimeout(resolve, 600_000));\n`,
});

test("a tool is measured beside the bare floor and a fresh isolate, and the run is saved and compared", async () => {
  const first = await run(["bench", "--out", "run.json", "echo", "text=hello", "--out", "tool's own"]);
  assert.equal(first.code, 0, first.stderr);
  for (const name of ["bare floor", "a fresh isolate for each call", "echo"])
    assert.match(first.stdout, new RegExp(`^${name} +[\\d.]+ us|^${name} +[\\d.]+ ms`, "mu"));
  assert.match(first.stdout, /echo \/ bare floor, p50 +[\d.]+ +\([\d.]+ to [\d.]+\)/u);
  assert.match(first.stderr, /15 rounds/u);
  const saved = JSON.parse(readFileSync(join(root, "run.json"), "utf8")) as Run;
  assert.deepEqual([saved.scopes[0]?.scope, saved.scopes[0]?.rows.map(({ rounds }) => rounds.length)], ["tool", [15, 15, 15]]);

  const again = await run(["bench", "--compare=run.json", "--json", "--quiet", "echo", '{"text":"hello"}']);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(again.stderr, "");
  const { comparison, ...now } = JSON.parse(again.stdout) as Run & { readonly comparison: Comparison };
  assert.deepEqual(
    comparison.changes.map(({ id }) => id),
    now.scopes[0]?.ratios.map(({ id }) => id),
  );
  assert.ok(comparison.isSameMachine);
});

test("a tool that fails is not measured, and neither is one that is not there", async () => {
  const failed = await run(["bench", "fails"]);
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /It never works\./u);
  const unknown = await run(["bench", "nothing"]);
  assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
  const invalid = await run(["bench", "echo"]);
  assert.equal(invalid.code, 1);
});

test("what cannot be followed is told before anything is measured", async () => {
  writeFileSync(join(root, "no-run.json"), "{}");
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["bench"], /needs the tool to measure/u],
    [["bench", "--out"], /"--out" needs a value/u],
    [["bench", "--fast", "echo"], /no flag "--fast"/u],
    [["bench", "--compare", "missing.json", "echo", "text=x"], /"missing\.json" cannot be read \(ENOENT\)/u],
    [["bench", "--compare", "no-run.json", "echo", "text=x"], /"no-run\.json" holds no run/u],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
  }
});

test("a run that cannot be saved says so", async () => {
  const { code, stderr } = await run(["bench", "--out", "no/such/folder.json", "echo", "text=x"]);
  assert.equal(code, 1);
  assert.match(stderr, /"no\/such\/folder\.json" cannot be written \(ENOENT\)/u);
});

test("an interrupt ends it, saves nothing and leaves nothing running", async () => {
  const { child, end } = start(["bench", "--out", "stopped.json", "slow"]);
  child.stderr?.once("data", () => child.kill("SIGINT"));
  const { code, stdout } = await end;
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(!existsSync(join(root, "stopped.json")));
});

test("its help says what it takes", async () => {
  const { code, stdout } = await run(["bench", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /bench \[--out FILE\] \[--compare FILE\] <tool>/u);
});
