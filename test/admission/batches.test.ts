import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createAdmission, type Admission } from "../../src/admission/admission.ts";
import type { CapabilityRecord } from "../../src/admission/record.ts";
import { canSeeProcesses, until } from "../support/processes.ts";
import { brokenReason, limitsWith, loadRecord, makeFolder, makeTempDir, tool, type Files } from "./a-folder.ts";

const MIB = 1024 * 1024;

async function admitAll(admission: Admission, folders: readonly string[]): Promise<CapabilityRecord[]> {
  return await Promise.all(folders.map((folder) => admission.admit(folder, { shipped: false })));
}

const makeGood = (count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    makeFolder({
      "a.ts": tool(`a_${index}`, { before: 'import { value } from "./_h.ts";', run: "export const run = () => value;" }),
      "_h.ts": `export const value = ${index};`,
    }),
  );

/** Takes every value of `good` to be read as it is alone. */
async function assertGood(admission: Admission, records: readonly CapabilityRecord[]): Promise<void> {
  assert.deepEqual(
    records.map(({ refused, broken }) => [refused, broken]),
    records.map(() => [null, []]),
  );
  for (const [index, record] of records.entries()) {
    const tools = await loadRecord(admission, record);
    assert.equal(await (await tools[`a_${index}`]?.load())?.run({}, {}), index);
  }
}

test("a hundred folders at once are each read as what they are", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  await assertGood(admission, await admitAll(admission, makeGood(100)));
});

test("what is read beside others is the same as what is read alone", async () => {
  const folders = makeGood(3);
  await using together = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const records = await admitAll(together, folders);
  for (const [index, folder] of folders.entries()) {
    await using single = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
    assert.deepEqual(await single.admit(folder, { shipped: false }), records[index]);
  }
});

/** Small to read, and gigabytes to print: it is met in the middle of a batch. */
const PRINTS_GIGABYTES: Files = {
  "a.ts": tool("a", { before: 'import { bomb } from "./_h.ts";', run: "export const run = () => bomb;" }),
  "_h.ts": `enum Bomb { text = "${"x".repeat(100_000)}" }\nexport const bomb = [${"Bomb.text,".repeat(15_000)}];`,
};
const HOSTILE: readonly (readonly [string, Files, RegExp, Parameters<typeof limitsWith>[0]])[] = [
  ["prints gigabytes", PRINTS_GIGABYTES, /\(bundleBytes\)|\(admitHeapBytes\)|\(admitMs\)/, {}],
  [
    "holds too much memory",
    { "a.ts": `${"a;".repeat(1_500_000)}\n${tool("a")}` },
    /\(admitHeapBytes\)/,
    { admitHeapBytes: 64 * MIB, sourceBytes: 8 * MIB },
  ],
  [
    "is over the limit on files",
    {
      ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`_${index}.ts`, ""])),
      "a.ts": tool("a", { before: Array.from({ length: 9 }, (_, index) => `import "./_${index}.ts";`).join("") }),
    },
    /\(inputCount\)/,
    { inputCount: 8 },
  ],
];

for (const [what, files, reason, changed] of HOSTILE) {
  test(`a folder that ${what} is refused alone, and none of those beside it is blamed`, async () => {
    await using admission = createAdmission({
      shippedDir: null,
      cacheDir: makeTempDir(),
      limits: limitsWith({ ...changed, admitCount: 1 }),
    });
    const good = makeGood(6);
    const records = await admitAll(admission, [...good.slice(0, 3), makeFolder(files), ...good.slice(3)]);
    const [hostile] = records.splice(3, 1);
    assert.match(hostile?.refused ?? brokenReason(hostile as CapabilityRecord, "a.ts"), reason);
    await assertGood(admission, records);
    // And what is read after it.
    await assertGood(admission, await admitAll(admission, good));
  });
}

test("a tool that cannot be bundled is broken beside others as it is alone", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith({ admitCount: 1 }) });
  const broken = makeFolder({ "a.ts": tool("a", { before: 'import "./_h.ts";' }), "_h.ts": "const x = ;", "b.ts": tool("b") });
  const [record, ...others] = await admitAll(admission, [broken, ...makeGood(6)]);
  assert.match(brokenReason(record as CapabilityRecord, "a.ts"), /Imports _h\.ts:1, which cannot be bundled/);
  assert.deepEqual(
    record?.tools.map(({ name }) => name),
    ["b"],
  );
  await assertGood(admission, others);
});

test("a folder larger than what is read beside others is taken", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith({ admitCount: 1 }) });
  const large = makeFolder({
    "a.ts": tool("a", { before: 'import { text } from "./_h.ts";', run: "export const run = () => text.length;" }),
    "_h.ts": `export const text = "${"x".repeat(400_000)}";`,
  });
  const [record, ...others] = await admitAll(admission, [large, ...makeGood(4)]);
  const tools = await loadRecord(admission, record as CapabilityRecord);
  assert.equal(await (await tools["a"]?.load())?.run({}, {}), 400_000);
  await assertGood(admission, others);
});

test("esbuild's process goes by itself once nothing is read", { skip: !canSeeProcesses }, async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  await assertGood(admission, await admitAll(admission, makeGood(2)));
  await until(() => bundlers().length === 0);
  // And there is another when it is needed.
  await assertGood(admission, await admitAll(admission, makeGood(3)));
});

test("closing leaves no process that idled, alive or dead", { skip: !canSeeProcesses }, async () => {
  const admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  await admitAll(admission, makeGood(8));
  await admission.close();
  assert.deepEqual(bundlers(), []);
});

test("closing in the middle of many folders settles every one of them", async () => {
  const admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const folders = makeGood(100);
  const [first = ""] = folders;
  const admitting = folders.map((folder) => admission.admit(folder, { shipped: false }));
  await Promise.race(admitting);
  await admission.close();
  const records = await Promise.all(admitting);
  assert.ok(records.some(({ refused }) => refused === null));
  for (const { refused } of records) assert.match(refused ?? "The engine was closed", /The engine was closed/);
  await assert.rejects(admission.admit(first, { shipped: false }), /The engine is closed/);
});

/** This process's esbuilds, those that are dead and not yet reaped among them. */
function bundlers(): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [, command, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return command === "esbuild" && parent === String(process.pid) ? [`${pid} ${state}`] : [];
    } catch {
      return [];
    }
  });
}
