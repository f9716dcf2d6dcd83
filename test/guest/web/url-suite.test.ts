import assert from "node:assert/strict";
import { test } from "node:test";
import { readSharedData } from "../../support/shared-data.ts";
import { inGuest } from "./a-guest.ts";

// The data of the web platform tests, each case run in a cell. What comes back is what differs.
const PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "searchParams",
  "hash",
];

const PARSE = `
  const differing = [];
  let count = 0;
  for (const { input, base, failure, relativeTo, ...parts } of data.filter((each) => typeof each === "object")) {
    count += 1;
    let url = null;
    try { url = new URL(input, base ?? undefined); } catch (error) { if (!(error instanceof TypeError)) throw error; }
    if ((url === null) !== (failure === true)) { differing.push({ input, base, got: url?.href ?? "failure" }); continue; }
    if (URL.canParse(input, base ?? undefined) !== (url !== null) || URL.parse(input, base ?? undefined)?.href !== url?.href) differing.push({ input, parse: true });
    if (url === null) continue;
    for (const part of ${JSON.stringify(PARTS)})
      if (part in parts && String(url[part]) !== parts[part]) differing.push({ input, base, part, got: String(url[part]), wanted: parts[part] });
    if (new URL(url.href).href !== url.href) differing.push({ input, again: url.href });
  }
  return { count, differing };`;

const SET = `
  const differing = [];
  let count = 0;
  for (const [part, cases] of Object.entries(data)) if (part !== "comment") for (const { href, new_value, expected } of cases) {
    count += 1;
    const url = new URL(href);
    url[part] = new_value;
    for (const [name, wanted] of Object.entries(expected)) if (url[name] !== wanted) differing.push({ href, part, new_value, name, got: url[name], wanted });
  }
  return { count, differing };`;

const TO_ASCII = `
  const differing = [];
  let count = 0;
  for (const { input, output } of data.filter((each) => typeof each === "object")) {
    count += 1;
    const made = URL.parse(\`https://\${input}/x\`);
    if ((made?.host ?? null) !== output) differing.push({ input, output, got: made?.host ?? null });
    const set = new URL("https://x/x");
    set.hostname = input;
    if (set.hostname !== (output ?? "x")) differing.push({ input, output, set: set.hostname });
  }
  return { count, differing };`;

// A URL is percent-encoded as UTF-8; the other encodings of this data are those of a page's forms and links.
const PERCENT = `
  const differing = [];
  let count = 0;
  for (const { input, output } of data.filter((each) => typeof each === "object")) {
    count += 1;
    const { hash } = new URL(\`https://x/#\${input}\`);
    const { search } = new URL(\`https://x/?\${input}\`);
    if (hash !== \`#\${output["utf-8"]}\` || search !== \`?\${output["utf-8"]}\`) differing.push({ input, hash, search, output });
  }
  return { count, differing };`;

async function runSuite(file: string, body: string, least: number): Promise<void> {
  const json = readSharedData("wpt-url", file);
  if (json === null) return;
  // Half characters are no UTF-8, so the data crosses as it is written.
  const got = await inGuest(body, {
    code: 'import { TEXT } from "./_data.js";\nconst data = JSON.parse(TEXT);\n',
    files: { "_data.js": `export const TEXT = ${JSON.stringify(json)};\n` },
  });
  const { count, differing } = got as { count: number; differing: unknown[] };
  assert.deepEqual(differing, []);
  assert.ok(count >= least, `${count} cases of ${file}`);
}

test("URL parses all of urltestdata as the web platform tests say", () => runSuite("urltestdata.json", PARSE, 850));
test("URL parses half characters as the web platform tests say", () => runSuite("urltestdata-javascript-only.json", PARSE, 1));
test("the parts of a URL are set as the web platform tests say", () => runSuite("setters_tests.json", SET, 250));
test("a domain becomes ASCII as the web platform tests say", () => runSuite("toascii.json", TO_ASCII, 80));
test("a URL is percent-encoded as the web platform tests say", () => runSuite("percent-encoding.json", PERCENT, 6));
