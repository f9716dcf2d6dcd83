import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAction } from "toolcell";

const READ: readonly (readonly [says: string, text: string, tool: string, args: object])[] = [
  ["a call alone", "ACTION: list_files()", "list_files", {}],
  ["a call between other lines", 'Let me see.\nACTION: find(query="main")\nI will check.', "find", { query: "main" }],
  ["a call after words on its line", 'I will now call ACTION: find(path=".")', "find", { path: "." }],
  ["a call in a code block", '```python\nACTION: find(path="src")\n```\n', "find", { path: "src" }],
  ["a call in Markdown's bold and code", "- **ACTION:** `find(all=true)`", "find", { all: true }],
  ["a call over several lines", 'ACTION: find(\n  path="a",\n  depth = 2,\n)', "find", { path: "a", depth: 2 }],
  ["Windows line ends", 'ACTION: find(a=1)\r\nand so on"', "find", { a: 1 }],
  ["a name with a hyphen", "ACTION: get-weather(user-agent='x')", "get-weather", { "user-agent": "x" }],
  ["an argument's name that needs quotes", "ACTION: find(\"two words\"=1, '\\u0301'=2)", "find", { "two words": 1, "\u0301": 2 }],
  [
    "commas, parentheses and equals signs in a string",
    'ACTION: sh(c="f(a, b=1) | ls -td x_* 2>/dev/null")',
    "sh",
    { c: "f(a, b=1) | ls -td x_* 2>/dev/null" },
  ],
  ["the other quotes in a string", `ACTION: sh(a="it's", b='"x"')`, "sh", { a: "it's", b: '"x"' }],
  ["escaped quotes", `ACTION: sh(a="say \\"hi\\"", b='it\\'s')`, "sh", { a: 'say "hi"', b: "it's" }],
  ["an ACTION inside a string", 'ACTION: say(text="ACTION: rm(all=True)")', "say", { text: "ACTION: rm(all=True)" }],
  ["escapes", String.raw`ACTION: say(t="a\nb\tc\\d\x41\u00e9\ud83d\ude00\U0001F600\/")`, "say", { t: "a\nb\tc\\dA\u00e9😀😀/" }],
  ["a backslash that escapes nothing", String.raw`ACTION: say(t="\d+\.\w C:\dir")`, "say", { t: String.raw`\d+\.\w C:\dir` }],
  ["a raw string", String.raw`ACTION: say(t=r"\bnew\n \"x")`, "say", { t: String.raw`\bnew\n \"x` }],
  ["three quotes around lines", `ACTION: say(t="""one\n"two" 'three'\n""", u='''a'b''')`, "say", { t: `one\n"two" 'three'\n`, u: "a'b" }],
  ["an empty string", `ACTION: say(t="", u='')`, "say", { t: "", u: "" }],
  ["a continued line", 'ACTION: say(t="a\\\nb")', "say", { t: "ab" }],
  [
    "numbers",
    "ACTION: n(a=0, b=-1, c=+2.5, d=1e3, e=.5, f=2., g=-0.25E-2)",
    "n",
    { a: 0, b: -1, c: 2.5, d: 1000, e: 0.5, f: 2, g: -0.0025 },
  ],
  ["the largest integer that is exact", "ACTION: n(a=9007199254740991)", "n", { a: 9_007_199_254_740_991 }],
  ["words of both languages", "ACTION: w(a=True, b=false, c=None, d=null)", "w", { a: true, b: false, c: null, d: null }],
  ["lists and objects", `ACTION: j(a=[1, "x", [], {'k': [None,]},], b={})`, "j", { a: [1, "x", [], { k: [null] }], b: {} }],
  ["a key that is no identifier", 'ACTION: j(a={"": 1, "a b": 2})', "j", { a: { "": 1, "a b": 2 } }],
  [
    "names that objects have by themselves",
    "ACTION: j(constructor=1, toString=2, a={'hasOwnProperty': 3})",
    "j",
    { constructor: 1, toString: 2, a: { hasOwnProperty: 3 } },
  ],
  ["other marks later on that are no calls", "ACTION: f(a=1)\nThat is my ACTION: done.", "f", { a: 1 }],
];
for (const [says, text, tool, args] of READ) {
  test(`is read: ${says}`, () => assert.deepEqual(parseAction(text), { ok: true, tool, args }));
}

const NONE: readonly (readonly [says: string, text: string])[] = [
  ["an empty reply", ""],
  ["a reply without the mark", 'I would call find(query="x").'],
  ["the mark in lower case", "Action: find(a=1)"],
  ["the end of another word", "REACTION: find(a=1)"],
  ["the mark within a sentence and no call after it", "Every ACTION: line has a call (see above)."],
  ["a call that is quoted within a line", 'The page says "ACTION: rm(all=True)" and I do not.'],
];
for (const [says, text] of NONE) {
  test(`is no call: ${says}`, () => assert.equal(parseAction(text), null));
}

const REFUSED: readonly (readonly [says: string, text: string, reason: RegExp])[] = [
  ["nothing after the mark", "ACTION: ", /ends before/],
  ["a name alone", "ACTION: search_code", /stands the name of a tool/],
  ["no parenthesis", "ACTION: search_code now", /stands the name of a tool/],
  ["a name with a dot", "ACTION: a.b(c=1)", /stands the name of a tool/],
  ["a name of more than 64 characters", `ACTION: ${"n".repeat(65)}(a=1)`, /at most 64/],
  ["no closing parenthesis", "ACTION: f(a=1", /ends before/],
  ["no value", "ACTION: f(a=)", /a value is missing, at `\)`/],
  ["a positional argument", 'ACTION: f("x")', /written with its name/],
  ["a positional argument after a named one", "ACTION: f(a=1, 2)", /written with its name, as name=value, at `2\)`/],
  ["unpacked arguments", 'ACTION: f(**{"a": 1})', /written with its name/],
  ["a call as a value", "ACTION: f(a=g(1))", /`g\(` is a call/],
  ["a call as an argument", "ACTION: f(g(a=1))", /written with its name/],
  ["a bare word as a value", "ACTION: f(a=Kyoto)", /`Kyoto` is no value: put a text into quotes/],
  ["a word that Python knows and JSON does not", "ACTION: f(a=NaN)", /`NaN` is no value/],
  ["a sum", 'ACTION: f(a="x" + "y")', /a comma or `\)` is missing/],
  ["strings side by side", 'ACTION: f(a=["x" "y"])', /a comma or `\]` is missing/],
  ["a missing quote", 'ACTION: f(a="x, b=1)', /no closing quote/],
  ["three quotes left open", 'ACTION: f(a="""x"")', /no closing quote/],
  ["a raw string that its last backslash keeps open", String.raw`ACTION: f(a=r"x\")`, /no closing quote/],
  ["a line break in a string", 'ACTION: f(a="x\ny")', /ends on its line/],
  ["a formatted string", 'ACTION: f(a=f"{x}")', /`f` before it/],
  ["bytes", 'ACTION: f(a=b"x")', /`b` before it/],
  ["a tuple", "ACTION: f(a=(1, 2))", /written in \[ and \]/],
  ["a set", 'ACTION: f(a={"x"})', /colon is missing after the key "x"/],
  ["an object with bare keys", "ACTION: f(a={x: 1})", /keys of an object are strings/],
  ["a colon for an equals sign", "ACTION: f(a: 1)", /written with its name/],
  ["two equals signs", "ACTION: f(a==1)", /a value is missing/],
  ["a name given twice", "ACTION: f(a=1, b=2, a=3)", /"a" is given twice/],
  ["a key given twice", "ACTION: f(a={'k': 1, 'k': 2})", /"k" is given twice/],
  ["`__proto__` given twice", "ACTION: f(__proto__=1, __proto__=2)", /"__proto__" is given twice/],
  ["two commas", "ACTION: f(a=1,, b=2)", /written with its name/],
  ["a comma alone", "ACTION: f(,)", /written with its name/],
  ["a wrong bracket", "ACTION: f(a=[1, 2))", /a comma or `\]` is missing/],
  ["words after the call", "ACTION: f(a=1) and then", /nothing may follow the call on its line, at `and then`/],
  ["a second call on its line", "ACTION: f(a=1) ACTION: g(b=2)", /nothing may follow/],
  ["a second call on another line", "ACTION: f(a=1)\nResult: 3\nACTION: g(b=2)", /more than one/],
  ["a number with underscores", "ACTION: f(a=1_000)", /is no number/],
  ["a hexadecimal number", "ACTION: f(a=0x1f)", /is no number/],
  ["a number with two points", "ACTION: f(a=1.2.3)", /is no number/],
  ["a sign alone", "ACTION: f(a=-)", /is no number/],
  ["a leading zero", "ACTION: f(a=007)", /does not begin with 0/],
  ["a number past what is finite", "ACTION: f(a=1e999)", /too large or too small/],
  ["a number that would become 0", "ACTION: f(a=1e-999)", /too large or too small/],
  ["an integer that would become another", "ACTION: f(a=9007199254740993)", /more digits than can be kept/],
  ["an escape of another kind of number", String.raw`ACTION: f(a="\1")`, /`\\1` is no escape here/],
  ["an escape cut short", String.raw`ACTION: f(a="\u12")`, /takes 4 hexadecimal digits/],
  ["an escape past Unicode", String.raw`ACTION: f(a="\UFFFFFFFF")`, /takes 8 hexadecimal digits/],
];
for (const [says, text, reason] of REFUSED) {
  test(`is refused whole: ${says}`, () => {
    const action = parseAction(text);
    assert.equal(action?.ok, false);
    assert.match(action.reason, reason);
    assert.match(action.reason, /^The ACTION was not run: .*\. Write it whole again, as ACTION: tool_name/);
  });
}

test("a name that would be a prototype is a name like any other", () => {
  const action = parseAction('ACTION: f(__proto__={"__proto__": {"polluted": true}})');
  assert.ok(action?.ok);
  assert.deepEqual(Object.keys(action.args), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(action.args), Object.prototype);
  assert.equal("polluted" in {}, false);
});

test("a reason quotes a reply on one line, short, and without what a terminal would obey", () => {
  const action = parseAction(`ACTION: f(a=\u001b[31m${"x".repeat(5000)}\n\nACTION: g()`);
  assert.ok(action?.ok === false);
  assert.ok(action.reason.length < 300);
  assert.doesNotMatch(action.reason, /[\n\u001b]/);
});

test("only a string can be read, and only limits that there are", () => {
  assert.throws(() => parseAction(undefined as unknown as string), {
    name: "TypeError",
    message: "parseAction takes a model's reply as a string",
  });
  assert.throws(() => parseAction("", { depthCount: Infinity }), RangeError);
  assert.throws(() => parseAction("", { argumentBytes: Number.NaN }), RangeError);
});
