import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { createAdmission } from "../../src/admission/admission.ts";
import { createInputs, type Inputs } from "../../src/admission/inputs.ts";
import { listFolder, type Folder } from "../../src/admission/folder.ts";
import { isOneMoment } from "../../src/admission/snapshot.ts";
import { limitsWith, makeFolder, makeTempDir, tool, writeFiles } from "./a-folder.ts";

/**
 * Writes both files with the same number, over and over. A pair between whose halves the system held it up is named: the
 * folder really stood still with one file of each version then.
 */
const WRITER = `
  import { existsSync, writeFileSync } from "node:fs";
  const [folder, stop] = process.argv.slice(1);
  const source = (number) => \`import { helper } from "./_helper.js";
export const NAME = "tool", DESCRIPTION = "Says its number.";
export const run = () => ["tool \${number} ", helper];\`;
  for (let number = 1; !existsSync(stop); number += 1) {
    const startedAt = performance.now();
    writeFileSync(folder + "/tool.js", source(number));
    writeFileSync(folder + "/_helper.js", \`export const helper = "helper \${number} ";\`);
    if (performance.now() - startedAt > 10) writeFileSync(1, \`slow \${number}\\n\`);
    if (number === 1) writeFileSync(1, "begun\\n");
  }`;

test("a record never mixes two versions of a folder that is being written to", async () => {
  const [folder, stop] = [makeFolder({}), path.join(makeTempDir(), "stop")];
  const child = spawn(process.execPath, ["--input-type=module", "-e", WRITER, folder, stop], { stdio: ["ignore", "pipe", "inherit"] });
  after(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(child.stdout, "data");
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const bundles: string[] = [];
  const refusals = new Set<string | null>();
  for (let count = 0; count < 16; count += 1) {
    const records = await Promise.all(Array.from({ length: 16 }, () => admission.admit(folder, { shipped: false })));
    for (const { bundleHash, refused } of records) {
      refusals.add(refused);
      if (bundleHash !== null) bundles.push(await admission.bundle(bundleHash).catch(() => ""));
    }
  }
  writeFileSync(stop, "");
  await once(child, "close");
  const mixed = bundles.flatMap((text) => {
    const [of, its] = [/"tool (\d+) "/.exec(text)?.[1], /"helper (\d+) "/.exec(text)?.[1]];
    return of === its || said.includes(`slow ${of}\n`) || said.includes(`slow ${its}\n`) ? [] : [`${of} with ${its}`];
  });
  assert.deepEqual(mixed, []);
  refusals.delete(null);
  for (const refused of refusals) assert.match(String(refused), /kept changing while it was being read|holds no tool file/);
  // And once nothing writes to it, it is taken.
  const { refused, bundleHash } = await admission.admit(folder, { shipped: false });
  assert.deepEqual([refused, bundleHash === null], [null, false]);
});

test("a folder that never rests is refused, and not kept as refused", async () => {
  const folder = makeFolder({ "a.ts": tool("a"), "_h.ts": "" });
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  await admission.admit(folder, { shipped: false });
  writeFiles(folder, { "a.ts": tool("a", { before: 'import "./_h.ts";' }) });
  let writes = 0;
  const timer = setInterval(() => writeFileSync(path.join(folder, "_h.ts"), `// ${(writes += 1)}`), 1);
  // Where this process is kept from writing for long enough, the folder did rest.
  let restless = await admission.admit(folder, { shipped: false });
  while (restless.refused === null) restless = await admission.admit(folder, { shipped: false });
  clearInterval(timer);
  assert.match(restless.refused ?? "", /kept changing while it was being read/);
  assert.deepEqual(restless.tools, []);
  const { refused, tools } = await admission.admit(folder, { shipped: false });
  assert.deepEqual([refused, tools.length], [null, 1]);
});

interface Read {
  readonly root: string;
  readonly folder: Folder;
  readonly inputs: Inputs;
  readonly list: () => Folder;
}

/** A folder of which the files are read, as a record would be made from them. */
function readFiles(): Read {
  const root = makeFolder({ "a.ts": tool("a"), "b.ts": tool("b"), "_lib/c.ts": "// c" });
  symlinkSync("_lib", path.join(root, "_link"));
  const list = (): Folder => listFolder(root, false, 10);
  const folder = list();
  const inputs = createInputs(root, limitsWith());
  for (const file of ["a.ts", "b.ts", "_link/c.ts"]) inputs.read(file);
  inputs.probe("_missing.ts");
  return { root, folder, inputs, list };
}

const isStill = ({ folder, inputs, list }: Read): Promise<boolean> => isOneMoment(folder, inputs, list);
const at = (root: string, file: string): string => path.join(root, file);

const CHANGES: readonly (readonly [string, (root: string) => void])[] = [
  ["a file is written to", (root) => writeFileSync(at(root, "a.ts"), tool("other"))],
  ["a file is written to and has the same size", (root) => writeFileSync(at(root, "a.ts"), tool("z"))],
  ["another file takes a file's place", (root) => (writeFileSync(at(root, "_n"), tool("z")), renameSync(at(root, "_n"), at(root, "a.ts")))],
  ["a file goes", (root) => rmSync(at(root, "b.ts"))],
  ["a tool file appears", (root) => writeFileSync(at(root, "new.ts"), tool("new"))],
  ["a file appears where one was looked for in vain", (root) => writeFileSync(at(root, "_missing.ts"), "")],
  [
    "a link is turned elsewhere",
    (root) => {
      writeFiles(root, { "_other/c.ts": "// c" });
      rmSync(at(root, "_link"));
      symlinkSync("_other", at(root, "_link"));
    },
  ],
];

test("a folder that nobody touched was read at one moment", async () => assert.equal(await isStill(readFiles()), true));

test("what is none of the files that were read may come and go", async () => {
  const read = readFiles();
  writeFiles(read.root, { "README.md": "new", "_unused.ts": "new" });
  mkdirSync(at(read.root, "_new"));
  assert.equal(await isStill(read), true);
});

test("a file that was listed and is not there is the same as long as it stays away", async () => {
  const root = makeFolder({ "b.ts": tool("b") });
  symlinkSync("gone.ts", path.join(root, "a.ts"));
  const list = (): Folder => listFolder(root, false, 10);
  const read = { root, folder: list(), inputs: createInputs(root, limitsWith()), list };
  assert.throws(() => read.inputs.read("a.ts"), /not there any more/);
  assert.equal(await isStill(read), true);
  writeFileSync(at(root, "gone.ts"), tool("a"));
  assert.equal(await isStill(read), false);
});

for (const [what, change] of CHANGES) {
  test(`where ${what} after it was read, a folder was not read at one moment`, async () => {
    const read = readFiles();
    change(read.root);
    assert.equal(await isStill(read), false);
  });
}

test("a record has the same codeHash for the same folder, and another for each thing that differs", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const files = { "index.ts": 'export const LABEL = "First";', "a.ts": tool("a", { before: 'import "./_h.ts";' }), "_h.ts": "export {};" };
  const hashOf = async (folder: string): Promise<string> => (await admission.admit(folder, { shipped: false })).codeHash;
  const folder = makeFolder(files);
  const hashes = [await hashOf(folder)];
  assert.match(String(hashes[0]), /^[0-9a-f]{64}$/);
  assert.deepEqual([await hashOf(folder), await hashOf(makeFolder(files))], [hashes[0], hashes[0]]);
  for (const changed of [
    { "index.ts": 'export const LABEL = "Second";' },
    { "a.ts": `${readFileSync(at(folder, "a.ts"), "utf8")}export const more = 1;` },
    { "_h.ts": "globalThis.x = 1;" },
    { "b.ts": tool("b") },
    { "c.ts": "" },
    { "index.ts": "export const LABEL = 1;" },
    { "index.ts": "export const LABEL = 2 +;" },
  ]) {
    writeFiles(folder, changed);
    hashes.push(await hashOf(folder));
  }
  assert.equal(new Set(hashes).size, hashes.length);
});

test("a change of a comment changes no codeHash, unless it moves the lines that stacks name", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const folder = makeFolder({ "a.ts": tool("a") });
  const { codeHash } = await admission.admit(folder, { shipped: false });
  writeFiles(folder, { "a.ts": `${tool("a")}\n// A note.\n` });
  assert.equal((await admission.admit(folder, { shipped: false })).codeHash, codeHash);
  writeFiles(folder, { "a.ts": `// A note.\n${tool("a")}` });
  assert.notEqual((await admission.admit(folder, { shipped: false })).codeHash, codeHash);
});

test("inputsOf names what a reading looked at, from the cache too, and nothing before there was one", async () => {
  const cacheDir = makeTempDir();
  const folder = makeFolder({
    "index.ts": 'export const LABEL = "L";',
    "a.ts": tool("a", { before: 'import "./_h";\nimport "./_link/c.ts";' }),
    "_h.ts": "",
    "_lib/c.ts": "",
    "_unused.ts": "",
  });
  symlinkSync("_lib", path.join(folder, "_link"));
  for (const _ of ["read", "from the cache"]) {
    await using admission = createAdmission({ shippedDir: null, cacheDir, limits: limitsWith() });
    assert.deepEqual(admission.inputsOf(folder), []);
    await admission.admit(folder, { shipped: false });
    assert.deepEqual([...admission.inputsOf(folder)].sort(), ["_h", "_h.ts", "_lib/c.ts", "_link/c.ts", "a.ts", "index.ts"]);
  }
});

test("inputsOf names what was missing in a broken tool, and the files of an index that cannot be read", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const broken = makeFolder({ "a.ts": tool("a", { before: 'import "./_gone.ts";' }) });
  await admission.admit(broken, { shipped: false });
  assert.ok(admission.inputsOf(broken).includes("_gone.ts"));
  const refused = makeFolder({ "index.ts": "export const LABEL = 1;", "a.ts": tool("a") });
  await admission.admit(refused, { shipped: false });
  assert.ok(admission.inputsOf(refused).includes("index.ts"));
});
