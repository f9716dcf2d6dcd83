import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type BuiltTool } from "./built.ts";

let all: Awaited<ReturnType<typeof buildAll>>;
before(async () => {
  all = await buildAll();
});
after(() => all[Symbol.asyncDispose]());

describe("text_stats", () => {
  let stats: BuiltTool;
  before(async () => {
    stats = await all.tool("text/stats");
  });

  const table = [
    { text: "", characters: 0, codePoints: 0, utf8Bytes: 0, words: 0, sentences: 0, lines: 0, paragraphs: 0 },
    { text: "one", characters: 3, codePoints: 3, utf8Bytes: 3, words: 1, sentences: 1, lines: 1, paragraphs: 1 },
    { text: "a\r\nb\r\n", characters: 4, codePoints: 6, utf8Bytes: 6, words: 2, sentences: 1, lines: 2, paragraphs: 1 },
    { text: "👍🏽é", characters: 2, codePoints: 3, utf8Bytes: 10, words: 1, sentences: 1, lines: 1, paragraphs: 1 },
    {
      text: "A sentence that\nis wrapped. Another!\n\nNew one.",
      characters: 46,
      codePoints: 46,
      utf8Bytes: 46,
      words: 8,
      sentences: 3,
      lines: 4,
      paragraphs: 2,
    },
    { text: "\n\n\n", characters: 3, codePoints: 3, utf8Bytes: 3, words: 0, sentences: 0, lines: 3, paragraphs: 0 },
  ];
  for (const { text, ...expected } of table) {
    test(`counts ${JSON.stringify(text)}`, () => {
      const { payload } = stats.call({ text });
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, Reflect.get(payload, key)])), expected);
    });
  }

  test("counts UTF-8 bytes as an encoder does, lone surrogates too", () => {
    for (const text of ["aé漢👍\u{10ffff}", "\ud800x", "x\udc00"])
      assert.equal(stats.call({ text }).payload.utf8Bytes, new TextEncoder().encode(text).length);
  });

  test("finds words in scripts without spaces", () => {
    assert.ok(Number(stats.call({ text: "ฉันกินข้าว", locale: "th" }).payload.words) >= 3);
  });

  test("ranks words without regard to case, ties by the alphabet", () => {
    assert.deepEqual(stats.call({ text: "b B a A c", top: 2 }).payload.topWords, [
      { word: "a", count: 2 },
      { word: "b", count: 2 },
    ]);
  });

  test("names the longest line and shows no more than its beginning", () => {
    const { text, payload } = stats.call({ text: `short\n${"x".repeat(500)}\n` });
    assert.deepEqual(payload.longestLine, { number: 2, length: 500 });
    assert.ok(text.length < 700);
  });

  test("refuses a locale that is none", () => assert.match(stats.refusal({ text: "a", locale: "!!" }), /"locale" is "!!"/));
});

describe("text_search", () => {
  let search: BuiltTool;
  before(async () => {
    search = await all.tool("text/search");
  });
  const TEXT = "one\ntwo\nthree\nfour\nfive two\n";

  test("gives line, column, offsets and groups of each match", () => {
    assert.deepEqual(search.call({ text: TEXT, pattern: "t(w)o|(x)" }).payload.matches, [
      { line: 2, column: 1, start: 4, end: 7, match: "two", groups: ["w", null] },
      { line: 5, column: 6, start: 24, end: 27, match: "two", groups: ["w", null] },
    ]);
  });

  test("shows lines around a match once, and a gap between places", () => {
    assert.equal(
      search.call({ text: TEXT, pattern: "two", context: 1 }).text,
      "2 matches\n1-  one\n2:1: two\n3-  three\n--\n4-  four\n5:6: five two".replace("--\n", ""),
    );
    assert.equal(
      search.call({ text: `${TEXT}six\nseven\ntwo\n`, pattern: "one|seven", context: 1 }).text,
      "2 matches\n1:1: one\n2-  two\n--\n6-  six\n7:1: seven\n8-  two",
    );
  });

  test("anchors match at every line unless the flags leave `m` out", () => {
    assert.equal(search.call({ text: TEXT, pattern: "^t" }).summary, "2 matches");
    assert.equal(search.call({ text: TEXT, pattern: "^t", flags: "" }).summary, "No match");
  });

  test("ignores case and takes a fixed text as it stands", () => {
    assert.equal(search.call({ text: "A.B axb", pattern: "a.b", fixed: true, flags: "i" }).summary, "1 match");
  });

  test("stops at the limit and says that there is more", () => {
    const { text, payload } = search.call({ text: "aaaa", pattern: "a", limit: 3 });
    assert.match(text, /At least 3 matches[^]*There are more/);
    assert.equal(payload.isCut, true);
    assert.equal(search.call({ text: "aaa", pattern: "a", limit: 3 }).payload.isCut, false);
  });

  test("a pattern that stalls a backtracking engine ends at once", () => {
    assert.equal(search.call({ text: `${"a".repeat(100_000)}b`, pattern: "(a+)+$" }).summary, "No match");
    assert.equal(search.call({ text: `${"a".repeat(50_000)}b`, pattern: "^(a|aa)*$|^(.*?,){11}P" }).summary, "No match");
  });

  test("matches of nothing move on", () => assert.equal(search.call({ text: "abc", pattern: "x*" }).summary, "4 matches"));

  test("refuses what RE2 does not have, and says what to do", () => {
    for (const pattern of ["(?=a)", "(?<!a)b", "(a)\\1", "(", "a{2000}"])
      assert.match(search.refusal({ text: "a", pattern }), /"pattern" is not a regular expression.*"fixed"/);
  });

  test("clips a long line around its match without halving a character", () => {
    const { text } = search.call({ text: `${"😀".repeat(500)}needle${"😀".repeat(500)}`, pattern: "needle" });
    assert.ok(text.includes("needle") && text.length < 300 && text.isWellFormed());
  });
});

describe("text_extract", () => {
  let extract: BuiltTool;
  before(async () => {
    extract = await all.tool("text/extract");
  });

  const table: { kind: string; text: string; values: string[] }[] = [
    {
      kind: "emails",
      text: "Write to a.b+c@mail.example.co.uk, or <x@y.org>. Not @z, not a@b.",
      values: ["a.b+c@mail.example.co.uk", "x@y.org"],
    },
    {
      kind: "urls",
      text: "See https://e.org/a_(b), (http://e.org/x?q=1#f). And www.e.org!",
      values: ["https://e.org/a_(b)", "http://e.org/x?q=1#f", "www.e.org"],
    },
    { kind: "numbers", text: "1,234.50 and -5, 10-20, 6e3 but not abc7", values: ["1234.50", "-5", "10", "20", "6e3"] },
    {
      kind: "dates",
      text: "2026-05-04, 4 May 2026, May 4th, 2026 and 4.5.2026",
      values: ["2026-05-04", "4 May 2026", "May 4th, 2026", "4.5.2026"],
    },
    { kind: "times", text: "At 9:05, 23:59:59 or 10:30 pm; 25:00 is none", values: ["9:05", "23:59:59", "10:30 pm"] },
    { kind: "hashtags", text: "#One, (#два) but not a#b or #1", values: ["#One", "#два"] },
    { kind: "mentions", text: "@joe and (@ann_b.) not a@b.org", values: ["@joe", "@ann_b"] },
    { kind: "ipv4", text: "10.0.0.1 255.255.255.255 and not 300.1.1.1", values: ["10.0.0.1", "255.255.255.255"] },
    { kind: "uuids", text: "id 123E4567-e89b-12d3-a456-426614174000.", values: ["123E4567-e89b-12d3-a456-426614174000"] },
  ];
  for (const { kind, text, values } of table) {
    test(`finds ${kind}`, () => {
      const found = Reflect.get(extract.call({ text, kinds: [kind] }).payload, kind) as { values: { value: string }[] };
      assert.deepEqual(
        found.values.map(({ value }) => value),
        values,
      );
    });
  }

  test("named groups of a pattern of one's own become fields", () => {
    const { payload } = extract.call({ text: "a=1\nb=2", pattern: "(?P<key>\\w)=(?P<value>\\d)" });
    assert.deepEqual(payload.pattern, {
      values: [
        { value: "a=1", line: 1, count: 1, fields: { key: "a", value: "1" } },
        { value: "b=2", line: 2, count: 1, fields: { key: "b", value: "2" } },
      ],
      isCut: false,
    });
  });

  test("counts repeats once, or lists each", () => {
    assert.match(extract.call({ text: "#a #a #a", kinds: ["hashtags"] }).text, /hashtags: 1\n {2}#a \(line 1, 3 times\)/);
    assert.match(extract.call({ text: "#a #a #a", kinds: ["hashtags"], unique: false }).text, /hashtags: 3/);
  });

  test("asks what to extract when nothing is named", () => assert.match(extract.refusal({ text: "a" }), /name "kinds"/));
});

describe("text_diff", () => {
  let diff: BuiltTool;
  before(async () => {
    diff = await all.tool("text/diff");
  });

  test("writes a unified diff", () => {
    const { text, payload } = diff.call({ before: "a\nb\nc\n", after: "a\nB\nc\n", context: 1 });
    assert.equal(text, "--- before\n+++ after\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c");
    assert.deepEqual([payload.added, payload.removed], [1, 1]);
  });

  test("marks changed words in place, and leaves out what is far from a change", () => {
    assert.equal(diff.call({ before: "The quick fox", after: "The slow fox", mode: "words" }).text, "The [-quick-]{+slow+} fox");
    const far = Array.from({ length: 100 }, (_, index) => `w${index}`).join(" ");
    assert.equal(diff.call({ before: `${far} x`, after: `${far} y`, mode: "words", context: 1 }).text, "… w99 [-x-]{+y+}");
  });

  test("says when nothing differs, and sees a missing line end", () => {
    assert.equal(diff.call({ before: "a", after: "a" }).payload.same, true);
    assert.match(diff.call({ before: "a", after: "a\n" }).text, /No newline at end of file/);
  });

  test("a small change in a large text is found", () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
    const { payload } = diff.call({ before: lines.join("\n"), after: lines.toSpliced(25_000, 1, "changed").join("\n") });
    assert.deepEqual([payload.added, payload.removed], [1, 1]);
  });

  test("gives up on texts that have next to nothing in common", () => {
    const text = (word: string): string => Array.from({ length: 3000 }, (_, index) => `${word} ${index}`).join("\n");
    assert.match(diff.refusal({ before: text("a"), after: text("b") }), /differ in more than 2000 lines.*Compare smaller parts/);
  });
});
