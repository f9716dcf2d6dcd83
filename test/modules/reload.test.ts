import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { makeModules, moduleOf, names, schema, until, whyNot } from "./a-module.ts";

const answer = (word: string, tools: readonly string[] = ["abc_one"]): string => moduleOf(tools, word);

describe("a module that is saved", () => {
  test("is the one that the next call runs, and the engine tells of it", async () => {
    await using made = await makeModules({ "personal/abc.js": answer("old") });
    const { engine, personal } = made;
    assert.equal((await engine.call("abc_one")).text, "old");
    const reloaded: unknown[] = [];
    engine.on("reloaded", (event) => reloaded.push(event));
    writeFileSync(path.join(personal, "abc.js"), answer("new", ["abc_one", "abc_two"]));
    await until(engine, async () => (await engine.call("abc_one")).text === "new");
    assert.deepEqual(reloaded, [{ capability: "abc", tools: ["abc_one", "abc_two"], addedTools: ["abc_two"], removedTools: [] }]);
  });

  test("by an editor that puts another file in its place is seen as well", async () => {
    await using made = await makeModules({ "shared/abc.js": answer("old") });
    writeFileSync(path.join(made.shared, ".abc.swp"), answer("new"));
    renameSync(path.join(made.shared, ".abc.swp"), path.join(made.shared, "abc.js"));
    await until(made.engine, async () => (await made.engine.call("abc_one")).text === "new");
  });

  test("by what it imports is seen, also where that came later", async () => {
    const source = `import { word } from "./_lib/word.js";\n${moduleOf(["abc_one"]).replace('return "it"', "return word")}`;
    await using made = await makeModules({ "shared/abc.js": source });
    const { engine, shared } = made;
    assert.match(whyNot(engine, "abc"), /is not in the folder/u);
    mkdirSync(path.join(shared, "_lib"));
    writeFileSync(path.join(shared, "_lib/word.js"), 'export const word = "first";');
    await until(engine, async () => (await engine.call("abc_one")).text === "first");
    writeFileSync(path.join(shared, "_lib/word.js"), 'export const word = "second";');
    await until(engine, async () => (await engine.call("abc_one")).text === "second");
  });

  test("a call that is under way ends as it began", async () => {
    const source = `export const getToolSchemas = () => [${schema("abc_one")}];
export const dispatch = (name, args, context) => { context.progress(0); return new Promise((resolve) => setTimeout(() => resolve("old"), 600)); };`;
    await using made = await makeModules({ "shared/abc.js": source });
    const { engine, shared } = made;
    const begun = Promise.withResolvers<void>();
    const call = engine.call("abc_one", {}, { onProgress: () => begun.resolve() });
    await begun.promise;
    writeFileSync(path.join(shared, "abc.js"), answer("new"));
    await until(engine, async () => (await engine.call("abc_one")).text === "new");
    assert.equal((await call).text, "old");
  });
});

describe("a module that cannot serve as it is now", () => {
  const BROKEN: readonly (readonly [what: string, source: string, reason: RegExp])[] = [
    ["a syntax error", "export function {", /Syntax error/u],
    ["a list that throws", 'export function getToolSchemas() { throw new Error("broke"); }', /could not be listed: Error: broke/u],
    ["a list that never ends", "export function getToolSchemas() { for (;;); }", /listMs/u],
    ["no list", "export const x = 1;", /exports no function/u],
    [
      "a tool that was in order and is not",
      `export const getToolSchemas = () => [{ name: "abc_one", description: "d" }];\nexport const dispatch = () => 1;`,
      /neither `input_schema`/u,
    ],
    ["a name that another capability has", moduleOf(["abc_one", "abc_taken"], "new"), /"abc_taken" is one of "demo"/u],
  ];
  for (const [what, source, reason] of BROKEN) {
    test(`for ${what} goes on as it was, is told, and serves again once it is in order`, async () => {
      const other = 'export const NAME = "abc_taken", DESCRIPTION = "d", run = () => "theirs";';
      await using made = await makeModules(
        { "personal/abc.js": answer("good"), "capabilities/demo/taken.js": other },
        { limits: { listMs: 500 } },
      );
      const { engine, personal } = made;
      assert.equal((await engine.call("abc_one")).text, "good");
      writeFileSync(path.join(personal, "abc.js"), source);
      await until(engine, () => reason.test(whyNot(engine, "abc")));
      assert.equal((await engine.call("abc_one")).text, "good");
      assert.equal((await engine.call("abc_taken")).text, "theirs");
      writeFileSync(path.join(personal, "abc.js"), answer("better"));
      await until(engine, async () => (await engine.call("abc_one")).text === "better");
      assert.deepEqual(engine.skipped(), []);
    });
  }

  test("for a schema that never was in order is taken all the same", async () => {
    const withBad = (word: string): string => answer(word).replace("return [", 'return [{ name: "abc_bad" }, ');
    await using made = await makeModules({ "personal/abc.js": withBad("old") });
    writeFileSync(path.join(made.personal, "abc.js"), withBad("new"));
    await until(made.engine, async () => (await made.engine.call("abc_one")).text === "new");
  });
});

describe("modules that come and go", () => {
  test("are there once they are written, in folders that come later too, and gone once they are removed", async () => {
    await using made = await makeModules({});
    const { engine, personal, shared } = made;
    for (const folder of [personal, shared]) rmSync(folder, { recursive: true });
    mkdirSync(personal, { recursive: true });
    writeFileSync(path.join(personal, "abc.js"), answer("it"));
    await until(engine, () => names(engine).join() === "abc_one");
    mkdirSync(shared, { recursive: true });
    writeFileSync(path.join(shared, "xyz.js"), moduleOf(["xyz_one"]));
    await until(engine, () => names(engine).length === 2);
    rmSync(path.join(personal, "abc.js"));
    await until(engine, () => names(engine).join() === "xyz_one");
    assert.equal((await engine.call("abc_one")).error?.code, "UNKNOWN_TOOL");
    rmSync(shared, { recursive: true });
    await until(engine, () => names(engine).length === 0);
    assert.deepEqual(engine.skipped(), []);
  });

  test("a shadow comes and goes with who casts it", async () => {
    await using made = await makeModules({ "shared/abc.js": answer("shared") });
    const { engine, personal } = made;
    assert.equal((await engine.call("abc_one")).text, "shared");
    writeFileSync(path.join(personal, "abc.js"), answer("personal"));
    await until(engine, async () => (await engine.call("abc_one")).text === "personal");
    rmSync(path.join(personal, "abc.js"));
    await until(engine, async () => (await engine.call("abc_one")).text === "shared");
  });

  test("without watching, a refresh is what brings them", async () => {
    await using made = await makeModules({}, { watch: false });
    writeFileSync(path.join(made.personal, "abc.js"), answer("it"));
    await made.engine.refresh();
    assert.deepEqual(names(made.engine), ["abc_one"]);
  });
});

describe("a listing", () => {
  test("is made once for each content, whoever asks, and again for another", async () => {
    const count = { "shared/abc.js": `console.log("listed");\n${answer("it")}` };
    await using made = await makeModules(count, { watch: false });
    const times = (): number => made.log.filter(({ message }) => message === "listed").length;
    assert.equal(times(), 1);
    await made.engine.refresh();
    await using again = await made.again();
    assert.deepEqual([names(again), times()], [["abc_one"], 1]);
    writeFileSync(path.join(made.shared, "abc.js"), `console.log("listed");\n${answer("other")}`);
    await made.engine.refresh();
    assert.equal(times(), 2);
  });

  test("that failed is not made again with every engine", async () => {
    await using made = await makeModules({ "shared/abc.js": 'console.log("listed");\nthrow new Error("broke");' }, { watch: false });
    await using again = await made.again();
    assert.match(whyNot(again, "abc"), /Error: broke/u);
    assert.equal(made.log.filter(({ message }) => message === "listed").length, 1);
  });

  test("of the cache that was written over is made again", async () => {
    await using made = await makeModules({ "shared/abc.js": `console.log("listed");\n${answer("it")}` }, { watch: false });
    const records = path.join(made.home, "cache/records");
    for (const file of readdirSync(records)) writeFileSync(path.join(records, file), "{}");
    await using again = await made.again();
    assert.deepEqual(names(again), ["abc_one"]);
    assert.equal(made.log.filter(({ message }) => message === "listed").length, 2);
  });

  test("that fails tells its owner the stack, in the author's own lines", async () => {
    await using made = await makeModules(
      { "shared/abc.js": '\n\nexport function getToolSchemas() {\n  throw new Error("broke");\n}\n' },
      { watch: false },
    );
    await until(made.engine, () => made.log.some(({ detail }) => detail?.includes("abc/abc.js:4") === true));
  });

  test("under way ends with its engine, and nothing of it is left", { timeout: 20_000 }, async () => {
    await using made = await makeModules({}, { watch: false, limits: { listMs: 600_000 } });
    writeFileSync(path.join(made.shared, "abc.js"), "for (;;);");
    const refreshed = made.engine.refresh();
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
    await made.engine.close();
    await refreshed;
  });
});

test("an engine that closes while many wait to be listed starts no cell for any of them", { timeout: 20_000 }, async () => {
  const loopers = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`shared/m${n}.js`, `// ${n}\nfor (;;);`]));
  await using made = await makeModules(loopers, { watch: false, limits: { listMs: 600_000, listWaitMs: 1 } });
  assert.match(whyNot(made.engine, "m7"), /still being listed/u);
  const begun = performance.now();
  await made.engine.close();
  assert.ok(performance.now() - begun < 5000);
  assert.deepEqual(keepersOf(process.pid), []);
});

/** Processes that this one has started and that run a keeper. */
function keepersOf(parent: number): readonly string[] {
  return execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(parent)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("keeper.cjs"));
}
