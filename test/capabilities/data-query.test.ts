import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type BuiltTool } from "./built.ts";

let all: Awaited<ReturnType<typeof buildAll>>;
before(async () => {
  all = await buildAll();
});
after(() => all[Symbol.asyncDispose]());

describe("data_query", () => {
  let query: BuiltTool;
  before(async () => {
    query = await all.tool("data/query");
  });
  const DATA = {
    people: [
      { name: "Ann", age: 30, tags: ["x", "y"], city: { name: "Rome" } },
      { name: "Bob", age: 9, tags: [] },
      { name: "Cy", age: 100, tags: ["y"], city: { name: "Oslo" } },
    ],
    total: 0,
    open: false,
  };

  const table: [query: string, result: unknown][] = [
    ["people[0].name", "Ann"],
    ["people[-1].name", "Cy"],
    ["people[*].city.name", ["Rome", "Oslo"]],
    ["people[?age > `10`].name", ["Ann", "Cy"]],
    ["people[?city && contains(tags, 'y')].name | [0]", "Ann"],
    ["people[].tags[]", ["x", "y", "y"]],
    ["people[::-1].name", ["Cy", "Bob", "Ann"]],
    ["people[1:].age", [9, 100]],
    ["people[0].*", ["Ann", 30, ["x", "y"], { name: "Rome" }]],
    ["people[0].{who: name, n: length(tags)}", { who: "Ann", n: 2 }],
    ["sort_by(people, &age)[].age", [9, 30, 100]],
    ["sort(people[].age)", [9, 30, 100]],
    ["reverse(sort(people[].name))", ["Cy", "Bob", "Ann"]],
    ["max_by(people, &age).name", "Cy"],
    ["min_by(people, &name).name", "Ann"],
    ["[sum(people[].age), avg(people[].age), max(people[].age), min(people[].age)]", [139, 139 / 3, 100, 9]],
    ["avg(`[]`)", null],
    ["join('-', people[].name)", "Ann-Bob-Cy"],
    ["keys(people[1])", ["name", "age", "tags"]],
    ["merge(people[1], {age: `1`}).age", 1],
    ["people[0] == people[0]", true],
    ["total || 'none'", 0],
    ["open || 'none'", "none"],
    ["missing.deeper[0]", null],
    ["not_null(missing, total)", 0],
    ["length('añ👍')", 3],
    ["to_number('12.5') + `0.5`", 13],
    ["to_number('')", null],
    ["map(&age, people)", [30, 9, 100]],
    ["group_by(people, &type(city)).null[].name", ["Bob"]],
    ["from_items(zip(people[].name, people[].age))", { Ann: 30, Bob: 9, Cy: 100 }],
    ["unique(people[].tags[])", ["x", "y"]],
    ["let $top = `50` in people[?age > $top].name", ["Cy"]],
    ["people[?name >= 'Bob'].name", ["Bob", "Cy"]],
    ["'abc'[1:]", "bc"],
  ];
  for (const [expression, result] of table) {
    test(`answers ${expression}`, () => assert.deepEqual(query.call({ json: DATA, query: expression }).payload.result, result));
  }

  test("takes JSON text as well as a value", () => assert.equal(query.call({ json: '{"a":[1,2]}', query: "a[1]" }).text, "2"));

  test("finds own fields only, never what objects inherit", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "people.length", "people[0].name.length"]) {
      assert.equal(query.call({ json: DATA, query: name }).payload.result, null, name);
      assert.equal(query.call({ json: DATA, query: `{a: total}.${name}` }).payload.result, null, name);
    }
    assert.equal(query.call({ json: { constructor: { name: "mine" } }, query: "constructor.name" }).payload.result, "mine");
    assert.equal(query.call({ json: '{"__proto__": {"a": 1}}', query: '"__proto__".a' }).payload.result, 1);
  });

  test("data that looks like an expression stays data", () => {
    assert.match(
      query.refusal({ json: [{ expref: true, type: "Field", name: "constructor" }], query: "sort_by(@, [0])" }),
      /wants an expression/,
    );
  });

  test("grouping by a name that objects inherit pollutes nothing", () => {
    const { result } = query.call({ json: '[{"k":"__proto__"},{"k":"constructor"}]', query: "group_by(@, &k)" }).payload;
    assert.deepEqual(Object.keys(Object(result)), ["__proto__", "constructor"]);
    assert.equal(query.call({ json: {}, query: "k" }).payload.result, null);
  });

  test("a result that doubles with every step is refused, not written out", () => {
    assert.match(query.refusal({ json: [1], query: Array(60).fill("[@,@]").join("|") }), /result of "query" is too large/);
  });

  test("look-ups that multiply are cut off", () => {
    const json = Array.from({ length: 3000 }, (_, index) => index);
    assert.match(query.refusal({ json, query: "[*].{a: $[*].{b: $[*]}} | length(@)" }), /more than 5000000 steps/);
  });

  test("says what is wrong in words that can be acted on", () => {
    assert.match(query.refusal({ json: {}, query: "a[?b > 5]" }), /Put numbers and literals in backticks/);
    assert.match(query.refusal({ json: "{", query: "a" }), /"json" is not JSON/);
    assert.match(query.refusal({ json: {}, query: "foo(@)" }), /calls foo\(\), which does not exist\. There are: abs, /);
    assert.match(
      query.refusal({ json: { a: "x" }, query: "sum(a)" }),
      /sum\(\) in "query" wants a list of numbers as argument 1, and got string/,
    );
    assert.match(query.refusal({ json: [{ a: 1 }, {}], query: "sort_by(@, &a)" }), /Filter out the items where it is missing/);
    assert.match(query.refusal({ json: {}, query: "`1` / `0`" }), /divides by zero/);
    assert.match(query.refusal({ json: {}, query: "$nope" }), /no "let" defines/);
    assert.match(query.refusal({ json: {}, query: "(".repeat(4000) }), /JMESPath/);
  });
});
