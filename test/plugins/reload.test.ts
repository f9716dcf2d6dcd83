import assert from "node:assert/strict";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { until } from "../modules/a-module.ts";
import { writeFiles } from "../support/capabilities.ts";
import { linkPackage, makeProject, names, ownTool, packageJson, packageOf, whyNot } from "./a-project.ts";

test("a package reloads as its files, its package.json and the project's change", async () => {
  await using project = makeProject({ plug: packageOf("plug", ["one"], "old") });
  const engine = await project.start({ watch: true });
  const plug = path.join(project.root, "node_modules/plug");
  assert.equal((await engine.call("one")).text, "old");
  writeFileSync(path.join(plug, "tools.js"), ownTool("one", "new"));
  await until(engine, async () => (await engine.call("one")).text === "new");
  writeFiles(plug, {
    "more.js": ownTool("two", "second"),
    "package.json": packageJson("plug", { tools: { one: "./tools.js#one", two: "./more.js#two" } }),
  });
  await until(engine, () => names(engine).join() === "one,two");
  writeFileSync(path.join(plug, "more.js"), ownTool("two", "third"));
  await until(engine, async () => (await engine.call("two")).text === "third");
  writeFiles(path.join(project.root, "node_modules/other"), packageOf("other", ["three"]));
  writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "plug": "1", "other": "1" } }');
  await until(engine, () => names(engine).join() === "one,three,two");
  writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "other": "1" } }');
  await until(engine, () => names(engine).join() === "three");
});

test("what breaks a tool that serves is not taken, and a package manager's note has its dependencies read again", async () => {
  await using project = makeProject({
    plug: { ...packageOf("plug", ["one"]), "tools.js": `import { dep } from "dep";\n${ownTool("one").replace('"it"', "dep")}` },
    dep: { "package.json": '{ "type": "module", "main": "main.js" }', "main.js": 'export const dep = "first";' },
  });
  const engine = await project.start({ watch: true });
  assert.equal((await engine.call("one")).text, "first");
  const modules = path.join(project.root, "node_modules");
  const kept = new Promise<string>((resolve) => engine.on("kept", ({ reason }) => resolve(reason)));
  writeFileSync(path.join(modules, "plug/tools.js"), "export const one = ;");
  assert.match(await kept, /tools\.js#one/u);
  assert.equal((await engine.call("one")).text, "first");
  writeFileSync(path.join(modules, "plug/tools.js"), `import { dep } from "dep";\n${ownTool("one").replace('"it"', "dep + 2")}`);
  await until(engine, async () => (await engine.call("one")).text === "first2");
  writeFileSync(path.join(modules, "dep/main.js"), 'export const dep = "second";');
  writeFileSync(path.join(modules, ".package-lock.json"), "{}");
  await until(engine, async () => (await engine.call("one")).text === "second2");
});

test("a package.json that is half written takes no tool away, and what it says once it is whole is taken", async () => {
  await using project = makeProject({ plug: packageOf("plug", ["one"], "old"), other: packageOf("other", ["two"]) });
  const engine = await project.start({ watch: true });
  const kept: string[] = [];
  engine.on("kept", ({ reason }) => kept.push(reason));
  const plug = path.join(project.root, "node_modules/plug/package.json");
  writeFileSync(plug, '{ "name": "plug", ');
  await until(engine, () => kept.length === 1);
  assert.match(kept[0] ?? "", /is not JSON/u);
  assert.match(whyNot(engine, "plug"), /what it was goes on serving: .*is not JSON/u);
  assert.equal((await engine.call("one")).text, "old");
  await engine.refresh();
  assert.deepEqual([names(engine), kept.length], [["one", "two"], 1]);
  writeFiles(path.dirname(plug), {
    "more.js": ownTool("three"),
    "package.json": packageJson("plug", { tools: { one: "./tools.js#one", three: "./more.js#three" } }),
  });
  await until(engine, () => whyNot(engine, "plug") === "" && names(engine).join() === "one,three,two");
  const own = path.join(project.root, "package.json");
  const before = readFileSync(own, "utf8");
  writeFileSync(own, before.slice(0, -3));
  await until(engine, () => whyNot(engine, "other") !== "");
  assert.equal((await engine.call("two")).text, "it");
  writeFileSync(own, before);
  await until(engine, () => whyNot(engine, "other") === "");
  assert.equal((await engine.call("two")).text, "it");
  rmSync(path.dirname(plug), { recursive: true });
  writeFileSync(own, '{ "dependencies": { "other": "1" } }');
  await until(engine, () => names(engine).join() === "two");
});

test("a package that is put in another's place, and one that is taken away, as package managers do it", async () => {
  await using project = makeProject({ plug: packageOf("plug", ["one"], "old") });
  const engine = await project.start({ watch: true });
  const plug = path.join(project.root, "node_modules/plug");
  writeFiles(path.join(project.root, "node_modules/.plug-next"), packageOf("plug", ["one"], "new"));
  renameSync(plug, `${plug}-old`);
  renameSync(path.join(project.root, "node_modules/.plug-next"), plug);
  writeFileSync(path.join(project.root, "package-lock.json"), "{}");
  await until(engine, async () => (await engine.call("one")).text === "new");
  rmSync(plug, { recursive: true });
  await until(engine, () => names(engine).length === 0);
});

test("a linked package reloads where it stands", async () => {
  await using project = makeProject({});
  const plug = path.join(project.root, "packages/plug");
  writeFiles(plug, packageOf("plug", ["one"], "old"));
  linkPackage(project.root, "plug", plug);
  writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "plug": "1" } }');
  const engine = await project.start({ watch: true });
  assert.equal((await engine.call("one")).text, "old");
  writeFileSync(path.join(plug, "tools.js"), ownTool("one", "new"));
  await until(engine, async () => (await engine.call("one")).text === "new");
});
