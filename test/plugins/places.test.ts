import assert from "node:assert/strict";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { writeFiles } from "../support/capabilities.ts";
import { linkPackage, makeProject, names, ownTool, packageJson, packageOf, whyNot } from "./a-project.ts";

describe("where packages stand", () => {
  test("a package of the folder above is found, and one nearer comes before it", async () => {
    await using project = makeProject({ up: packageOf("up", ["up"]), both: packageOf("both", ["both"], "above") });
    const inner = path.join(project.root, "packages/app");
    writeFiles(inner, { "package.json": JSON.stringify({ dependencies: { up: "1", both: "1" } }) });
    writeFiles(path.join(inner, "node_modules/both"), packageOf("both", ["both"], "near"));
    const engine = await project.start({ plugins: inner });
    assert.deepEqual(names(engine), ["both", "up"]);
    assert.equal((await engine.call("both")).text, "near");
  });

  test("a linked workspace works, with its own dependencies and those beside it", async () => {
    await using project = makeProject({
      dep: { "package.json": '{ "name": "dep", "main": "main.js" }', "main.js": 'module.exports = { from: "beside" };' },
    });
    const plug = path.join(project.root, "packages/plug");
    writeFiles(plug, {
      "package.json": packageJson("plug", { tools: { plug: "./tools.js#plug" } }),
      "tools.js": `import { from } from "dep";\nimport own from "own";\n${ownTool("plug").replace('"it"', "`${from} ${own}`")}`,
      "node_modules/own/package.json": '{ "name": "own", "type": "module", "main": "main.js" }',
      "node_modules/own/main.js": 'export default "own";',
      "secret.json": '"workspace"',
    });
    writeFiles(project.root, { "package.json": JSON.stringify({ dependencies: { plug: "1" } }), "secret.json": '"s3cret"' });
    linkPackage(project.root, "plug", "../packages/plug");
    const engine = await project.start();
    assert.equal((await engine.call("plug")).text, "beside own");
    writeFiles(plug, { "tools.js": `import x from "../../secret.json";\n${ownTool("plug")}\nvoid x;` });
    await engine.refresh();
    assert.match(whyNot(engine, "plug"), /leads out of the folder/u);
  });

  test("what pnpm installs works: links into a store within node_modules", async () => {
    await using project = makeProject({});
    const store = path.join(project.root, "node_modules/.pnpm");
    writeFiles(path.join(store, "plug@1/node_modules/plug"), {
      "package.json": packageJson("plug", { tools: { plug: "./tools.js#plug" } }),
      "tools.js": `import from from "dep";\n${ownTool("plug").replace('"it"', "from")}`,
    });
    writeFiles(path.join(store, "dep@1/node_modules/dep"), {
      "package.json": '{ "type": "module", "main": "main.js" }',
      "main.js": 'export default "dep";',
    });
    symlinkSync("../../dep@1/node_modules/dep", path.join(store, "plug@1/node_modules/dep"));
    linkPackage(project.root, "plug", ".pnpm/plug@1/node_modules/plug");
    writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "plug": "1" } }');
    assert.equal((await (await project.start()).call("plug")).text, "dep");
  });

  test("a package linked in from far away says nothing of where that is", async () => {
    await using project = makeProject({ near: packageOf("near", ["near"]) });
    const far = path.join(project.root, "../elsewhere/plug");
    writeFiles(far, {
      "package.json": packageJson("plug", { tools: { plug: "./tools.cjs#plug" } }),
      "tools.cjs": 'exports.plug = { NAME: "plug", DESCRIPTION: "d", run: () => where };\nconst where = new Error("here").stack;',
    });
    writeFileSync(path.join(project.root, "package.json"), '{ "dependencies": { "near": "1", "plug": "1" } }');
    linkPackage(project.root, "plug", far);
    const engine = await project.start();
    const { text } = await engine.call("plug");
    assert.match(text, /here/u);
    assert.doesNotMatch(text, /elsewhere|toolcell-test/u);
  });

  test("no tool writes where packages stand, or to what says which there are", async () => {
    await using project = makeProject({ near: packageOf("near", ["near"]) });
    const { root } = project;
    const plug = path.join(root, "packages/plug");
    writeFiles(plug, packageOf("plug", ["plug"]));
    writeFileSync(path.join(root, "package.json"), '{ "dependencies": { "near": "1", "plug": "1" } }');
    linkPackage(root, "plug", "../packages/plug");
    writeFiles(path.join(root, "capabilities"), {
      "writer/index.js": 'export const PERMISSIONS = { workspace: "write" };',
      "writer/write.js": `import { writeFile } from "node:fs/promises";
export const NAME = "write";
export const DESCRIPTION = "Writes.";
export const INPUT_SCHEMA = { type: "object", properties: { file: { type: "string" } }, required: ["file"] };
export async function run(_context, { file }) { await writeFile("/workspace/" + file, "x"); return "written"; }`,
    });
    const engine = await project.start({ workspace: root, capabilities: [path.join(root, "capabilities")], policy: { grant: () => true } });
    assert.deepEqual(names(engine), ["near", "plug"]);
    assert.equal((await engine.call("write", { file: "packages/note.txt" })).text, "written");
    for (const file of [
      "packages/plug/tools.js",
      "packages/plug/note.txt",
      "node_modules/near/tools.js",
      "node_modules/x.js",
      "package.json",
    ])
      assert.equal((await engine.call("write", { file })).ok, false, file);
    assert.equal((await engine.call("plug")).text, "it");
  });
});
