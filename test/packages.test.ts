import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { runInGuest, type Place } from "../packages/guest.ts";
import { folderNameOf } from "../packages/install.ts";
import { dependenciesOf, PACKAGES, type Package } from "../packages/list.ts";
import { packagesPage, passing, passingByPage, type Tried } from "../packages/page.ts";
import { startService } from "../packages/service.ts";
import { makeTempFolder, writeFiles } from "./support/capabilities.ts";

const TASKS = new URL("../packages/tasks", import.meta.url).pathname;
const ENTRY: Package = { name: "greet", version: "1.2.3", answer: { said: "Hello, Mia" } };

test("the program runs a package in a guest and tells a right answer from a wrong one and from none", async () => {
  using temp = makeTempFolder();
  const task = (run: string): string =>
    `import greet from "greet";\nexport const NAME = "greet";\nexport const DESCRIPTION = "Greets | <Mia>.";\nexport const run = ${run};\n`;
  const place = (name: string, run: string): Place => {
    const capabilities = path.join(temp.path, name, "capabilities");
    writeFiles(path.join(capabilities, "greet"), {
      "greet.ts": task(run),
      "node_modules/greet/package.json": JSON.stringify({ name: "greet", main: "./lib.js" }),
      "node_modules/greet/lib.js": "module.exports = (name) => `Hello, ${name}`;",
    });
    return { home: path.join(temp.path, name, "home"), capabilities };
  };

  const right = await runInGuest(place("right", '() => ({ said: greet("Mia") })'), "greet", {}, ENTRY.answer);
  assert.equal(right.fault, null);
  assert.ok((right.bundleBytes ?? 0) > 100 && (right.firstMs ?? 0) > 0 && (right.trivialMs ?? 0) > 0);

  const wrong = await runInGuest(place("wrong", '() => ({ said: greet("Ben") })'), "greet", {}, ENTRY.answer);
  assert.equal(wrong.fault, 'Answered {"said":"Hello, Ben"} in place of {"said":"Hello, Mia"}');
  assert.equal(wrong.firstMs, null);

  const thrown = await runInGuest(place("thrown", "() => greet.missing()"), "greet", {}, ENTRY.answer);
  assert.match(thrown.fault ?? "", /greet failed: It threw TypeError/u);
  assert.match(thrown.detail, /missing is not a function\n +at /u);

  const unbundled = place("unbundled", "() => 1");
  writeFiles(path.join(unbundled.capabilities, "greet"), { "greet.ts": task("() => greet()").replace('"greet"', '"absent"') });
  assert.match((await runInGuest(unbundled, "greet", {}, ENTRY.answer)).fault ?? "", /"absent"/u);

  const tried: Tried[] = [right, wrong].map((run) => ({ entry: ENTRY, ...run }));
  const page = packagesPage(tried);
  assert.equal(passing(tried), 1);
  assert.equal(passingByPage(page), 1);
  assert.match(page, /^\| `greet` 1\.2\.3 \| Greets \\\| &lt;Mia>\. \| yes \| \d+ KiB \| \d+\.\d \|$/mu);
  assert.match(page, /^\| `greet` 1\.2\.3 \|.*\| no: Answered .* \|  \|$/mu);
});

test("every package of the list has a task, an answer and pinned versions, and no task is without a package", () => {
  const files = PACKAGES.map(({ name }) => `${folderNameOf(name)}.ts`);
  assert.deepEqual(files.toSorted(), readdirSync(TASKS).toSorted());
  for (const entry of PACKAGES) {
    assert.ok(entry.answer !== undefined, `"${entry.name}" has no answer`);
    for (const version of Object.values(dependenciesOf(entry))) assert.match(version, /^\d+\.\d+\.\d+$/u);
  }
  assert.equal(passingByPage("no page yet"), 0);
});

test("the service on the loopback speaks to whoever has the key, and leads from page to page", async () => {
  await using service = await startService();
  const ask = (authorization: string): Promise<Response> => {
    const body = JSON.stringify({ messages: [{ content: "stream" }] });
    return fetch(`${service.url}/openai/chat/completions`, { method: "POST", headers: { authorization }, body });
  };
  assert.equal((await ask("Bearer another")).status, 401);
  assert.match(await (await ask("Bearer a-key")).text(), /" tea".*data: \[DONE\]/su);
  const first = await fetch(`${service.url}/github/repos/mia/tea/issues?per_page=2`);
  const [, next] = /^<(.*)>; rel="next"$/u.exec(first.headers.get("link") ?? "") ?? [];
  const second = await fetch(next ?? "");
  assert.deepEqual([((await first.json()) as []).length, ((await second.json()) as []).length], [2, 1]);
  assert.equal(second.headers.get("link"), null);
});
