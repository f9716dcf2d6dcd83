import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "toolcell";
import { makeProject, names, ownTool, packageJson, packageOf } from "./a-project.ts";

test("packages are found among all kinds of dependencies, and each tool says which it is from", async () => {
  const kinds = { dependencies: { one: "1" }, devDependencies: { "@scope/two": "1" }, optionalDependencies: { three: "1" } };
  await using project = makeProject(
    {
      one: packageOf("one", ["tool_one"]),
      "@scope/two": packageOf("@scope/two", ["tool_two"]),
      three: packageOf("three", ["tool_three"]),
      stray: packageOf("stray", ["tool_stray"]),
      plain: { "package.json": '{ "name": "plain" }' },
    },
    { "package.json": JSON.stringify({ ...kinds, peerDependencies: { stray: "1" } }) },
  );
  const engine = await project.start();
  const entry = engine.capabilities().find(({ source }) => source === "@scope/two");
  assert.match(entry?.name ?? "", /^scope-two-[0-9a-f]{8}$/u);
  const listed = engine.tools().filter(({ kind }) => kind === "package");
  assert.deepEqual(
    listed.map(({ name, source, capability }) => [name, source, capability]),
    [
      ["tool_one", "one", "one"],
      ["tool_three", "three", "three"],
      ["tool_two", "@scope/two", entry?.name],
    ],
  );
  assert.deepEqual(engine.skipped(), []);
  assert.deepEqual([entry?.kind, entry?.label, entry?.version, entry?.state], ["package", "@scope/two", "1.0.0", "ready"]);
});

test("without the option there are none", async () => {
  await using project = makeProject({ one: packageOf("one", ["tool_one"]) });
  for (const plugins of [undefined, false])
    assert.deepEqual(names(await project.start(plugins === undefined ? { plugins: false } : { plugins })), []);
  await using engine = await createEngine({ home: project.home, watch: false });
  assert.deepEqual(names(engine), []);
});

test("an option that is none is refused", async () => {
  for (const plugins of [7, "", null, []])
    await assert.rejects(
      createEngine({ plugins: plugins as unknown as string }),
      /`plugins` has to be true, false, or the folder of a project/u,
    );
});

test("what a package says of itself is in the owner's pane", async () => {
  const said = { tools: { fine: "./tools.js#fine" }, label: "Fine things", permissions: { storage: true }, limits: { callMs: 1000 } };
  const more = { description: "Does fine things", license: "MIT", homepage: "not an address" };
  await using project = makeProject({ good: { "package.json": packageJson("good", said, more), "tools.js": ownTool("fine") } });
  const engine = await project.start();
  const entry = engine.capabilities().find(({ source }) => source === "good");
  assert.deepEqual(
    [entry?.label, entry?.description, entry?.permissions, entry?.grants, entry?.state],
    ["Fine things", "Does fine things", { storage: true }, {}, "waiting"],
  );
  await engine.grant("good");
  assert.deepEqual(engine.capabilities().find(({ source }) => source === "good")?.grants, { storage: true });
});

test("a scoped package is called the same whatever is beside it, and is known by the name that it is installed under", async () => {
  await using project = makeProject({
    "@acme/fabric": packageOf("@acme/fabric", ["one"]),
    "acme-fabric": packageOf("acme-fabric", ["two"]),
  });
  const engine = await project.start();
  assert.deepEqual(names(engine), ["one", "two"]);
  const [scoped, plain] = ["@acme/fabric", "acme-fabric"].map((from) => engine.capabilities().find(({ source }) => source === from)?.name);
  assert.match(scoped ?? "", /^acme-fabric-[0-9a-f]{8}$/u);
  assert.equal(plain, "acme-fabric");
  await engine.disable("@acme/fabric");
  assert.deepEqual(names(engine), ["two"]);
});
