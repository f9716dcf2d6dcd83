import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { RegistryCollisionError, RegistryError } from "toolcell";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { makeProject, names, ownTool, packageJson, packageOf, whyNot } from "./a-project.ts";

const GOOD = packageOf("good", ["fine"]);

test("a package that fails to load is skipped with its reason, and the owner's log has the whole stack", async () => {
  const bad = {
    "package.json": packageJson("bad", { tools: { torn: "./tools.js#torn", other: "./other.js#other" } }),
    "tools.js": 'import { fail } from "./deep.js";\nfail();\nexport const torn = 1;',
    "deep.js": 'export function fail() {\n  throw new TypeError("no such thing");\n}',
    "other.js": ownTool("other"),
  };
  await using project = makeProject({ bad, good: GOOD });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine", "other"]);
  assert.equal(whyNot(engine, "bad", "tools.js#torn"), "Its tools could not be listed: TypeError: no such thing");
  const entry = project.log.find(({ level, detail }) => level === "error" && detail !== undefined);
  assert.match(entry?.message ?? "", /TypeError: no such thing/u);
  assert.match(entry?.detail ?? "", /at fail .*deep\.js:2:\d+\)?\n.*tools\.js:2:\d+/u);
  assert.doesNotMatch(JSON.stringify(engine.skipped()), /deep\.js/u);
});

test("a package whose source is none is skipped with file and line", async () => {
  const bad = {
    "package.json": packageJson("bad", { tools: { one: "./one.js#one", two: "./two.js#two" } }),
    "one.js": "export const one = ;",
    "two.js": 'import "not-there";\nexport const two = 1;',
  };
  await using project = makeProject({ bad, good: GOOD });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine"]);
  assert.match(whyNot(engine, "bad", "one.js#one:1"), /Unexpected ";"/u);
  assert.match(whyNot(engine, "bad", "two.js#two:1"), /"not-there" is not in the folder's node_modules/u);
});

const NOT_TOOLS: readonly (readonly [source: string, reason: RegExp])[] = [
  ["export const it = 7;", /"it" is not a tool but a value of type number; export what `tool\(\)`/u],
  ["export const it = null;", /"it" is not a tool but null/u],
  ["export const it = { name: 'it' };", /"it" is not a tool but an object of another form/u],
  ["export function it() {}", /"it" is not a tool but a function; wrap it with `tool\(\)`/u],
  ["export class it {}", /"it" is not a tool but a function; .* of a class export an instance/u],
  ["export const it = Promise.resolve({});", /"it" is not a tool but a promise/u],
  ["export const other = 1;", /exports no "it"; it exports "other"/u],
  ["export const it = { description: 'd', inputSchema: {} };", /"it" is a tool without `execute`/u],
  ["export const it = { NAME: 7, run() {} };", /its `NAME` is no string/u],
  ["export const it = { NAME: 'it', run() {} };", /It has no `description`/u],
];

test("what is not a tool is skipped with its reason", async () => {
  const tools = Object.fromEntries(NOT_TOOLS.map((_, index) => [`it${index}`, `./tool-${index}.js#it`]));
  const files = Object.fromEntries(NOT_TOOLS.map(([source], index) => [`tool-${index}.js`, source]));
  await using project = makeProject({ bad: { "package.json": packageJson("bad", { tools }), ...files }, good: GOOD });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine"]);
  for (const [index, [source, reason]] of NOT_TOOLS.entries())
    assert.match(whyNot(engine, "bad", `tool-${index}.js#it${index}`), reason, source);
});

test("a key that differs from the tool's own name is skipped, and checked before a collision", async () => {
  const other = { "package.json": packageJson("other", { tools: { renamed: "./tools.js#fine" } }), "tools.js": ownTool("fine") };
  const shouted = { "package.json": packageJson("shouted", { tools: { Fine: "./tools.js#fine" } }), "tools.js": ownTool("fine") };
  await using project = makeProject({ good: GOOD, other, shouted });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["fine"]);
  assert.equal(whyNot(engine, "other", "tools.js#renamed"), 'It is registered as "renamed" and calls itself "fine"; give it one name');
  assert.equal(whyNot(engine, "shouted", "tools.js#Fine"), 'It is registered as "Fine" and calls itself "fine"; give it one name');
});

test("two packages that register one name: the engine does not start, and the error names both", async () => {
  await using project = makeProject({ "@acme/first": packageOf("@acme/first", ["fine"]), second: packageOf("second", ["fine", "more"]) });
  await assert.rejects(project.start(), (error) => {
    assert.ok(error instanceof RegistryCollisionError && error instanceof RegistryError);
    assert.deepEqual([error.code, error.tool, error.sources], ["TOOL_COLLISION", "fine", ["@acme/first", "second"]]);
    assert.match(error.message, /A tool "fine" is registered by "@acme\/first" and by "second", so the engine does not start/u);
    return true;
  });
});

test("a package that registers a shipped tool's name: the engine does not start, and the error names both", async () => {
  await using project = makeProject({ sneaky: packageOf("sneaky", ["text_stats"]) });
  await assert.rejects(project.start(), (error) => {
    assert.ok(error instanceof RegistryCollisionError);
    assert.deepEqual([error.tool, error.sources], ["text_stats", ["toolcell", "sneaky"]]);
    return true;
  });
});

test("a package and a capability folder of one tool: neither is used, and both are told", async () => {
  await using project = makeProject({ good: GOOD });
  const capabilities = path.join(project.root, "capabilities");
  writeFiles(capabilities, { "own/fine.js": 'export const NAME = "fine";\nexport const DESCRIPTION = "d";\nexport function run() {}' });
  const engine = await project.start({ capabilities: [capabilities] });
  assert.deepEqual(names(engine), []);
  assert.match(whyNot(engine, "good", "tools.js#fine"), /A tool "fine" is offered by "good" and "own", and neither is used/u);
});

test("a later collision leaves the engine running: neither is used, and both are told", async () => {
  await using project = makeProject({ first: packageOf("first", ["fine"]), second: packageOf("second", ["more"]) });
  const engine = await project.start();
  writeFiles(path.join(project.root, "node_modules/third"), packageOf("third", ["fine", "third"]));
  const dependencies = { first: "1", second: "1", third: "1" };
  writeFileSync(path.join(project.root, "package.json"), JSON.stringify({ dependencies }));
  await engine.refresh();
  assert.deepEqual(names(engine), ["more", "third"]);
  for (const source of ["first", "third"]) assert.match(whyNot(engine, source, "tools.js#fine"), /offered by .* and neither is used/u);
  const outcome = await engine.call("fine");
  assert.equal(outcome.error?.code, "UNKNOWN_TOOL");
  assert.match(outcome.text, /offer a tool "fine" \(first, third\), so neither is used/u);
});

test("a shipped tool that is broken: the engine does not start, and the command line says which", async () => {
  using temp = makeTempFolder();
  const root = new URL("../../", import.meta.url).pathname;
  for (const part of ["dist", "package.json"]) cpSync(path.join(root, part), path.join(temp.path, part), { recursive: true });
  symlinkSync(path.join(root, "node_modules"), path.join(temp.path, "node_modules"));
  const file = path.join(temp.path, "dist/capabilities/text/stats.js");
  const run = () =>
    spawnSync(process.execPath, [path.join(temp.path, "dist/cli.js"), "tools", "--json", "--home", path.join(temp.path, "home")], {
      encoding: "utf8",
    });
  assert.equal(run().status, 0);
  appendFileSync(file, "const = ;");
  const { status, stdout } = run();
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
  assert.deepEqual([status, error.code], [1, "SHIPPED_BROKEN"]);
  assert.match(error.message, /^The shipped capability "text" is broken, so the engine does not start: /u);
});

test("limits that are set low for strangers are none of the shipped tools' business", async () => {
  await using project = makeProject({ good: packageOf("good", ["one", "two"]) });
  const engine = await project.start({ limits: { toolCount: 1, schemaBytes: 256, sourceBytes: 1024, inputCount: 1 } });
  assert.ok(engine.tools().length > 5);
  assert.deepEqual(names(engine), []);
});
