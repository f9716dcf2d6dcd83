import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createAdmission } from "../../src/admission/admission.ts";
import {
  admitFiles,
  brokenReason,
  limitsWith,
  loadRecord,
  makeFolder,
  makeTempDir,
  sharedAdmission,
  tool,
  type Files,
} from "./a-folder.ts";

const MIB = 1024 * 1024;
const admission = sharedAdmission();
// What is looked for is the size that ends it, also where the machine is busy with something else.
const patient = sharedAdmission({ admitMs: 200_000 });
const good = tool("good");
const importing = (specifier: string): string => tool("a", { before: `import ${JSON.stringify(specifier)};` });

/** What a folder costs this process in memory, at its highest. */
async function growthWhile(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(timer);
  return Math.max(highest, process.memoryUsage.rss()) - before;
}

/** Text made once, so that a test's own strings are not taken for growth. */
const brackets = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
/** Each of the 20,000 uses prints the whole value: 20 GB from 1.3 MB. */
const enumBomb = `enum Bomb { text = "${"x".repeat(1_000_000)}" }\nexport const bomb = [${"Bomb.text,".repeat(20_000)}];`;

const BOMBS: readonly (readonly [string, Files, RegExp])[] = [
  ["L13 a tool file of 50 MB", { "a.ts": new Uint8Array(50 * MIB).fill(32) }, /larger than 1048576 bytes \(sourceBytes\)/],
  [
    "L18 a helper of 60 MB",
    { "a.ts": importing("./_h.ts"), "_h.ts": new Uint8Array(60 * MIB).fill(32) },
    /more than 25165824 bytes \(inputBytes\)/,
  ],
  ["L18 100,000 nested brackets in a tool file", { "a.ts": tool("a", { before: `const deep = ${brackets};` }) }, /nested too deeply/],
  ["L18 100,000 nested brackets that are read", { "a.ts": tool("a", { schema: `{ default: ${brackets} }` }) }, /nested too deeply/],
  [
    "a bundle that prints gigabytes",
    { "a.ts": tool("a", { before: 'import { bomb } from "./_h.ts";', run: "export const run = () => bomb;" }), "_h.ts": enumBomb },
    /larger than 16777216 bytes \(bundleBytes\)|\(admitHeapBytes\)/,
  ],
  ["L18 5 million elements", { "a.ts": tool("a", { schema: `[${"0,".repeat(5_000_000)}]` }) }, /\(sourceBytes\)/],
  ["a DESCRIPTION of 10 MB", { "a.ts": `export const NAME = "a", DESCRIPTION = "${"x".repeat(10 * MIB)}";` }, /\(sourceBytes\)/],
];

for (const [what, files, reason] of BOMBS) {
  test(`${what} costs a sentence, and the host less than 100 MB`, async () => {
    const folder = makeFolder({ ...files, "good.ts": good });
    let shown = "";
    const growth = await growthWhile(async () => {
      const record = await patient.admit(folder, { shipped: false });
      shown = record.refused ?? brokenReason(record, "a.ts");
    });
    assert.match(shown, reason);
    assert.ok(growth < 100 * MIB, `grew by ${Math.round(growth / MIB)} MB`);
  });
}

test("L18 100,000 nested brackets in a helper cost a sentence or are bundled, and the neighbour is taken", async () => {
  const record = await admitFiles(admission, { "a.ts": importing("./_h.ts"), "_h.ts": `export const x = ${brackets};`, "good.ts": good });
  assert.equal(record.refused, null);
  assert.ok(record.tools.some(({ name }) => name === "good"));
});

test("L18 1500 nested classes and a deep sum are read or refused with a sentence", async () => {
  const classes = `${"class A { static { ".repeat(1500)}${"} }".repeat(1500)}`;
  const sum = Array.from({ length: 50_000 }, () => "1").join("+");
  const record = await admitFiles(admission, {
    "a.ts": tool("a", { before: classes }),
    "b.ts": tool("b", { before: `export const s = ${sum};` }),
    "good.ts": good,
  });
  assert.deepEqual([record.refused, record.tools.some(({ name }) => name === "good")], [null, true]);
  for (const { reason } of record.broken) assert.match(reason, /nested too deeply/);
});

test("L16 three hundred modules that all import each other are bundled", async () => {
  const count = 300;
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const imports = Array.from({ length: count }, (__, other) => `import { x${other} as y${other} } from "./${other}.ts";`).join("");
      return [`_m/${index}.ts`, `${imports} export const x${index} = () => y${(index + 1) % count};`];
    }),
  );
  const record = await admitFiles(admission, {
    ...files,
    "a.ts": tool("a", { before: 'import { x0 } from "./_m/0.ts";', run: "export const run = () => typeof x0();" }),
  });
  assert.deepEqual([record.refused, record.broken], [null, []]);
  const tools = await loadRecord(admission, record);
  assert.equal(await (await tools["a"]?.load())?.run({}, {}), "function");
});

test("L16 more modules than are allowed are refused by their count", async () => {
  const imports = Array.from({ length: 2000 }, (_, index) => `import "./_m/${index}.ts";`).join("\n");
  const files = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`_m/${index}.ts`, ""]));
  await using narrow = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith({ inputCount: 500 }) });
  const record = await admitFiles(narrow, { ...files, "a.ts": tool("a", { before: imports }) });
  assert.match(record.refused ?? "", /more than 500 files \(inputCount\)/);
});

test("a folder over its time is refused, its esbuild is gone, and the folders beside it are taken", async (t) => {
  // A chain of thousands of modules, each found only after many a look in vain.
  const chain = Object.fromEntries(Array.from({ length: 4500 }, (_, index) => [`_m/${index}/index.ts`, `import "../${index + 1}";`]));
  const limits = limitsWith({ admitMs: 1500, admitCount: 2 });
  const slow = makeFolder({ ...chain, "_m/4500/index.ts": "", "a.ts": importing("./_m/0") }, "slow");
  await using impatient = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits });
  const beside = Array.from({ length: 6 }, (_, index) => makeFolder({ "good.ts": tool(`good_${index}`) }));
  const [refused, ...taken] = await Promise.all([slow, ...beside].map((folder) => impatient.admit(folder, { shipped: false })));
  assert.match(refused?.refused ?? "not refused", /took longer than 1500 ms \(admitMs\)/);
  assert.deepEqual(
    taken.map(({ refused: reason, tools }) => [reason, tools.length]),
    beside.map(() => [null, 1]),
  );
  if (process.platform !== "linux") return t.skip("processes are counted by /proc");
  assert.deepEqual(listChildren("esbuild"), []);
});

test("a folder over its memory is refused, and the folders beside it are taken", async () => {
  const limits = limitsWith({ admitHeapBytes: 64 * MIB, sourceBytes: 8 * MIB, admitCount: 2 });
  await using frugal = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits });
  const large = makeFolder({ "a.ts": `${"a;".repeat(1_500_000)}\n${tool("a")}` }, "large");
  const beside = Array.from({ length: 3 }, (_, index) => makeFolder({ "good.ts": tool(`good_${index}`) }));
  const [refused, ...taken] = await Promise.all([large, ...beside].map((folder) => frugal.admit(folder, { shipped: false })));
  assert.match(refused?.refused ?? "not refused", /needed more than 67108864 bytes of memory \(admitHeapBytes\)/);
  assert.deepEqual(
    taken.map(({ refused: reason, tools }) => [reason, tools.length]),
    beside.map(() => [null, 1]),
  );
});

test("closing ends what is being read", async (t) => {
  const closing = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const folders = Array.from({ length: 5 }, () => makeFolder({ "good.ts": good }));
  const admitting = folders.map((folder) => closing.admit(folder, { shipped: false }));
  await closing.close();
  await closing.close();
  for (const record of await Promise.all(admitting)) assert.match(record.refused ?? "", /The engine was closed/);
  await assert.rejects(closing.admit(String(folders[0]), { shipped: false }), /The engine is closed/);
  if (process.platform !== "linux") return t.skip("processes are counted by /proc");
  assert.deepEqual(listChildren("esbuild"), []);
});

test("no esbuild outlives its job, and an idle pool lets the host end by itself", async () => {
  const script = `
    import { createAdmission } from ${JSON.stringify(import.meta.resolve("../../src/admission/admission.ts"))};
    import { readdirSync } from "node:fs";
    const threads = () => process.platform === "linux" ? readdirSync("/proc/self/task").length : 0;
    const [cacheDir, folder, limits] = JSON.parse(process.argv[1]);
    const before = threads();
    const admission = createAdmission({ shippedDir: null, cacheDir, limits });
    if (threads() !== before) throw new Error("threads started early");
    const { refused, tools } = await admission.admit(folder, { shipped: false });
    console.log(refused, tools.length);`;
  const argument = JSON.stringify([makeTempDir(), makeFolder({ "good.ts": good }), limitsWith()]);
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, argument], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  assert.deepEqual([code, said.trim()], [0, "null 1"]);
});

/** Children of this process by name, those that are dead and not yet reaped among them. */
function listChildren(name: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, command, state, parent] = /^\d+ \((.*)\) (\S) (\d+)/.exec(stat) ?? [];
      return command === name && parent === String(process.pid) ? [`${pid} ${state}`] : [];
    } catch {
      return [];
    }
  });
}
