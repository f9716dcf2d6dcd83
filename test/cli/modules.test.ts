import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Outcome } from "toolcell";
import { echoModule, makeCommandAgent } from "./an-agent.ts";

const QUERY = {
  name: "myapi_query",
  description: "Send a query.\nAnd more about it.",
  input_schema: {
    type: "object",
    properties: {
      query: { type: "string", description: "What to search for." },
      limit: { type: "integer", description: "The most results.", default: 10 },
      unit: { enum: ["metric", "imperial"] },
      isExact: { type: "boolean" },
      json: { type: "boolean" },
      "$(touch pwned)": { type: "string" },
    },
    required: ["query"],
  },
};
const POST = { name: "myapi_post_all", description: "Send data.", parameters: { type: "object", properties: {} } };

const agent = makeCommandAgent({
  "myapi.js": echoModule([QUERY, POST]),
  "spoken.js": echoModule(
    [{ name: "spoken_word", description: "Says a word.", input_schema: { type: "object", properties: {} } }],
    "export const cliMain = (argv) => { if (argv[0] === 'fail') return 3; console.log('said ' + JSON.stringify(argv)); };",
  ),
});
after(() => agent[Symbol.dispose]());
const { run } = agent;

async function echoed(words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await run(words);
  assert.deepEqual([code, stderr], [0, ""]);
  return JSON.parse(stdout);
}

describe("a module's tool is called", () => {
  for (const [how, words, expected] of [
    ["as <module> <action> value --flag value", ["myapi", "query", "search term", "--limit", "3"], { query: "search term", limit: 3 }],
    ["by its whole name", ["myapi_query", "search term", "--unit", "metric"], { query: "search term", limit: 10, unit: "metric" }],
    ["with what looks like a flag as its text", ["myapi", "query", "--", "--json"], { query: "--json", limit: 10 }],
    ["with a name that is toolcell's own flag", ["myapi", "query", "x", "json=true"], { query: "x", limit: 10, json: true }],
    [
      "with a name that only JSON can write",
      ["myapi", "query", '{"query":"x","$(touch pwned)":"y"}'],
      { query: "x", "$(touch pwned)": "y", limit: 10 },
    ],
  ] as const) {
    test(how, async () => {
      assert.deepEqual(await echoed(["call", ...words]), { name: "myapi_query", args: expected });
    });
  }

  test("by an action in kebab-case", async () => {
    assert.deepEqual(await echoed(["call", "myapi", "post-all"]), { name: "myapi_post_all", args: {} });
  });

  test("not by an action that there is none of: exit 2, with those that there are, and as a field with --json", async () => {
    const { code, stdout, stderr } = await run(["call", "myapi", "qeury", "x"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^"myapi" has no action "qeury"; there is (?:query, post_all|post_all, query)\.$/mu);
    const asJson = await run(["call", "myapi", "qeury", "x", "--json"]);
    assert.deepEqual([asJson.code, asJson.stderr], [2, ""]);
    const { error } = JSON.parse(asJson.stdout) as { error: { code: string; message: string } };
    assert.equal(error.code, "USAGE");
    assert.match(error.message, /no action "qeury"/u);
  });

  test("not without its action", async () => {
    const { code, stderr } = await run(["call", "myapi"]);
    assert.equal(code, 2);
    assert.match(stderr, /"myapi" needs an action/u);
  });
});

describe("a module's own command line", () => {
  test("gets what names none of its actions, sealed, and what it prints is the text", async () => {
    const { code, stdout } = await run(["call", "spoken", "one", "--", "--help", "two words"]);
    assert.deepEqual([code, stdout], [0, 'said ["one","--help","two words"]\n']);
  });

  test("does not stand in the way of its actions", async () => {
    assert.deepEqual(await echoed(["call", "spoken", "word"]), { name: "spoken_word", args: {} });
  });

  test("that ends with another code than 0 is a failure, as a field with --json", async () => {
    const { code, stdout } = await run(["call", "spoken", "fail", "--json"]);
    const { ok, error } = JSON.parse(stdout) as Outcome;
    assert.deepEqual([code, ok], [1, false]);
    assert.ok(error !== null);
  });
});

describe("help from the schema", () => {
  test("of a tool says how each argument is written", async () => {
    const { code, stdout } = await run(["call", "myapi", "query", "--help"]);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: toolcell call myapi_query <query> \[arguments\]\n {7}toolcell call myapi query <query> \[arguments\]\n/u);
    assert.match(stdout, /^ {2}--limit <integer> {2}\(default 10\)\n {6}The most results\.$/mu);
    assert.match(stdout, /^ {2}--unit <metric\|imperial>$/mu);
    assert.match(stdout, /^ {2}--is-exact, --no-is-exact$/mu);
    assert.match(stdout, /^ {2}json=<true\|false>$/mu);
    assert.match(stdout, /^ {2}"\$\(touch pwned\)" {2}\(only in JSON\)$/mu);
  });

  test("of a module lists its actions, and says that it has a command line", async () => {
    const { stdout } = await run(["call", "spoken", "--help"]);
    assert.match(stdout, /^Usage: toolcell call spoken <action> \[arguments\]\n {7}toolcell call spoken \[words\]/u);
    assert.match(stdout, /^ {2}word\n {6}Says a word\.$/mu);
  });
});
