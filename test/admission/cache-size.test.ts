import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { createAdmission } from "../../src/admission/admission.ts";
import { pruneCache } from "../../src/admission/prune.ts";
import { until } from "../support/processes.ts";
import { limitsWith, makeFolder, makeTempDir, tool } from "./a-folder.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AMPLE = { cacheBytes: 1_000_000, cacheCount: 1_000_000 };

/** Entries of 100 bytes each, the first of them used last. */
function makeCache(count: number): { readonly cacheDir: string; readonly files: readonly string[] } {
  const cacheDir = makeTempDir();
  const files = Array.from({ length: count }, (_, index) => {
    const name = createHash("sha256").update(String(index)).digest("hex");
    const file = path.join(cacheDir, index % 2 === 0 ? `records/${name}.json` : `bundles/${name}.js`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "x".repeat(100));
    setAge(file, index * HOUR_MS);
    return file;
  });
  return { cacheDir, files };
}

function setAge(file: string, ageMs: number): void {
  const seconds = (Date.now() - ageMs) / 1000;
  utimesSync(file, seconds, seconds);
}

const left = (files: readonly string[]): number[] => files.flatMap((file, index) => (existsSync(file) ? [index] : []));

for (const [limit, atIt] of [
  ["cacheBytes", 1000],
  ["cacheCount", 10],
] as const) {
  describe(limit, () => {
    test(`${limit}: a cache at it keeps all it has`, () => {
      const { cacheDir, files } = makeCache(10);
      assert.deepEqual(pruneCache(cacheDir, { ...AMPLE, [limit]: atIt }), { removedCount: 0 });
      assert.equal(left(files).length, 10);
    });
    test(`${limit}: of a cache over it what was used longest ago goes, until there is room again`, () => {
      const { cacheDir, files } = makeCache(11);
      assert.deepEqual(pruneCache(cacheDir, { ...AMPLE, [limit]: atIt }), { removedCount: 2 });
      assert.deepEqual(left(files), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    });
    test(`${limit} overridden: it all stays`, () => {
      const { cacheDir, files } = makeCache(11);
      pruneCache(cacheDir, { ...AMPLE, [limit]: atIt * 2 });
      assert.equal(left(files).length, 11);
    });
    test(`${limit} holds in an admission, which takes every folder all the same`, async () => {
      const { cacheDir, files } = makeCache(11);
      await using admission = createAdmission({ cacheDir, shippedDir: null, limits: limitsWith({ [limit]: atIt }) });
      const { bundleHash, tools } = await admission.admit(makeFolder({ "a.ts": tool("a") }), { shipped: false });
      assert.equal(tools.length, 1);
      await until(() => left(files).length < 11);
      assert.match(await admission.bundle(String(bundleHash)), /__toolcell_load/);
    });
  });
}

test("what a writer left behind goes after an hour, and what is being written stays", () => {
  const { cacheDir, files } = makeCache(2);
  const [old, young] = [`${files[0]}.1.abandoned`, `${files[0]}.2.begun`];
  for (const file of [old, young]) writeFileSync(file, "half");
  setAge(old, 2 * HOUR_MS);
  assert.deepEqual(pruneCache(cacheDir, AMPLE), { removedCount: 1 });
  assert.deepEqual([existsSync(old), existsSync(young), left(files).length], [false, true, 2]);
});

test("nothing outside the cache goes, whatever links stand in it", () => {
  const { cacheDir } = makeCache(2);
  const outside = path.join(makeTempDir(), "precious");
  writeFileSync(outside, "x".repeat(10_000));
  symlinkSync(outside, path.join(cacheDir, "records", "link"));
  symlinkSync(path.dirname(outside), path.join(cacheDir, "bundles", "folder"));
  pruneCache(cacheDir, { cacheBytes: 0, cacheCount: 0 });
  assert.ok(existsSync(outside));
});

test("a cache that is not there is within its limits", () => {
  assert.deepEqual(pruneCache(path.join(makeTempDir(), "none"), { cacheBytes: 0, cacheCount: 0 }), { removedCount: 0 });
});

test("use is noted once a day, for the record and for its bundle", async () => {
  const [cacheDir, folder] = [makeTempDir(), makeFolder({ "a.ts": tool("a") })];
  const admit = async (): Promise<void> => {
    await using admission = createAdmission({ cacheDir, shippedDir: null, limits: limitsWith() });
    await admission.admit(folder, { shipped: false });
  };
  await admit();
  const files = ["records", "bundles"].flatMap((kind) =>
    readdirSync(path.join(cacheDir, kind)).map((file) => path.join(cacheDir, kind, file)),
  );
  const ages = (): number[] => files.map((file) => Math.round((Date.now() - statSync(file).mtimeMs) / HOUR_MS));
  for (const file of files) setAge(file, DAY_MS / 2);
  await admit();
  assert.deepEqual(ages(), [12, 12]);
  for (const file of files) setAge(file, 2 * DAY_MS);
  await admit();
  assert.deepEqual(ages(), [0, 0]);
});

test("an engine that lists from the cache finds a bundle that was removed meanwhile made again", async () => {
  const [cacheDir, folder] = [makeTempDir(), makeFolder({ "a.ts": tool("a") })];
  await using admission = createAdmission({ cacheDir, shippedDir: null, limits: limitsWith() });
  const { bundleHash } = await admission.admit(folder, { shipped: false });
  const text = await admission.bundle(String(bundleHash));
  pruneCache(cacheDir, { cacheBytes: 0, cacheCount: 0 });
  assert.equal(await admission.bundle(String(bundleHash)), text);
});
