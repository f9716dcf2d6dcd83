import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CODES, LIMITS } from "toolcell";
import { readPage, ROOT } from "./pages.ts";

/** Options and measures that are named like limits. */
const OTHER_NAMES = new Set(["timeoutMs", "wallMs", "heapBytes"]);

test("the tables of limits and errors are those of the catalogues", () => {
  const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, "docs", "generate.ts"), "--check"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

test("every limit and every code has one row, and no row is of anything else", () => {
  assert.deepEqual(firstCells("docs/limits.md"), Object.keys(LIMITS));
  assert.deepEqual(firstCells("docs/errors.md"), Object.keys(CODES));
});

test("every limit that a page names is one", () => {
  const names = new Set(Object.keys(LIMITS));
  for (const page of listPages()) {
    for (const [, name = ""] of readPage(page).matchAll(/`([a-z]+(?:Ms|Count|Bytes|Chars))`/gu)) {
      assert.ok(names.has(name) || OTHER_NAMES.has(name), `${page} names \`${name}\``);
    }
  }
});

test("every relative link leads to a file, and to a heading where it names one", () => {
  let links = 0;
  for (const page of listPages()) {
    for (const [, target = ""] of readPage(page).matchAll(/\]\(([^)\s]+)\)/gu)) {
      if (/^[a-z]+:/u.test(target)) continue;
      links += 1;
      const [file = "", heading] = target.split("#", 2);
      const found = file === "" ? path.join(ROOT, page) : path.join(ROOT, path.dirname(page), file);
      assert.ok(existsSync(found), `${page} links to ${target}, which is not there`);
      if (heading !== undefined) assert.ok(anchorsOf(found).includes(heading), `${page} links to ${target}: no such heading`);
    }
  }
  assert.ok(links > 20);
});

function firstCells(page: string): string[] {
  const table = /<!-- generated[^>]*-->([\s\S]*)<!-- end of generated -->/u.exec(readPage(page))?.[1] ?? "";
  return [...table.matchAll(/^\| `(\w+)` \|/gmu)].map(([, name = ""]) => name);
}

function listPages(): string[] {
  const own = readdirSync(ROOT).filter((file) => file.endsWith(".md"));
  const docs = readdirSync(path.join(ROOT, "docs")).filter((file) => file.endsWith(".md"));
  return [...own, ...docs.map((file) => `docs/${file}`)];
}

/** As GitHub makes them: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gmu)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
