import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { AdaptedEntry, AdaptedSource } from "../../src/admission/adapted.ts";
import type { JsonObject } from "../../src/catalogue/json.ts";
import { brokenReason, makeTempDir, sharedAdmission, writeFiles, type Files } from "../admission/a-folder.ts";

const admission = sharedAdmission();
const PROJECT: Files = {
  "secret.json": '{ "token": "s3cret" }',
  "src/own.js": 'export const own = "s3cret";',
  "tsconfig.json": '{ "compilerOptions": { "paths": { "alias": ["./secret.json"] } } }',
  "node_modules/dep/package.json": '{ "name": "dep", "main": "main.js" }',
  "node_modules/dep/main.js": 'export const dep = "dependency";',
  "node_modules/.cache/seen.json": '"cached"',
  "node_modules/pkg/package.json": '{ "name": "pkg", "imports": { "#own": "./inner.js", "#out": "../../secret.json" } }',
  "node_modules/pkg/inner.js": "export const inner = 1;",
};

function entry(file: string, label = path.basename(file)): AdaptedEntry {
  return { file, label, exportName: null, key: "sample" };
}

function project(files: Files): string {
  const root = makeTempDir();
  writeFiles(root, { ...PROJECT, ...files });
  return root;
}

function sourceIn(root: string, more: Partial<AdaptedSource> = {}): AdaptedSource {
  const manifest: JsonObject = { label: "Sample", description: "d", version: "1.0.0", license: "MIT" };
  return {
    kind: "module",
    name: "sample",
    root,
    fence: ["node_modules"],
    entries: [entry("node_modules/pkg/tools.js")],
    manifest,
    ...more,
  };
}

/** What listing a package that imports this comes to. */
async function importing(specifier: string, more: Files = {}): Promise<string> {
  const root = project({ "node_modules/pkg/tools.js": `import * as x from ${JSON.stringify(specifier)};\nexport { x };`, ...more });
  const { record } = await admission.admitAdapted(root, { source: sourceIn(root), listing: null }, { shipped: false });
  if (record.bundleHash === null) return record.refused ?? brokenReason(record, "tools.js");
  const bundle = await admission.bundle(record.bundleHash);
  return bundle.includes("s3cret") ? "the bundle holds the secret" : "taken";
}

describe("a source behind a fence", () => {
  const TAKEN = ["dep", "./inner.js", "./inner", "#own", "node:path"];
  for (const specifier of TAKEN) test(`imports "${specifier}"`, async () => assert.equal(await importing(specifier), "taken"));

  const REFUSED: readonly (readonly [specifier: string, reason: RegExp])[] = [
    ["../../secret.json", /leads out of the folder/u],
    ["../../src/own.js", /leads out of the folder/u],
    ["../dep/main.js", /leads out of the folder/u],
    ["../.cache/seen.json", /leads out of the folder/u],
    ["../../../outside.js", /leads out of the folder/u],
    ["#out", /is not in the folder|leads out/u],
    ["alias", /is not in the folder's node_modules/u],
    ["own", /is not in the folder's node_modules/u],
    ["/etc/passwd", /absolute path/u],
    ["file:///etc/passwd", /is an address/u],
  ];
  for (const [specifier, reason] of REFUSED) {
    test(`does not import "${specifier}"`, async () => assert.match(await importing(specifier), reason));
  }

  test("follows no link out of it, and one within it", async () => {
    const root = project({ "node_modules/pkg/tools.js": 'import "./link.json";\nimport "linked";' });
    symlinkSync("../../secret.json", path.join(root, "node_modules/pkg/link.json"));
    symlinkSync("dep", path.join(root, "node_modules/linked"));
    const { record } = await admission.admitAdapted(root, { source: sourceIn(root), listing: null }, { shipped: false });
    assert.match(record.refused ?? "", /leads out of the folder/u);
    writeFiles(root, { "node_modules/pkg/tools.js": 'import { dep } from "linked";\nexport { dep };' });
    const again = await admission.admitAdapted(root, { source: sourceIn(root), listing: null }, { shipped: false });
    assert.equal(again.record.refused, null);
  });

  test("has no entry outside of it", async () => {
    for (const file of ["../outside.js", "src/own.js", "secret.json", "/etc/passwd"]) {
      const root = project({});
      const source = sourceIn(root, { entries: [entry(file, "entry")] });
      const { record } = await admission.admitAdapted(root, { source, listing: null }, { shipped: false });
      assert.deepEqual([record.bundleHash, record.tools], [null, []], file);
      assert.match(record.refused ?? "", /out of the folder|not there/u, file);
    }
  });
});

test("one entry that cannot be bundled leaves the others", async () => {
  const root = project({ "node_modules/pkg/tools.js": "export const x = 1;", "node_modules/pkg/bad.js": 'import "./none.js";' });
  const entries = [entry("node_modules/pkg/bad.js"), entry("node_modules/pkg/gone.js"), entry("node_modules/pkg/tools.js")];
  const source = sourceIn(root, { kind: "package", entries });
  const { record } = await admission.admitAdapted(root, { source, listing: null }, { shipped: false });
  assert.deepEqual([record.refused, record.tools.map(({ name }) => name)], [null, ["#2"]]);
  assert.match(brokenReason(record, "bad.js"), /none\.js" is not in the folder/u);
  assert.match(brokenReason(record, "gone.js"), /not there any more/u);
});

const MANIFESTS: readonly (readonly [what: string, manifest: JsonObject, reason: RegExp])[] = [
  ["permissions in no form", { permissions: { network: ["*"] } }, /PERMISSIONS\.network\[0\] asks for every host/u],
  ["a limit that there is none of", { limits: { seconds: 1 } }, /LIMITS knows no "seconds"/u],
  ["hidden letters in its description", { description: "a\u202eb" }, /DESCRIPTION holds the invisible character/u],
  ["a homepage that is none", { homepage: "javascript:alert(1)" }, /HOMEPAGE .* is not a web address/u],
  ["a label that is a number", { label: 1 }, /LABEL has to be a string/u],
];
for (const [what, manifest, reason] of MANIFESTS) {
  test(`a manifest with ${what} refuses the package`, async () => {
    const root = project({ "node_modules/pkg/tools.js": "" });
    const { record } = await admission.admitAdapted(root, { source: sourceIn(root, { manifest }), listing: null }, { shipped: false });
    assert.match(record.refused ?? "", reason);
  });
}

test("a listing that names too many tools, or what is no tool of its entry, is told", async () => {
  const root = project({ "node_modules/pkg/tools.js": "export const x = 1;" });
  const listed = (names: readonly string[]) => [
    { tools: names.map((name) => ({ name, description: "d", inputSchema: {}, profile: null })), faults: [], hasCli: false },
  ];
  const many = listed(Array.from({ length: 129 }, (_, index) => `sample_${index}`));
  const over = await admission.admitAdapted(root, { source: sourceIn(root), listing: many }, { shipped: false });
  assert.match(over.record.refused ?? "", /more than 128 tools \(toolCount\)/u);
  const source = sourceIn(root, { kind: "package" });
  const other = await admission.admitAdapted(root, { source, listing: listed(["other"]) }, { shipped: false });
  assert.deepEqual(other.record.tools, []);
  assert.match(brokenReason(other.record, "tools.js"), /registered as "sample" and calls itself "other"/u);
});
