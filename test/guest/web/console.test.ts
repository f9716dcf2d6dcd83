import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";
import { outcomeOf } from "./a-guest.ts";

async function linesOf(body: string): Promise<string[]> {
  const { error, text, log } = await outcomeOf(body);
  assert.equal(error, null, text);
  return log.map(({ level, message }) => `${level}: ${message}`);
}

test("console writes to the owner's log: levels, formats, groups, counts, times", async () => {
  const lines = await linesOf(`
    console.log("a", 1, { b: [2] }); console.debug("d"); console.info("i"); console.warn("w"); console.error(new TypeError("broken").message); console.trace("t");
    console.log("%s is %d, %i, %f%% %c%o %O", "x", "42.9px", 7.8, "1.5", "color: red", { a: 1 }, [2], "more"); console.log("%s", Symbol("s")); console.log("100%", 5); console.log("%d", {});
    console.group("outer"); console.log("inner"); console.group(); console.log("deep", 1); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log("out");
    console.count(); console.count("x"); console.count(); console.countReset(); console.count(); console.countReset("none");
    console.assert(true, "no"); console.assert(false, "yes", 1); console.assert(false); console.timeEnd("none"); console.time("t"); console.time("t"); console.table([{ a: 1 }]); console.dir({ a: 1 }, {}); console.log();`);
  assert.deepEqual(lines, [
    'info: a 1 {"b":[2]}',
    "debug: d",
    "info: i",
    "warn: w",
    "error: broken",
    "debug: Trace t",
    'info: x is 42, 7, 1.5% {"a":1} [2] more',
    "info: Symbol(s)",
    "info: 100% 5",
    "info: NaN",
    "info: outer",
    "info:   inner",
    "info:     deep 1",
    "info: out",
    "info: default: 1",
    "info: x: 1",
    "info: default: 2",
    "info: default: 1",
    'warn: There is no count "none"',
    "error: Assertion failed: yes 1",
    "error: Assertion failed",
    'warn: There is no timer "none"',
    'warn: The timer "t" runs already',
    'info: [{"a":1}]',
    'info: {"a":1}',
  ]);
});

test("a call is not indented, and not counted, by the one before", async () => {
  const body = "console.count(); console.group('left open'); return 1;";
  await using made = await makeEngine({ "web/go.js": toolFile("go", `async function run() { ${body} }`) });
  await made.engine.call("go", {});
  await made.engine.call("go", {});
  assert.deepEqual(
    made.log.map(({ message }) => message),
    ["default: 1", "left open", "default: 1", "left open"],
  );
});

test("a time is logged in whole milliseconds", async () => {
  const lines = await linesOf(`console.time(); console.timeLog("default", "so far", 1); console.timeEnd(); console.timeEnd();`);
  assert.match(lines[0] ?? "", /^info: default: \d+ms so far 1$/u);
  assert.match(lines[1] ?? "", /^info: default: \d+ms$/u);
  assert.equal(lines[2], 'warn: There is no timer "default"');
});

test("what a listener throws, and what is reported, stands in the owner's log", async () => {
  const lines = await linesOf(
    `const t = new EventTarget(); t.addEventListener("a", () => { throw new RangeError("in a listener"); }); t.dispatchEvent(new Event("a")); reportError(new TypeError("reported"));`,
  );
  assert.deepEqual(
    lines.map((line) => line.split("\n")[0]),
    ["error: RangeError: in a listener", "error: TypeError: reported"],
  );
});

test("a format that throws where it is read, or is as large as memory, harms nobody", async () => {
  const lines = await linesOf(
    `console.log("%s %d", { toString() { throw new Error("mine"); } }, { valueOf() { throw 1; } }); console.log("%s".repeat(100000), ..."ab"); return 1;`,
  );
  assert.match(lines[0] ?? "", /^info: NaN NaN$/u);
  assert.match(lines[1] ?? "", /^info: ab%s/u);
  assert.ok((lines[1] ?? "").length <= 4010);
});
