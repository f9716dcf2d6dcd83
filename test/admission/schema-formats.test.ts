import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS } from "../../src/admission/schema-formats.ts";

type CheckFunction = (value: unknown) => boolean;

async function checkOf(format: string): Promise<CheckFunction> {
  const check = FORMATS.get(format)?.check;
  assert.ok(check);
  const module = (await import(`../../runtime-api/checks/${check.file}.ts`)) as Record<string, CheckFunction>;
  const found = module[check.name];
  assert.ok(found, `${format}: ${check.file}.ts exports no ${check.name}`);
  return found;
}

const checked = [...FORMATS].filter(([, { check }]) => check !== null).map(([format]) => format);

/** Beside what the JSON Schema Test Suite tries. */
const EXAMPLES: readonly (readonly [format: string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
  ["iso-time", ["12:00:00", "12:00:00Z", "23:59:60"], ["12:00", "24:00:00", "12:00:60"]],
  ["iso-date-time", ["2026-01-31T12:00:00", "2026-01-31t12:00:00+01:00"], ["2026-01-31", "2026-02-31T12:00:00", "2026-01-31 12:00:00"]],
  [
    "url",
    ["https://example.com", "ftp://example.com/a?b#c", "http://[::1]:80/"],
    ["mailto:a@example.com", "https://", "example.com", "https:///a"],
  ],
  ["byte", ["", "aGk=", "aGkh"], ["aGk", "aGk*", "=aGk"]],
  ["int32", [0, 2 ** 31 - 1, -(2 ** 31)], [2 ** 31, 0.5]],
  ["int64", [0, 2 ** 53], [0.5]],
  ["uri", ["a:", "a:/b//c", "a://", "http://a:/"], ["a://b:c", "a://[::1", "a://[::1]b", "a:b#c#d"]],
  ["uri-reference", ["", "?", "#", "./a:b", "//"], ["a b", ":a", "1:b"]],
  ["iri", ["http://xn--\u00e9/\u{1f600}?\ue000"], ["http://a/\ue000", "http://a/\ud800", "http://a/\u{1ffff}"]],
  ["uri-template", ["", "{+a,b*}x{?c:3}", "{a.%41}"], ["{", "}", "{}", "{a", "a}", "{a:10000}", "{a:0}", "{a-b}", "{{a}}", "%4"]],
  [
    "email",
    ['"a\\"b"@example.com', "a@[IPv6:::1]"],
    ['"a"b@example.com', '"a@example.com', "a@b..c", `${"a".repeat(65)}@example.com`, "a@"],
  ],
  ["hostname", ["xn--mnchen-3ya"], ["xn--mnchen-3y", "a..b", "xn--", "XN--99999999"]],
  ["idn-hostname", ["m\u00fcnchen.example", "\u05d0\u05d1"], ["a\u200db", "\u0301a", "M\u00fcnchen", "a\u05d0", "\u{e0001}"]],
  [
    "ipv6",
    ["::", "1::", "::1.2.3.4", "1:2:3:4:5:6:7::"],
    [":", ":::", "1:::2", "1::2::3", "1:2:3:4:5:6:7:8:9", "::1.2.3", "1.2.3.4::", "12345::"],
  ],
  ["relative-json-pointer", ["0", "10#"], ["00", "#", "1#/a"]],
];

for (const [format, right, wrong] of EXAMPLES) {
  test(`${format} is what its standard says`, async () => {
    const check = await checkOf(format);
    assert.deepEqual(
      right.filter((value) => !check(value)),
      [],
    );
    assert.deepEqual(
      wrong.filter((value) => check(value)),
      [],
    );
  });
}

/** Texts of 100,000 characters in which a careless expression goes back again and again. */
const LONG = [
  "a",
  "1",
  "a.",
  "a@",
  "{a,",
  "%41",
  "~0",
  "/",
  ":",
  "\\a",
  '"',
  "P1D",
  "\u0301",
  "\u200c",
  "\u{f0000}",
  "(a+)+",
  "[",
  "xn--a.",
  "-",
].flatMap((part) =>
  ["", "http://", "a@", '"', "{", "2026-01-31T12:00:00.", "P", "0/"].map((start) => `${start}${part.repeat(100_000 / part.length)}\n`),
);

test("every format takes time with the length of the text and no more", async () => {
  for (const format of checked) {
    const check = await checkOf(format);
    const start = process.cpuUsage();
    for (const text of LONG) check(text);
    const { user } = process.cpuUsage(start);
    // A tenth of a second for each is far above what any takes, and far below what going back takes.
    assert.ok(user / LONG.length < 100_000, `${format} takes ${Math.round(user / LONG.length)} us for 100,000 characters`);
  }
});
