import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeCommandHome } from "./a-home.ts";

const { run } = makeCommandHome({
  "demo/index.js": 'export const LABEL = "Demo"; export const PERMISSIONS = { storage: true };',
  "demo/one.js": toolFile("one", "const run = () => 'said';"),
  "works/index.js": 'export const LABEL = "Works"; export const RUNTIME = "worker";',
  "works/two.js": toolFile("two", "const run = () => 'said';"),
});

describe("with --json a command says what came of it in JSON, and nothing else:", () => {
  for (const [words, expected, input] of [
    [["disable", "demo"], { capability: "demo", enabled: false }],
    [["enable", "demo"], { capability: "demo", enabled: true }],
    [["trust", "works"], { capability: "works", trusted: true }],
    [["untrust", "works"], { capability: "works", trusted: false }],
    [["grant", "demo", "--yes"], { capability: "demo", granted: { storage: true } }],
    [["revoke", "demo"], { capability: "demo", granted: {} }],
    [["secret", "set", "A_KEY"], { name: "A_KEY", set: true }, "a value of its own"],
    [["secret", "list"], [{ name: "A_KEY", usedBy: [] }]],
    [["secret", "remove", "A_KEY"], { name: "A_KEY", removed: true }],
    [["new", "made-here"], { made: "made-here", tool: "made_here_greet" }],
  ] as const) {
    test(words.join(" "), async () => {
      const { code, stdout } = await run([...words, "--json"], { input: input ?? "" });
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  }
});

describe("with --json a command that fails says so as a field, on stdout:", () => {
  for (const [words, exit, code] of [
    [["enable", "nothing"], 1, "UNKNOWN_CAPABILITY"],
    [["grant", "nothing", "--yes"], 1, "UNKNOWN_CAPABILITY"],
    [["grant", "math", "--yes"], 1, "ASKS_NOTHING"],
    [["new", "demo-1", "demo-2"], 2, "USAGE"],
    [["new", "home"], 1, "EXISTS"],
    [["test", "nowhere"], 1, "NO_FOLDER"],
    [["secret", "set", "A KEY"], 1, "EINVAL"],
    [["call"], 2, "USAGE"],
    [["call", "one", "--timeout", "soon"], 2, "USAGE"],
    [["nothing"], 2, "USAGE"],
    [["tools", "--colour"], 2, "USAGE"],
    [["completion", "tcsh"], 2, "USAGE"],
  ] as const) {
    test(words.join(" "), async () => {
      const { code: exitCode, stdout, stderr } = await run([...words, "--json"], { input: "a value of its own" });
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      assert.deepEqual([exitCode, error.code], [exit, code]);
      assert.ok(error.message.length > 10);
      assert.doesNotMatch(stderr, /toolcell --help|\n\s+at /u);
    });
  }
});

test("a tool's own --json, after --, asks for no JSON", async () => {
  const { code, stdout, stderr } = await run(["call", "one", "--", "--json"]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /"--json" needs a value/u);
});
