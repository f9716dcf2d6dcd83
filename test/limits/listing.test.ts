import assert from "node:assert/strict";
import { test } from "node:test";
import { makeModules, moduleOf, names, schema, whyNot } from "../modules/a-module.ts";

const spin = (ms: number): string => `const until = Date.now() + ${ms};\nwhile (Date.now() < until);\n${moduleOf(["abc_one"])}`;
const waiting = (
  ms: number,
): string => `export const getToolSchemas = () => new Promise((resolve) => setTimeout(() => resolve([${schema("abc_one")}]), ${ms}));
export const dispatch = () => "it";`;

for (const [what, source] of [
  ["computes", spin],
  ["waits", waiting],
] as const) {
  test(`a list that ${what} within listMs is taken`, async () => {
    await using made = await makeModules({ "shared/abc.js": source(50) }, { watch: false, limits: { listMs: 2000 } });
    assert.deepEqual(names(made.engine), ["abc_one"]);
  });

  test(`a list that ${what} past listMs is refused, and the reason names it`, async () => {
    await using made = await makeModules({ "shared/abc.js": source(3000) }, { watch: false, limits: { listMs: 300 } });
    assert.match(whyNot(made.engine, "abc"), /300 ms \(listMs\)/u);
  });

  test(`a list that ${what} past listMs is taken where the owner allows it`, async () => {
    await using made = await makeModules(
      { "shared/abc.js": source(700) },
      { watch: false, limits: { listMs: 20_000, listWaitMs: 60_000 } },
    );
    assert.deepEqual(names(made.engine), ["abc_one"]);
  });
}

/** What a list comes to as it is told: the text of it, byte for byte. */
function sized(bytes: number): string {
  const of = (fill: string): string =>
    JSON.stringify({ tools: [{ name: "abc_one", description: fill, inputSchema: {}, profile: null }], faults: [], hasCli: false });
  const fill = "x".repeat(bytes - of("").length);
  return `export const getToolSchemas = () => [{ name: "abc_one", description: ${JSON.stringify(fill)}, input_schema: {} }];
export const dispatch = () => "it";`;
}

const ROOM = { descriptionChars: 100_000 };

test("a list of just listBytes is taken", async () => {
  await using made = await makeModules({ "shared/abc.js": sized(4096) }, { watch: false, limits: { ...ROOM, listBytes: 4096 } });
  assert.deepEqual([whyNot(made.engine, "abc"), names(made.engine)], ["", ["abc_one"]]);
});

test("a list one byte larger is refused, and the reason names it", async () => {
  await using made = await makeModules({ "shared/abc.js": sized(4097) }, { watch: false, limits: { ...ROOM, listBytes: 4096 } });
  assert.match(whyNot(made.engine, "abc"), /larger than 4096 bytes \(listBytes\)/u);
});

test("it is taken where the owner allows it", async () => {
  await using made = await makeModules({ "shared/abc.js": sized(4097) }, { watch: false, limits: { ...ROOM, listBytes: 4097 } });
  assert.deepEqual(names(made.engine), ["abc_one"]);
});

const SLOW = { "shared/abc.js": waiting(1200) };

test("an engine waits for a list within listWaitMs", async () => {
  await using made = await makeModules(SLOW, { watch: false, limits: { listWaitMs: 10_000 } });
  assert.deepEqual(names(made.engine), ["abc_one"]);
});

test("past listWaitMs an engine is there without it, says so, and has it once it is listed", async () => {
  await using made = await makeModules(SLOW, { watch: false, limits: { listWaitMs: 50 } });
  const { engine } = made;
  assert.deepEqual(names(engine), []);
  assert.match(whyNot(engine, "abc"), /still being listed.*\(listWaitMs\)/u);
  const { promise, resolve } = Promise.withResolvers<void>();
  engine.on("added", () => resolve());
  if (names(engine).length === 0) await promise;
  assert.equal((await engine.call("abc_one")).text, "it");
  assert.deepEqual(engine.skipped(), []);
});

test("an engine waits for as long as its owner says", async () => {
  await using made = await makeModules(SLOW, { watch: false, limits: { listWaitMs: 60_000 } });
  assert.deepEqual(names(made.engine), ["abc_one"]);
});

const THREE = { "shared/abc.js": moduleOf(["abc_one"]), "shared/bcd.js": moduleOf(["bcd_one"]), "shared/cde.js": moduleOf(["cde_one"]) };

test("a folder of just moduleCount modules is taken whole, and another folder has as many of its own", async () => {
  await using made = await makeModules(
    { ...THREE, "shared/_words.js": "", "personal/xyz.js": moduleOf(["xyz_one"]) },
    { watch: false, limits: { moduleCount: 3 } },
  );
  assert.deepEqual(names(made.engine), ["abc_one", "bcd_one", "cde_one", "xyz_one"]);
  assert.deepEqual(made.engine.skipped(), []);
});

test("of one module more the last by name is skipped, which is told, and there is no room to write another", async () => {
  const permissions = JSON.stringify({ version: 1, tool_creation: { personal: true, shared: true } });
  await using made = await makeModules(
    { ...THREE, "personal/xyz.js": moduleOf(["xyz_one"]), "personal/yza.js": moduleOf(["yza_one"]), "agent/permissions.json": permissions },
    { watch: false, limits: { moduleCount: 2 } },
  );
  const { engine } = made;
  assert.deepEqual(names(engine), ["abc_one", "bcd_one", "xyz_one", "yza_one"]);
  const [skipped, ...others] = engine.skipped();
  assert.deepEqual([skipped?.source, skipped?.name, others], ["shared", "cde", []]);
  assert.match(skipped?.reason ?? "", /more than 2 files of modules \(moduleCount\)/u);
  const full = { code: "InvalidArguments", message: /There are 2 personal tools already \(moduleCount\)/u };
  await assert.rejects(engine.writeTool("aaa", moduleOf(["aaa_one"])), full);
  await assert.rejects(engine.shareTool("xyz"), { code: "InvalidArguments", message: /There are 2 shared tools already/u });
  assert.equal((await engine.writeTool("xyz", moduleOf(["xyz_two"]), { overwrite: true })).replaced, true);
});

test("of a great many past moduleCount the first are told by name, and the rest by number", async () => {
  const many = Array.from({ length: 130 }, (_, index) => [`shared/m${index + 100}.js`, moduleOf([`m${index + 100}`])]);
  await using made = await makeModules(Object.fromEntries(many), { watch: false, limits: { moduleCount: 1 } });
  const skipped = made.engine.skipped();
  assert.deepEqual([names(made.engine), skipped.length], [["m100"], 101]);
  assert.deepEqual([skipped[99]?.name, skipped[100]?.source, skipped[100]?.name], ["m200", "shared", "common_tools"]);
  assert.match(skipped[100]?.reason ?? "", /29 more/u);
});

test("it is taken where the owner allows as many", async () => {
  await using made = await makeModules(THREE, { watch: false, limits: { moduleCount: 100_000 } });
  assert.deepEqual(names(made.engine), ["abc_one", "bcd_one", "cde_one"]);
});
