import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import type { Outcome } from "toolcell";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { canSeeProcesses, commandOf, keeperPids, until } from "../support/processes.ts";
import { makeCommandHome } from "./a-home.ts";

const SCHEMA = `{ type: "object", additionalProperties: false, properties: {
  place: { type: "string" }, days: { type: "integer" }, share: { type: "number" }, metric: { type: "boolean" }, nothing: { type: "null" },
  tags: { type: "array", items: { type: "string" } }, counts: { type: "array", items: { type: "integer" } },
  options: { type: "object" }, any: {}, maxResults: { type: "integer" }, start_date: { type: "string" }, json: { type: "string" } } }`;

const { root, run, start } = makeCommandHome({
  "demo/echo.js": toolFile("echo", "const run = (context, args) => ({ text: JSON.stringify(args), summary: 'echoed', payload: args });", {
    schema: SCHEMA,
  }),
  "demo/lines.js": toolFile("lines", "const run = (context, { text }) => text;"),
  "demo/refuse.js": toolFile("refuse", "const run = () => { throw new ToolError('No such place. Check the spelling.'); };"),
  "demo/never.js": toolFile(
    "never",
    "const run = (context) => { console.log('begun'); context.progress(0.5, 'half'); return new Promise(() => {}); };",
  ),
  "demo/chatty.js": toolFile(
    "chatty",
    "const run = (context) => { console.log('to the log'); console.error('to the log'); context.progress(0.5, 'half'); return 'said'; };",
  ),
});
writeFiles(root, { "note.txt": "from a file\n", "args.json": '{"place":"file"}' });

describe("the arguments of `call` may be given", () => {
  for (const [how, words, expected, input] of [
    ["as nothing", [], {}],
    ["as one JSON object", ['{"place":"Kyoto","days":2}'], { place: "Kyoto", days: 2 }],
    ["as JSON from stdin", ["-"], { place: "stdin" }, '{"place":"stdin"}'],
    ["as name=value", ["place=Kyoto", "days=2"], { place: "Kyoto", days: 2 }],
    ["as --name value", ["--place", "Kyoto", "--days", "2"], { place: "Kyoto", days: 2 }],
    ["as --name=value", ["--place=Kyoto", "--days=-2"], { place: "Kyoto", days: -2 }],
    ["as a mixture, where the last one counts", ['{"place":"a","days":1}', "place=b", "--place", "c"], { place: "c", days: 1 }],
    ["as text with = and spaces in it", ["place=a = b"], { place: "a = b" }],
    ["as empty text", ["place="], { place: "" }],
    ["as digits where text is wanted", ["place=42", "--start_date", "2024"], { place: "42", start_date: "2024" }],
    ["as numbers", ["days=3", "share=0.5"], { days: 3, share: 0.5 }],
    ["as a switch that is on", ["--metric", "--place", "Kyoto"], { metric: true, place: "Kyoto" }],
    ["as a switch that is off", ["--no-metric"], { metric: false }],
    ["as a boolean in words", ["--metric", "false"], { metric: false }],
    ["as a boolean's value", ["metric=true"], { metric: true }],
    ["as null", ["nothing=null"], { nothing: null }],
    ["as a list, by repetition", ["--tags", "a", "--tags", "b", "counts=1", "counts=2"], { tags: ["a", "b"], counts: [1, 2] }],
    ["as a list, in JSON", ['tags=["a","b"]'], { tags: ["a", "b"] }],
    ["as an object, in JSON", ['options={"deep":{"er":1}}'], { options: { deep: { er: 1 } } }],
    ["as JSON or text where the schema leaves it open", ["any=[1]"], { any: [1] }],
    ["as text where it is no JSON", ["any=hello"], { any: "hello" }],
    ["in kebab-case for camelCase and snake_case", ["--max-results", "5", "--start-date", "today"], { maxResults: 5, start_date: "today" }],
    ["as a file's text", ["place=@note.txt"], { place: "from a file\n" }],
    ["as a value from stdin", ["--place", "-"], { place: "piped in" }, "piped in"],
    ["as text that begins with @", ["place=@@home"], { place: "@home" }],
    ["as the name of a common flag, with =", ["json=mine"], { json: "mine" }],
    ["as the name of a common flag, after --", ["--", "--json", "mine"], { json: "mine" }],
  ] as const) {
    test(how, async () => {
      const { code, stdout, stderr } = await run(["call", "echo", ...words], { input: input ?? "" });
      assert.deepEqual([code, stderr], [0, ""]);
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  }
});

describe("a command line that cannot be followed is exit 2, with a sentence and nothing on stdout:", () => {
  for (const [what, words, says] of [
    ["no tool", ["call"], /needs the tool to call/u],
    ["a word that is no argument", ["call", "echo", "Kyoto"], /"Kyoto" is no argument: write name=value/u],
    ["a number that is none", ["call", "echo", "--days", "many"], /"--days" must be an integer, and "many" is not/u],
    ["a name that is no argument's", ["call", "echo", "colour=red"], /no argument "colour"; there is --place, --days/u],
    ["a flag that is no argument's", ["call", "echo", "--colour", "red"], /no argument "--colour"; there is --place, --days/u],
    ["a flag in place of a value", ["call", "echo", "--place", "--metric"], /"--place" needs a value: .* --place=--metric/u],
    ["JSON that is none", ["call", "echo", "{place}"], /JSON cannot be read/u],
    ["a flag without its value", ["call", "echo", "--place"], /"--place" needs a value/u],
    ["a file that is not there", ["call", "echo", "place=@gone.txt"], /"gone\.txt" cannot be read \(ENOENT\)/u],
    ["an object that is no JSON", ["call", "echo", "options={"], /JSON cannot be read/u],
    ["a time that is none", ["call", "echo", "--timeout", "soon"], /"soon" is no time: write 500ms, 30s or 2m/u],
    ["a time of nothing", ["call", "echo", "--timeout", "0s"], /"0s" is no time/u],
    ["a time without end", ["call", "echo", "--timeout", "999h"], /`timeoutMs` must be from/u],
    ["a common flag without its value", ["call", "echo", "--home"], /"--home" needs a value/u],
  ] as const) {
    test(what, async () => {
      const { code, stdout, stderr } = await run(words);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assert.match(stderr, says);
      assert.match(stderr, /`toolcell --help`/u);
      assert.doesNotMatch(stderr, /\n\s+at /u);
    });
  }

  test("JSON from stdin that is no object", async () => {
    const { code, stderr } = await run(["call", "echo", "-"], { input: "[1]" });
    assert.equal(code, 2);
    assert.match(stderr, /must be a JSON object/u);
  });
});

describe("`call` tells how it went:", () => {
  test("the text of a tool that went well is all there is on stdout", async () => {
    const { code, stdout, stderr } = await run(["call", "chatty"]);
    assert.deepEqual([code, stdout, stderr], [0, "said\n", ""]);
  });

  test("a text that ends its last line gets no second line feed", async () => {
    assert.equal((await run(["call", "lines", "text=@note.txt"])).stdout, "from a file\n");
  });

  test("a tool that failed is exit 1, its text on stderr", async () => {
    const { code, stdout, stderr } = await run(["call", "refuse"]);
    assert.deepEqual([code, stdout, stderr], [1, "", "refuse failed: No such place. Check the spelling.\n"]);
  });

  test("a JSON object that does not fit is exit 1, with every fault", async () => {
    const { code, stdout, stderr } = await run(["call", "echo", '{"days":"many","colour":"red"}']);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /`days` must be an integer, not a string/u);
    assert.match(stderr, /must not have `colour`/u);
  });

  test("a tool that there is none of is exit 1, with those that there are", async () => {
    const { code, stdout, stderr } = await run(["call", "ecko", "a=1"]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /no tool "ecko"\. There is: .*\becho\b/u);
  });

  test("--json prints the whole outcome, whether it went well or not", async () => {
    const good = await run(["call", "echo", "place=Kyoto", "--json"]);
    const { ok, text, summary, payload, error } = JSON.parse(good.stdout) as Outcome;
    assert.deepEqual([good.code, ok, text, summary, payload, error], [0, true, '{"place":"Kyoto"}', "echoed", { place: "Kyoto" }, null]);
    const bad = await run(["--json", "call", "refuse"]);
    const failed = JSON.parse(bad.stdout) as Outcome;
    assert.deepEqual([bad.code, failed.error?.code, bad.stderr], [1, "TOOL_ERROR", ""]);
  });

  test("a call that takes longer than --timeout is exit 1", async () => {
    const { code, stderr } = await run(["call", "never", "--timeout", "1500ms"]);
    assert.equal(code, 1);
    assert.match(stderr, /did not end within 1500 ms/u);
  });

  test("what the tool logs goes to the owner's log alone", async () => {
    const { stdout, stderr } = await run(["call", "chatty"]);
    assert.ok(!`${stdout}${stderr}`.includes("to the log"));
  });
});

test("`call <tool> --help` lists the tool's arguments", async () => {
  const { code, stdout } = await run(["call", "math_evaluate", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: toolcell call math_evaluate/u);
  assert.match(stdout, /^ {2}<expression> {2}\(string, required\)$/mu);
  assert.match(stdout, /^ {2}--variables <json> {2}\(default \{\}\)$/mu);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(
    `${signal} during a call ends it as given up: exit 1, and no process stays behind`,
    { skip: canSeeProcesses ? false : "processes cannot be seen here" },
    async () => {
      const logs = path.join(root, `home-${signal}`);
      const { child, end } = start(["call", "never", "--home", logs, "--capabilities", path.join(root, "home", "capabilities")]);
      const pid = child.pid ?? assert.fail("no process");
      const { readFileSync, existsSync } = await import("node:fs");
      const file = path.join(logs, "logs", "engine.jsonl");
      await until(() => existsSync(file) && readFileSync(file, "utf8").includes("begun"));
      const keepers = keeperPids(pid);
      assert.ok(keepers.length > 0);
      child.kill(signal);
      const { code, stdout, stderr } = await end;
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.match(stderr, /never failed: The caller gave it up/u);
      await until(() => keepers.every((keeper) => !commandOf(keeper).includes("keeper.cjs")));
    },
  );
}
