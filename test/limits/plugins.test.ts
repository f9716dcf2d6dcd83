import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { makeProject, names, packageJson, packageOf, whyNot, type TestProject } from "../plugins/a-project.ts";

describe("dependencyCount", () => {
  let project: TestProject;
  before(() => {
    project = makeProject({ a: packageOf("a", ["a"]), b: packageOf("b", ["b"]), c: packageOf("c", ["c"]) });
  });
  after(() => project[Symbol.asyncDispose]());

  test("dependencyCount: as many as it says are looked at", async () => {
    const engine = await project.start({ limits: { dependencyCount: 3 } });
    assert.deepEqual([names(engine), engine.skipped()], [["a", "b", "c"], []]);
  });

  test("dependencyCount: those past it are not, and that is told once", async () => {
    const engine = await project.start({ limits: { dependencyCount: 2 } });
    assert.deepEqual(names(engine), ["a", "b"]);
    assert.match(whyNot(engine, "package.json", "dependencies"), /more than 2 dependencies \(dependencyCount\)/u);
  });

  test("dependencyCount overridden: the first of a hundred thousand are looked at, in good time", async () => {
    const dependencies = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`x${index}`, "1"]));
    writeFileSync(
      path.join(project.root, "package.json"),
      JSON.stringify({ optionalDependencies: dependencies, dependencies: { a: "1" } }),
    );
    const engine = await project.start();
    assert.deepEqual(names(engine), ["a"]);
    assert.match(whyNot(engine, "package.json", "dependencies"), /more than 2000 dependencies/u);
  });
});

describe("toolCount, of a package", () => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, "./tools.js#t0"]));

  test("toolCount: a package may name as many tools as it says, and not one more", async () => {
    const [two, many] = [packageOf("two", ["one", "two"]), { "package.json": packageJson("many", { tools: entries(3) }), "tools.js": "" }];
    await using project = makeProject({ two, many, flood: { "package.json": packageJson("flood", { tools: entries(10_000) }) } });
    const engine = await project.start({ limits: { toolCount: 16 } });
    assert.deepEqual(names(engine), ["one", "two"]);
    assert.match(whyNot(engine, "flood"), /names more than 16 tools \(toolCount\)/u);
  });
});
