import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { createAdmission, type AdmissionLimits } from "../../src/admission/admission.ts";
import type { CapabilityRecord } from "../../src/admission/record.ts";
import { brokenReason, limitsWith, makeFolder, makeTempDir, tool, type Files } from "../admission/a-folder.ts";

const MIB = 1024 * 1024;

async function admitWith(changed: Partial<AdmissionLimits>, files: Files): Promise<CapabilityRecord> {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith(changed) });
  return await admission.admit(makeFolder(files), { shipped: false });
}

/** What is said of the tool `a`, or of the whole folder; empty where all of it is taken. */
function complaint(record: CapabilityRecord): string {
  if (record.refused !== null) return record.refused;
  return record.broken.length === 0 && record.tools.length > 0 ? "" : brokenReason(record, "a.ts");
}

const padTo = (source: string, bytes: number): string => source + " ".repeat(bytes - source.length);
const listOf = (count: number): string => `[${Array.from({ length: count }, (_, index) => index).join(",")}]`;
const withSchema = (schema: string): Files => ({ "a.ts": tool("a", { schema }) });
const properties = (count: number): string =>
  `{ properties: { ${Array.from({ length: count }, (_, index) => `p${index}: {}`).join(", ")} } }`;
const schemaOfBytes = (bytes: number): string =>
  `{"type":"object","description":"${"x".repeat(bytes - '{"type":"object","description":""}'.length)}"}`;
/** `levels` levels of schemas, the root among them. */
const deep = (levels: number): string => (levels === 1 ? "{}" : `{ allOf: [${deep(levels - 1)}] }`);
const references = (count: number): string =>
  `{ definitions: { d: {} }, allOf: [${Array.from({ length: count }, () => '{ $ref: "#/definitions/d" }').join(",")}] }`;
const helpers = (count: number): Files => ({
  "a.ts": tool("a", { before: Array.from({ length: count }, (_, index) => `import "./_${index}.ts";`).join("") }),
  ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`_${index}.ts`, ""])),
});
/** The tool file and one helper come to `bytes`. */
function sourcesOf(bytes: number): Files {
  const source = tool("a", { before: 'import "./_h.ts";' });
  return { "a.ts": source, "_h.ts": " ".repeat(bytes - source.length) };
}
const tools = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}.ts`, tool(`t${index}`)]));

interface Edge {
  readonly limit: keyof AdmissionLimits;
  readonly value: number;
  readonly at: Files;
  readonly over: Files;
}

const EDGES: readonly Edge[] = [
  { limit: "sourceBytes", value: 1024, at: { "a.ts": padTo(tool("a"), 1024) }, over: { "a.ts": padTo(tool("a"), 1025) } },
  { limit: "toolCount", value: 3, at: tools(3), over: tools(4) },
  {
    limit: "descriptionChars",
    value: 20,
    at: { "a.ts": `export const NAME = "a", DESCRIPTION = "${"d".repeat(20)}", run = () => 1;` },
    over: { "a.ts": `export const NAME = "a", DESCRIPTION = "${"d".repeat(21)}", run = () => 1;` },
  },
  // The object, the array, and its elements.
  { limit: "literalCount", value: 12, at: withSchema(`{ examples: ${listOf(10)} }`), over: withSchema(`{ examples: ${listOf(11)} }`) },
  { limit: "schemaBytes", value: 256, at: withSchema(schemaOfBytes(256)), over: withSchema(schemaOfBytes(257)) },
  { limit: "schemaDepthCount", value: 5, at: withSchema(deep(5)), over: withSchema(deep(6)) },
  { limit: "schemaPropertyCount", value: 7, at: withSchema(properties(7)), over: withSchema(properties(8)) },
  {
    limit: "schemaEnumCount",
    value: 7,
    at: withSchema(`{ properties: { a: { enum: ${listOf(7)} } } }`),
    over: withSchema(`{ properties: { a: { enum: ${listOf(8)} } } }`),
  },
  { limit: "schemaRefCount", value: 7, at: withSchema(references(7)), over: withSchema(references(8)) },
  { limit: "inputCount", value: 4, at: helpers(3), over: helpers(4) },
  { limit: "inputBytes", value: 1024, at: sourcesOf(1024), over: sourcesOf(1025) },
];

for (const { limit, value, at, over } of EDGES) {
  test(`what is just within ${limit} is taken`, async () => assert.equal(complaint(await admitWith({ [limit]: value }, at)), ""));
  test(`what is just over ${limit} is not, and the reason names it`, async () => {
    const reason = complaint(await admitWith({ [limit]: value }, over));
    assert.match(reason, new RegExp(`\\b${value} .*\\(${limit}\\)`));
  });
  test(`what is over ${limit} is taken where the owner allows it`, async () => {
    assert.equal(complaint(await admitWith({ [limit]: value + 1 }, over)), "");
  });
}

test("bundleBytes is the size of the bundle itself, to the byte", async () => {
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith() });
  const files = { "a.ts": tool("a") };
  const { bundleHash } = await admission.admit(makeFolder(files), { shipped: false });
  const size = Buffer.byteLength(await admission.bundle(String(bundleHash)));
  assert.equal(complaint(await admitWith({ bundleBytes: size }, files)), "");
  assert.match(complaint(await admitWith({ bundleBytes: size - 1 }, files)), /The bundle is larger than \d+ bytes \(bundleBytes\)/);
});

test("only the tools whose own bundle is over bundleBytes are broken", async () => {
  const files = { "a.ts": tool("a", { before: `globalThis.x = "${"x".repeat(50_000)}";` }), "b.ts": tool("b") };
  const record = await admitWith({ bundleBytes: 40_000 }, files);
  assert.match(brokenReason(record, "a.ts"), /\(bundleBytes\)/);
  assert.deepEqual([record.refused, record.tools.map(({ name }) => name)], [null, ["b"]]);
});

test("tools that are over bundleBytes only together refuse the folder", async () => {
  const large = (name: string): string => tool(name, { before: `globalThis.${name} = "${"x".repeat(30_000)}";` });
  const record = await admitWith({ bundleBytes: 50_000 }, { "a.ts": large("a"), "b.ts": large("b") });
  assert.match(record.refused ?? "", /\(bundleBytes\)/);
});

/** Its tree is some hundred megabytes. */
const LARGE_TREE: Files = { "a.ts": `${"a;".repeat(450_000)}\n${tool("a")}` };

test("a source that outgrows admitHeapBytes is refused, and taken where the owner allows it", async () => {
  const over = await admitWith({ admitHeapBytes: 64 * MIB }, LARGE_TREE);
  assert.match(complaint(over), /needed more than 67108864 bytes of memory \(admitHeapBytes\)/);
  assert.equal(complaint(await admitWith({ admitHeapBytes: 1024 * MIB }, LARGE_TREE)), "");
});

/** Each module is looked for under many names, and each look costs a little. */
const SLOW: Files = {
  ...Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`_m/${index}/index.ts`, `import "../${index + 1}";`])),
  "_m/1500/index.ts": "",
  "a.ts": tool("a", { before: 'import "./_m/0";' }),
};

test("a folder that takes longer than admitMs is refused, and taken where the owner allows it", async () => {
  assert.match(complaint(await admitWith({ admitMs: 100 }, SLOW)), /took longer than 100 ms \(admitMs\)/);
  assert.equal(complaint(await admitWith({ admitMs: 600_000 }, SLOW)), "");
});

test("the time that a folder waits for the one before it is not counted as its own", async () => {
  const admitMs = 1500;
  await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith({ admitCount: 1, admitMs }) });
  const slow = makeFolder(SLOW, "slow");
  const folders = Array.from({ length: 3 }, (_, index) => makeFolder({ "a.ts": tool(`t${index}`) }));
  const records = await Promise.all([slow, slow, ...folders].map((folder) => admission.admit(folder, { shipped: false })));
  assert.deepEqual(records.slice(2).map(complaint), ["", "", ""]);
});

for (const admitCount of [1, 3]) {
  test(
    `no more than ${admitCount} folders are read at once with admitCount ${admitCount}`,
    { skip: process.platform !== "linux" },
    async () => {
      const before = countThreads();
      await using admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith({ admitCount }) });
      let most = 0;
      const timer = setInterval(() => (most = Math.max(most, countThreads() - before)), 5);
      const records = await Promise.all(
        Array.from({ length: 12 }, (_, index) => admission.admit(makeFolder({ "a.ts": tool(`t${index}`) }), { shipped: false })),
      );
      clearInterval(timer);
      assert.deepEqual(
        records.map(complaint),
        records.map(() => ""),
      );
      assert.equal(most, admitCount);
    },
  );
}

function countThreads(): number {
  return readdirSync("/proc/self/task").filter((task) => {
    try {
      return readFileSync(`/proc/self/task/${task}/comm`, "utf8").trim() === "WorkerThread";
    } catch {
      return false;
    }
  }).length;
}
