import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import type { Engine } from "toolcell";
import { writeFiles } from "../support/capabilities.ts";
import { makeProject, names, ownTool, packageJson, packageOf, whyNot, type TestProject } from "./a-project.ts";

const GOOD = packageOf("good", ["fine"]);

describe("what is wrong with a dependency is told, and the others stay", () => {
  const CASES: readonly (readonly [what: string, packageJson: string, reason: RegExp])[] = [
    ["a package.json that is no JSON", "{", /is not JSON in UTF-8/u],
    ["one that is no object", "[]", /holds no object/u],
    ["a toolcell that is none", '{ "toolcell": 7 }', /has to be an object that names `tools`/u],
    ["no tools", '{ "toolcell": {} }', /`toolcell\.tools` of its package\.json has to be an object/u],
    ["an empty list", '{ "toolcell": { "tools": {} } }', /names no tool/u],
    [
      "a key of another kind",
      '{ "toolcell": { "tools": { "a": "./a.js" }, "permision": {} } }',
      /knows no "permision"; it may hold tools/u,
    ],
    ["a runtime", '{ "toolcell": { "tools": { "a": "./a.js" }, "runtime": "worker" } }', /a package runs sealed/u],
    ["a tool that is no text", '{ "toolcell": { "tools": { "a": {} } } }', /"a" is not given as text/u],
    ["a tool called __proto__", '{ "toolcell": { "tools": { "__proto__": "./a.js" } } }', /"__proto__" is not a tool's name/u],
    ["a tool with a blank in its name", '{ "toolcell": { "tools": { "a b": "./a.js" } } }', /"a b" is not a tool's name/u],
    ...["../../x.js", "./../x.js", "/etc/passwd.js", "x.js", "./a/../../x.js", "./", "./.", "file:///x.js", "./a\\..\\x.js"].map(
      (value) => [`an entry "${value}"`, JSON.stringify({ toolcell: { tools: { a: value } } }), /names no file of the package/u] as const,
    ),
    ["an entry in another package", '{ "toolcell": { "tools": { "a": "./node_modules/x/a.js" } } }', /names no file of the package/u],
    ["an entry of another kind", '{ "toolcell": { "tools": { "a": "./a.json#x" } } }', /is no source file/u],
    ["an entry that is not there", '{ "toolcell": { "tools": { "a": "./a.js#x" } } }', /not there any more/u],
    [
      "permissions in no form",
      '{ "toolcell": { "tools": { "fine": "./tools.js#fine" }, "permissions": { "network": ["*"] } } }',
      /asks for every host/u,
    ],
  ];
  let project: TestProject;
  let engine: Engine;
  before(async () => {
    const packages = CASES.map(([, text], index) => [`bad${index}`, { "package.json": text, "tools.js": ownTool("fine") }] as const);
    project = makeProject({ ...Object.fromEntries(packages), good: GOOD });
    engine = await project.start();
  });
  after(() => project[Symbol.asyncDispose]());
  for (const [index, [what, , reason]] of CASES.entries()) {
    test(what, () => {
      const told = engine.skipped().filter(({ source }) => source === `bad${index}`);
      assert.match(told.map((one) => one.reason).join("\n"), reason);
      assert.deepEqual(names(engine), ["fine"]);
    });
  }
});

test("a name that leads elsewhere", async () => {
  await using project = makeProject({ good: GOOD });
  const bad = ["..", "../x", "a/b/c", "@a/../b", ".bin", "a\\b", "", "x".repeat(215), "__proto__/x"];
  const dependencies = JSON.stringify(Object.fromEntries([...bad, "good"].map((name) => [name, "1"])));
  writeFileSync(path.join(project.root, "package.json"), `{ "dependencies": ${dependencies} }`);
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine"]);
  assert.equal(engine.skipped().length, bad.length);
  for (const { source, reason } of engine.skipped()) {
    assert.equal(source, "package.json");
    assert.match(reason, /is not a package's name/u);
  }
});

test("one that is not installed, unless it need not be", async () => {
  await using project = makeProject({ good: GOOD });
  const packageFile = path.join(project.root, "package.json");
  const missing = { dependencies: { good: "1", gone: "1" }, devDependencies: { dev: "1" }, optionalDependencies: { maybe: "1" } };
  writeFileSync(packageFile, JSON.stringify(missing));
  const engine = await project.start();
  assert.deepEqual(
    engine.skipped().map(({ name }) => name),
    ["gone"],
  );
  assert.match(whyNot(engine, "gone"), /is not installed; run `npm install`/u);
  writeFileSync(packageFile, JSON.stringify({ ...missing, devDependencies: { dev: "1", other: "1" } }));
  writeFiles(path.join(project.root, "node_modules/other"), { "package.json": "{}" });
  await engine.refresh();
  assert.deepEqual(
    engine.skipped().map(({ name }) => name),
    ["dev", "gone"].sort(),
  );
});

test("links: an entry that leads out of its package, a package.json that does, and a link to nowhere", async () => {
  await using project = makeProject({
    out: { "package.json": packageJson("out", { tools: { out: "./tools.js#out", deep: "./lib/deep.js#deep" } }) },
    aside: { "package.json": packageJson("aside", { tools: { aside: "./tools.js#aside" } }) },
    good: GOOD,
  });
  const modules = path.join(project.root, "node_modules");
  writeFiles(project.root, { "tools.js": ownTool("out"), "lib/deep.js": ownTool("deep") });
  symlinkSync("../../tools.js", path.join(modules, "out/tools.js"));
  symlinkSync("../../lib", path.join(modules, "out/lib"));
  // Another package is beyond its own too.
  symlinkSync("../good/tools.js", path.join(modules, "aside/tools.js"));
  symlinkSync("nowhere", path.join(modules, "dangling"));
  writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "out": "1", "aside": "1", "good": "1", "dangling": "1" } }');
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine"]);
  for (const [source, label] of [
    ["out", "tools.js#out"],
    ["out", "lib/deep.js#deep"],
    ["aside", "tools.js#aside"],
  ] as const)
    assert.match(whyNot(engine, source, label), /out of the folder/u, label);
  assert.match(whyNot(engine, "dangling"), /is not installed/u);
});

test("a package.json that is a folder, a pipe's worth of nothing, or 50 MB", async () => {
  await using project = makeProject({ folder: { "package.json/x": "" }, huge: { "package.json": "{}" }, bom: {}, good: GOOD });
  truncateSync(path.join(project.root, "node_modules/huge/package.json"), 50 * 1024 * 1024);
  mkdirSync(path.join(project.root, "node_modules/bom"), { recursive: true });
  const bom = packageOf("bom", ["bom"]);
  writeFiles(path.join(project.root, "node_modules/bom"), { ...bom, "package.json": `\uFEFF${String(bom["package.json"])}` });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["bom", "fine"]);
  assert.match(whyNot(engine, "folder"), /is no file/u);
  assert.match(whyNot(engine, "huge"), /larger than \d+ bytes \(sourceBytes\)/u);
});

test("a project without a package.json, or with one that is damaged", async () => {
  await using project = makeProject({ good: GOOD });
  writeFileSync(path.join(project.root, "package.json"), "{ nothing");
  const engine = await project.start();
  assert.deepEqual(names(engine), []);
  assert.match(whyNot(engine, project.root, "package.json"), /is not JSON/u);
  rmSync(path.join(project.root, "package.json"));
  await engine.refresh();
  assert.match(whyNot(engine, project.root, "package.json"), /There is no such/u);
});
