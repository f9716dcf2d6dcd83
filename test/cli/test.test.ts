import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { runCommand, startCommand, type CommandEnd } from "../support/command.ts";

const root = mkdtempSync(path.join(tmpdir(), "toolcell-testing-"));
// What the command makes for itself is made here, so that what it leaves is seen.
const scratch = path.join(root, "scratch");
after(() => rmSync(root, { recursive: true, force: true }));

mkdirSync(scratch);

const env = { TOOLCELL_HOME: path.join(root, "home"), TMPDIR: scratch };

async function run(...args: string[]): Promise<CommandEnd> {
  const end = await runCommand(["test", ...args], { cwd: root, env });
  assert.deepEqual(readdirSync(scratch), [], "something was left behind");
  return end;
}

function testFile(body: string): string {
  return `import { assert, call, test } from "toolcell/test";\n${body}\nvoid [assert, call, test];\n`;
}

writeFiles(root, {
  "good/_double.ts": "export const double = (value: number): number => value * 2;\n",
  "good/double.ts": toolFile("double", "const run = (context, { n }) => ({ text: String(double(n)), payload: { n } });", {
    schema: '{ type: "object", properties: { n: { type: "integer" } }, required: ["n"] }',
    code: 'import { double } from "./_double.ts";',
  }),
  "good/keep.ts": toolFile("keep", 'const run = async (context) => { await context.storage.set("a", 1); return "kept"; };', {
    code: "",
  }),
  "good/index.ts": 'export const LABEL = "Good";\nexport const PERMISSIONS = { storage: true };\n',
  "good/double.test.ts": testFile(`
test("gives the outcome of a call", async () => {
  const outcome = await call("double", { n: 4 });
  assert.deepEqual([outcome.ok, outcome.text, outcome.payload, outcome.capability], [true, "8", { n: 4 }, "good"]);
});
test("checks arguments as every call does", async () => {
  const { error } = await call("double", { n: "4" });
  assert.equal(error?.code, "INVALID_ARGUMENTS");
  assert.match(error?.message, /must be an integer/);
});
test("has what the capability is granted and no more", async () => {
  assert.equal((await call("keep")).error?.code, "PERMISSION_DENIED");
});`),
  "good/test/unit.test.mts": `import { assert, test } from "toolcell/test";
import { double } from "../_double.ts";
test("imports what the tools import", () => assert.equal(double(2), 4));
test("is sealed", () => assert.deepEqual([typeof document, globalThis.process], ["undefined", undefined]));
`,
  "bad/tool.ts": toolFile("bad_tool", 'const run = () => { throw new Error("no"); };'),
  "bad/first.test.ts": testFile(`
test("differs", async () => {
  assert.equal((await call("bad_tool")).text, "yes");
});
test("throws", () => { throw new TypeError("odd \\u001b]0;title\\u0007\\u001b[31mred"); });
test("never ends", () => new Promise(() => {}));
test("goes on after that", () => {});
test("calls what is not there", async () => assert.equal((await call("bad_tests_0")).error?.code, "UNKNOWN_TOOL"));
test("rejects", async () => { await assert.rejects(async () => { throw new Error("as it should"); }, /should$/); });`),
  "bad/second.test.ts": 'import { nothing } from "./nowhere.ts";\nnothing();\n',
  "bad/third.test.js": 'throw new Error("at once");\n',
  "bad/zero.test.js": "export const nothing = 1;\n",
  "broken/tool.ts": "export const NAME = 1;\n",
  "broken/a.test.ts": testFile('test("a", () => {});'),
  "none/tool.ts": toolFile("none", "const run = () => 1;"),
});

test("a capability's tests run against its tools as they are called", async () => {
  const { code, stdout, stderr } = await run("good");
  assert.equal(
    stdout.replaceAll(/\(\d+ ms\)/g, "(ms)"),
    `ok double.test.ts: gives the outcome of a call (ms)
ok double.test.ts: checks arguments as every call does (ms)
ok double.test.ts: has what the capability is granted and no more (ms)
ok test/unit.test.mts: imports what the tools import (ms)
ok test/unit.test.mts: is sealed (ms)
`,
  );
  assert.deepEqual([code, stderr], [0, "5 passed, 0 failed.\n"]);
});

test("what fails is told with its reason and its place, and the others run", async () => {
  const { code, stdout, stderr } = await run("bad", "--timeout", "2s");
  assert.deepEqual([code, stderr], [1, "3 passed, 6 failed.\n"]);
  const text = stdout.replaceAll(/\(\d+ ms\)/g, "(ms)");
  assert.match(text, /^not ok first\.test\.ts: differs\n {4}"bad_tool failed: .*" is not "yes"\n {4}at .*\(first\.test\.ts:4:10\)$/m);
  assert.match(text, /^not ok first\.test\.ts: throws\n {4}TypeError: odd red\n {4}at .*\(first\.test\.ts:6:30\)$/m);
  assert.match(text, /^not ok first\.test\.ts: never ends\n {4}It did not end within 2000 ms/m);
  assert.match(text, /^ok first\.test\.ts: goes on after that \(ms\)\nok .*what is not there \(ms\)\nok .*rejects \(ms\)$/m);
  assert.match(
    text,
    /^not ok second\.test\.ts\n {4}Imports second\.test\.ts:1, which cannot be bundled: "\.\/nowhere\.ts" is not in the folder/m,
  );
  assert.match(text, /^not ok third\.test\.js\n {4}Error: at once\n {4}at third\.test\.js:1:7$/m);
  assert.match(text, /^not ok zero\.test\.js\n {4}It declares no test/m);
});

test("--json gives every result", async () => {
  const { code, stdout } = await run("bad", "--json", "--quiet", "--timeout", "2s");
  const results = JSON.parse(stdout) as { file: string; name: string | null; ok: boolean; reason: string | null }[];
  assert.deepEqual([code, results.length, results.filter(({ ok }) => ok).map(({ reason }) => reason)], [1, 9, [null, null, null]]);
});

for (const [folder, reason] of [
  ["broken", /^"broken" is not taken as it is\.\ntool\.ts:1: NAME/],
  ["none", /^"none" has no tests: write one into a file that ends in \.test\.ts/],
  ["nowhere", /^There is no folder "nowhere"/],
] as const) {
  test(`a folder that cannot be tested is refused: ${folder}`, async () => {
    const { code, stdout, stderr } = await run(folder);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, reason);
  });
}

test("a file of tests is no tool", async () => {
  const { code, stderr } = await runCommand(["check", "good"], { cwd: root, env });
  assert.deepEqual([code, stderr], [0, '"good" is fine.\n']);
});

test("tests that are interrupted leave nothing behind", async () => {
  const { child, end } = startCommand(["test", "bad"], { cwd: root, env });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  assert.equal(readdirSync(scratch).length, 1);
  child.kill("SIGINT");
  const { code, stderr } = await end;
  assert.deepEqual([code, stderr, readdirSync(scratch)], [1, "Stopped.\n", []]);
  assert.ok(existsSync(path.join(root, "bad")));
});

test("only tests may call tools, and only where they are run as such", async () => {
  writeFiles(root, {
    "sly/sly.js": `import { call } from "toolcell/test";\n${toolFile("sly", 'const run = async () => (await call("math_evaluate", { expression: "1" })).text;')}`,
    "sly/sly.test.js":
      'import { assert, call, test } from "toolcell/test";\ntest("t", async () => assert.equal((await call("sly")).error?.code, "PERMISSION_DENIED"));\n',
  });
  const called = await runCommand(["call", "sly", "--capabilities", ".", "--json"], { cwd: root, env });
  const { error, effects } = JSON.parse(called.stdout) as { error: { code: string; message: string }; effects: unknown[] };
  assert.deepEqual([error.code, effects], ["PERMISSION_DENIED", [{ power: "tools", target: "call", state: "refused" }]]);
  assert.match(error.message, /Only the tests of a capability may call tools/);
  // Its tests may; it may not, though it is called by them.
  assert.equal((await run("sly")).code, 0);
});
