import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../src/catalogue/json.ts";
import { readArguments } from "../../src/cli/arguments/read-arguments.ts";
import { UsageError } from "../../src/cli/command-line.ts";

const QUERY: JsonObject = {
  type: "object",
  properties: {
    limit: { type: "integer", default: 10 },
    query: { type: "string" },
    unit: { enum: ["metric", "imperial", 3, null] },
    ratio: { type: "number" },
    isExact: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    counts: { type: "array", items: { type: "integer" } },
    to: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    note: { type: ["string", "null"] },
    size: { type: ["integer", "string"] },
    filter: {
      type: "object",
      properties: {
        name: { type: "string" },
        maxAge: { type: "integer" },
        isOpen: { type: "boolean" },
        tags: { type: "array", items: { type: "string" } },
        range: { type: "object", properties: { from: { type: "number" } } },
      },
    },
    meta: { type: "object" },
    timeout: { type: "integer" },
  },
  required: ["query"],
};

async function read(words: readonly string[], schema: JsonObject = QUERY): Promise<unknown> {
  const at = words.indexOf("--");
  const firstLiteral = at < 0 ? words.length : at;
  const args = await readArguments({ words: words.filter((_, index) => index !== at), firstLiteral }, schema);
  return JSON.parse(JSON.stringify(args));
}

describe("words are read by the schema:", () => {
  for (const [what, words, expected] of [
    ["the first required text stands by itself", ["search term", "--limit", "10"], { query: "search term", limit: 10 }],
    ["it may come after the flags", ["--limit", "10", "search term"], { query: "search term", limit: 10 }],
    ["it may be a number's text", ["42"], { query: "42" }],
    ["it may be a negative number's text", ["-5"], { query: "-5" }],
    ["it is taken as it is, whatever it begins with", ["@/etc/hostname"], { query: "@/etc/hostname" }],
    ["it may have = in it", ["a=b"], { query: "a=b" }],
    ["it may be given by name", ["query=x", "limit=3"], { query: "x", limit: 3 }],
    ["it may begin with anything after --", ["--limit", "2", "--", "--limit 3"], { limit: 2, query: "--limit 3" }],
    ["it may be a brace after --", ["--", "{x"], { query: "{x" }],
    ["it may be - after --", ["--", "-"], { query: "-" }],
    ["once it is there, -- still lets a tool's flags be read", ["x", "--", "--timeout", "5"], { query: "x", timeout: 5 }],
    ["a value that stands after -- is taken as it is", ["x", "--note", "--", "--draft"], { query: "x", note: "--draft" }],
    ["a name of toolcell's own flags is reached by name=value", ["x", "timeout=5"], { query: "x", timeout: 5 }],
    ["camelCase is kebab-case", ["x", "--is-exact"], { query: "x", isExact: true }],
    ["a name may be written as the schema does", ["x", "--isExact"], { query: "x", isExact: true }],
    ["a switch does not take the word after it", ["--is-exact", "x"], { isExact: true, query: "x" }],
    ["a switch may be denied", ["x", "--no-is-exact"], { query: "x", isExact: false }],
    ["a listed value", ["x", "--unit", "imperial"], { query: "x", unit: "imperial" }],
    ["a listed number", ["x", "--unit", "3"], { query: "x", unit: 3 }],
    ["a listed null", ["x", "--unit=null"], { query: "x", unit: null }],
    ["a list by repetition", ["x", "--tags", "a", "--tags", "b,c"], { query: "x", tags: ["a", "b,c"] }],
    ["a list of integers", ["x", "--counts", "1", "--counts", "-2"], { query: "x", counts: [1, -2] }],
    ["a list as JSON, and one more", ["x", "--counts", "[1,2]", "--counts", "3"], { query: "x", counts: [1, 2, 3] }],
    ["one or a list: one", ["x", "--to", "a"], { query: "x", to: "a" }],
    ["one or a list: two", ["x", "--to", "a", "--to", "b"], { query: "x", to: ["a", "b"] }],
    ["null where it may be null", ["x", "--note", "null"], { query: "x", note: null }],
    ["a number or a text: a number", ["x", "--size", "12"], { query: "x", size: 12 }],
    ["a number or a text: a text", ["x", "--size", "12px"], { query: "x", size: "12px" }],
    ["a number with an exponent", ["x", "--ratio", "-1.5e3"], { query: "x", ratio: -1500 }],
    ["an object as JSON", ["x", "--filter", '{"name":"n"}'], { query: "x", filter: { name: "n" } }],
    ["an object by its parts", ["x", "--filter.name", "n", "--filter.max-age", "3"], { query: "x", filter: { name: "n", maxAge: 3 } }],
    ["an object by its parts, deeper", ["x", "--filter.range.from=0.5"], { query: "x", filter: { range: { from: 0.5 } } }],
    ["a switch in an object", ["x", "--no-filter.is-open"], { query: "x", filter: { isOpen: false } }],
    ["a list in an object", ["x", "--filter.tags", "a", "--filter.tags", "b"], { query: "x", filter: { tags: ["a", "b"] } }],
    ["JSON and a part of it", ["x", '--filter={"name":"n"}', "filter.max-age=4"], { query: "x", filter: { name: "n", maxAge: 4 } }],
    ["an open object by parts of any name", ["x", "--meta.a.b", "1"], { query: "x", meta: { a: { b: 1 } } }],
    ["the last of two", ["x", "--limit", "1", "--limit", "2"], { query: "x", limit: 2 }],
    ["JSON, and a flag over it", ['{"query":"j","limit":1}', "--limit", "2"], { query: "j", limit: 2 }],
  ] as const) {
    test(what, async () => {
      assert.deepEqual(await read(words), expected);
    });
  }
});

describe("what cannot be read is said with the name that was written:", () => {
  for (const [what, words, says] of [
    ["an integer", ["--limit", "many"], /^"--limit" must be an integer, and "many" is not$/u],
    ["an integer with a fraction", ["limit=2.5"], /^"limit" must be an integer, and "2.5" is not$/u],
    ["a hexadecimal", ["--limit", "0x10"], /^"--limit" must be an integer/u],
    ["an empty number", ["--limit="], /^"--limit" must be an integer, and "" is not$/u],
    ["an integer that no number keeps", ["--limit", "9007199254740993"], /^"--limit" cannot be 9007199254740993: /u],
    ["a number that no number keeps", ["--ratio", "1e400"], /^"--ratio" cannot be 1e400: /u],
    ["a listed value", ["--unit", "feet"], /^"--unit" must be one of "metric", "imperial", 3, null, and "feet" is not$/u],
    ["a boolean", ["--is-exact=perhaps"], /^"--is-exact" must be true or false, and "perhaps" is not$/u],
    ["an item", ["--counts", "x"], /^"--counts" must be an integer, and "x" is not$/u],
    ["an object", ["--filter", "n"], /^"--filter" takes a JSON object, or one of its values as --filter\.name value$/u],
    ["an object's part", ["--filter.max-age", "old"], /^"--filter\.max-age" must be an integer/u],
    ["an object's part of no such name", ["--filter.colour", "red"], /^There is no argument "--filter\.colour"/u],
    ["broken JSON", ["--filter", "{n"], /^"--filter" takes JSON, and this JSON cannot be read: /u],
    ["a flag that there is none of", ["--limt", "3"], /^There is no argument "--limt"; there is --limit, --query, /u],
    ["a short flag", ["-l", "3"], /^There is no flag "-l": flags are written --name/u],
    ["a second bare word", ["x", "y"], /^"y" is no argument/u],
    ["a long word", ["--limit", "9".repeat(5000)], /^"--limit" cannot be 9{60}…: /u],
    ["no value at the end", ["--limit"], /^Flag "--limit" needs a value$/u],
  ] as const) {
    test(what, async () => {
      await assert.rejects(read(words), (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, says);
        return true;
      });
    });
  }
});

describe("a stranger's schema", () => {
  test("reaches each of two names that a flag would write alike, by the names as they are", async () => {
    const schema: JsonObject = { type: "object", properties: { maxResults: { type: "integer" }, max_results: { type: "integer" } } };
    assert.deepEqual(await read(["--maxResults", "1", "--max_results", "2"], schema), { maxResults: 1, max_results: 2 });
    await assert.rejects(read(["--max-results", "1"], schema), /stands for more than one argument: write "maxResults" or "max_results"/u);
  });

  test("has no prototype to reach", async () => {
    const schema: JsonObject = { type: "object", properties: { meta: { type: "object" } } };
    const args = await readArguments({ words: ['{"meta":{}}', "--meta.__proto__.polluted", "yes"], firstLiteral: 3 }, schema);
    assert.equal((args["meta"] as { polluted?: unknown }).polluted, undefined);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    await assert.rejects(read(["--constructor", "x"], schema), UsageError);
    await assert.rejects(read(["toString=x"], schema), UsageError);
  });

  test("may refer to itself, and to one part from everywhere, and is read in no time", async () => {
    const layers = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, { anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/d${at + 1}` })) }]),
    );
    const schema: JsonObject = {
      type: "object",
      properties: { node: { $ref: "#/$defs/node" }, wide: { $ref: "#/$defs/d0" } },
      $defs: {
        ...layers,
        d40: { type: "integer" },
        node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } } },
      },
    };
    const before = performance.now();
    assert.deepEqual(await read(["--node.next.next.name", "x", "--wide", "3"], schema), {
      node: { next: { next: { name: "x" } } },
      wide: 3,
    });
    assert.ok(performance.now() - before < 1000);
  });

  test("that takes any name is given any", async () => {
    assert.deepEqual(await read(["--anything", "1", "other=text"], { type: "object" }), { anything: 1, other: "text" });
    const open: JsonObject = { type: "object", properties: { known: { type: "string" } }, additionalProperties: { type: "integer" } };
    assert.deepEqual(await read(["--known", "1", "--other", "2"], open), { known: "1", other: 2 });
  });

  test("whose text is only one of its kinds keeps digits that a number would lose", async () => {
    const schema: JsonObject = { type: "object", properties: { id: { type: ["integer", "string"] }, any: {} } };
    assert.deepEqual(await read(["--id", "9007199254740993", "--any", "9007199254740993"], schema), {
      id: "9007199254740993",
      any: "9007199254740993",
    });
  });
});
