import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createAdmission } from "../../src/admission/admission.ts";
import { limitsWith, loadBundle, makeFolder, makeTempDir, tool, writeFiles, type Files } from "./a-folder.ts";

const limits = limitsWith();
const FILES: Files = {
  "index.ts": 'export const LABEL = "First";',
  "a.ts": tool("a", { before: 'import { value } from "./_h"; import p from "p";', run: "export const run = () => value + p;" }),
  "_h.ts": 'export const value = "v";',
  "node_modules/p/index.js": 'module.exports = "p";',
};

async function admitOnce(cacheDir: string, folder: string, changed = limits, shipped = false) {
  await using admission = createAdmission({ shippedDir: null, cacheDir, limits: changed });
  const record = await admission.admit(folder, { shipped });
  return { record, text: record.bundleHash === null ? null : await admission.bundle(record.bundleHash) };
}

/** Entries are only ever written whole, under a new inode: the same inodes mean that nothing was made again. */
function listEntries(cacheDir: string): string[] {
  return ["records", "bundles"].flatMap((kind) =>
    readdirSync(path.join(cacheDir, kind)).map((file) => `${kind}/${file} ${statSync(path.join(cacheDir, kind, file)).ino}`),
  );
}

/** What the tool returns, from the bundle. */
async function runA(text: string | null): Promise<unknown> {
  return await (await loadBundle(text ?? "")["a"]?.load())?.run({}, {});
}

test("an unchanged folder is read from the cache and nothing is made again", async () => {
  const [cacheDir, folder] = [makeTempDir(), makeFolder(FILES)];
  const first = await admitOnce(cacheDir, folder);
  const entries = listEntries(cacheDir);
  assert.equal(entries.length, 2);
  assert.deepEqual(await admitOnce(cacheDir, folder), first);
  assert.deepEqual(await admitOnce(cacheDir, makeFolder(FILES)), first);
  assert.deepEqual(listEntries(cacheDir), entries);
});

const CHANGES: readonly (readonly [string, Files, string])[] = [
  ["the tool file", { "a.ts": tool("a", { run: 'export const run = () => "new";' }) }, "new"],
  ["a helper", { "_h.ts": 'export const value = "w";' }, "wp"],
  ["a package", { "node_modules/p/index.js": 'module.exports = "q";' }, "vq"],
  [
    "a package.json that appears",
    { "node_modules/p/package.json": '{ "main": "other.js" }', "node_modules/p/other.js": 'module.exports = "o";' },
    "vo",
  ],
  ["a file that comes before the one that was found", { _h: 'export const value = "x";' }, "vp"],
];

for (const [what, files, result] of CHANGES) {
  test(`a change of ${what} is seen`, async () => {
    const [cacheDir, folder] = [makeTempDir(), makeFolder(FILES)];
    assert.equal(await runA((await admitOnce(cacheDir, folder)).text), "vp");
    writeFiles(folder, files);
    const { record, text } = await admitOnce(cacheDir, folder);
    if (what.startsWith("a file")) assert.match(String(record.broken[0]?.reason), /"\.\/_h" is no kind of file/);
    else assert.equal(await runA(text), result);
  });
}

test("a link that is turned elsewhere is seen", async () => {
  const [cacheDir, folder] = [
    makeTempDir(),
    makeFolder({
      "a.ts": tool("a", { before: 'import p from "p";', run: "export const run = () => p;" }),
      "store/1/index.js": 'module.exports = "1";',
      "store/2/index.js": 'module.exports = "2";',
    }),
  ];
  mkdirSync(path.join(folder, "node_modules"));
  for (const version of ["1", "2"]) {
    rmSync(path.join(folder, "node_modules/p"), { force: true });
    symlinkSync(`../store/${version}`, path.join(folder, "node_modules/p"));
    assert.equal(await runA((await admitOnce(cacheDir, folder)).text), version);
  }
});

test("a new tool file, another index, other limits and being shipped are each read anew", async () => {
  const [cacheDir, folder] = [makeTempDir(), makeFolder(FILES)];
  await admitOnce(cacheDir, folder);
  assert.equal((await admitOnce(cacheDir, folder, limitsWith({ descriptionChars: 10 }))).record.tools.length, 1);
  assert.equal((await admitOnce(cacheDir, folder, limitsWith({ descriptionChars: 5 }))).record.tools.length, 0);
  writeFiles(folder, { "index.ts": 'export const LABEL = "Second", INTERNAL = true;' });
  assert.deepEqual(
    [(await admitOnce(cacheDir, folder)).record.label, (await admitOnce(cacheDir, folder)).record.internal],
    ["Second", false],
  );
  assert.equal((await admitOnce(cacheDir, folder, limits, true)).record.internal, true);
  writeFiles(folder, { "b.ts": tool("b") });
  assert.equal((await admitOnce(cacheDir, folder)).record.tools.length, 2);
});

test("a broken tool is kept by content, and read again once what it lacked is there", async () => {
  const [cacheDir, folder] = [
    makeTempDir(),
    makeFolder({
      "a.ts": tool("a", { before: 'import { value } from "./_h.ts";', run: "export const run = () => value;" }),
      "b.ts": tool("b"),
    }),
  ];
  assert.equal((await admitOnce(cacheDir, folder)).record.broken.length, 1);
  const entries = listEntries(cacheDir);
  assert.equal((await admitOnce(cacheDir, folder)).record.broken.length, 1);
  assert.deepEqual(listEntries(cacheDir), entries);
  writeFiles(folder, { "_h.ts": 'export const value = "v";' });
  assert.equal(await runA((await admitOnce(cacheDir, folder)).text), "v");
});

const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ["cut short", (file) => truncateSync(file, 100)],
  ["emptied", (file) => truncateSync(file, 0)],
  ["written over", (file) => writeFileSync(file, readFileSync(file, "utf8").replace("v", "w"))],
  ["replaced by a folder", (file) => (rmSync(file), mkdirSync(file))],
];

for (const kind of ["records", "bundles"]) {
  for (const [how, damage] of DAMAGES) {
    test(`an entry of ${kind} that was ${how} is noticed and survived`, async () => {
      const [cacheDir, folder] = [makeTempDir(), makeFolder(FILES)];
      const first = await admitOnce(cacheDir, folder);
      for (const file of readdirSync(path.join(cacheDir, kind))) damage(path.join(cacheDir, kind, file));
      assert.deepEqual(await admitOnce(cacheDir, folder), first);
    });
  }
}

test("a bundle that is lost after its folder was read is made again when it is asked for", async () => {
  const [cacheDir, folder] = [makeTempDir(), makeFolder(FILES)];
  await using admission = createAdmission({ shippedDir: null, cacheDir, limits });
  const { bundleHash } = await admission.admit(folder, { shipped: false });
  const text = await admission.bundle(String(bundleHash));
  rmSync(cacheDir, { recursive: true });
  assert.equal(await admission.bundle(String(bundleHash)), text);
  rmSync(cacheDir, { recursive: true });
  writeFiles(folder, { "_h.ts": 'export const value = "w";' });
  await assert.rejects(admission.bundle(String(bundleHash)), /is not in the cache any more/);
});

test("a cache that cannot be written is done without", async () => {
  const cacheDir = path.join(makeTempDir(), "file");
  writeFileSync(cacheDir, "");
  await using admission = createAdmission({ shippedDir: null, cacheDir, limits });
  const folder = makeFolder(FILES);
  const first = await admission.admit(folder, { shipped: false });
  assert.equal(await runA(await admission.bundle(String(first.bundleHash))), "vp");
  writeFiles(folder, { "_h.ts": 'export const value = "w";' });
  const second = await admission.admit(folder, { shipped: false });
  assert.equal(await runA(await admission.bundle(String(second.bundleHash))), "wp");
  // The text of what the folder was before is not held any longer.
  await assert.rejects(admission.bundle(String(first.bundleHash)), /is not in the cache any more/);
});

test("nothing but whole entries is left in the cache", async () => {
  const cacheDir = makeTempDir();
  await using admission = createAdmission({ shippedDir: null, cacheDir, limits });
  const folders = Array.from({ length: 8 }, () => makeFolder(FILES));
  const records = await Promise.all(folders.map((folder) => admission.admit(folder, { shipped: false })));
  assert.equal(new Set(records.map(({ bundleHash }) => bundleHash)).size, 1);
  for (const entry of listEntries(cacheDir)) assert.match(entry, /^(?:records\/[0-9a-f]{64}\.json|bundles\/[0-9a-f]{64}\.js) \d+$/);
});
