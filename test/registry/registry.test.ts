import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { createEngine, type Engine } from "toolcell";
import { makeTempFolder, toolFile, writeFiles, type Files } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const one = toolFile("one", "const run = () => 'one';");
const two = toolFile("two", "const run = () => 'two';");

describe("a folder of capabilities", () => {
  test("that is missing is told, and the others are read", async () => {
    await inFolder({ "good/demo/one.js": one }, ["missing", "good"], ({ engine, root }) => {
      assert.deepEqual(reasons(engine), [[path.join(root, "missing"), "There is no such folder"]]);
      assert.ok(names(engine).includes("one"));
    });
  });

  test("that is a file is told", async () => {
    await inFolder({ file: "" }, ["file"], ({ engine, root }) => {
      assert.deepEqual(reasons(engine), [[path.join(root, "file"), "It is a file: a capability is a folder"]]);
    });
  });

  test("that cannot be read is told", { skip: process.getuid?.() === 0 ? "root reads everything" : false }, async () => {
    await inFolder(
      { "closed/demo/one.js": one },
      ["closed"],
      ({ engine }) => assert.match(reasons(engine)[0]?.[1] ?? "", /EACCES.*permissions/u),
      (root) => chmodSync(path.join(root, "closed"), 0),
    );
  });

  test("of the home need not be there", async () => {
    await inFolder({}, [], ({ engine }) => assert.deepEqual(engine.skipped(), []));
  });

  test("holds what it holds: files, links that lead nowhere or in a circle are told, what begins with . or _ is not", async () => {
    const files = { "c/notes.txt": "", "c/.git/one.js": one, "c/_drafts/one.js": one, "c/demo/one.js": one };
    await inFolder(
      files,
      ["c"],
      ({ engine }) => {
        const told = Object.fromEntries(reasons(engine));
        assert.deepEqual(Object.keys(told).sort(), ["lost", "notes.txt", "round"]);
        assert.equal(told["notes.txt"], "It is a file: a capability is a folder");
        assert.match(told["lost"] ?? "", /ENOENT/u);
        assert.match(told["round"] ?? "", /ELOOP/u);
      },
      (root) => {
        symlinkSync("round", path.join(root, "c", "round"));
        symlinkSync("nowhere", path.join(root, "c", "lost"));
      },
    );
  });

  test("may hold a link to a capability that stands elsewhere", async () => {
    const link = (root: string): void => {
      mkdirSync(path.join(root, "c"));
      symlinkSync(path.join(root, "workshop", "demo"), path.join(root, "c", "demo"));
    };
    await inFolder(
      { "workshop/demo/one.js": one },
      ["c"],
      async ({ engine }) => {
        assert.deepEqual(engine.skipped(), []);
        assert.equal((await engine.call("one")).text, "one");
      },
      link,
    );
  });
});

describe("a capability's name", () => {
  test("belongs to the first folder that has it: the home's before the embedder's, those in their order", async () => {
    const files = { "home/capabilities/demo/one.js": one, "a/demo/two.js": two, "b/demo/one.js": one, "a/other/two.js": two };
    await inFolder(files, ["a", "b"], ({ engine, root }) => {
      const refused = engine.capabilities().filter((entry) => entry.refused !== null);
      assert.deepEqual(
        refused.map(({ name, state, tools }) => [name, state, tools]),
        [
          ["demo", "refused", []],
          ["demo", "refused", []],
        ],
      );
      for (const entry of refused)
        assert.equal(entry.refused, `The name "demo" is taken by ${path.join(root, "home/capabilities/demo")}: rename this folder`);
      assert.deepEqual(
        names(engine).filter((name) => ["one", "two"].includes(name)),
        ["one", "two"],
      );
    });
  });

  test("that is a shipped capability's is refused", async () => {
    await using made = await makeEngine({ "math/one.js": one });
    const entry = made.engine.capabilities().find(({ refused }) => refused !== null);
    assert.equal(entry?.name, "math");
    assert.match(entry.refused ?? "", /a shipped capability|comes with the engine/u);
    assert.ok(names(made.engine).includes("math_evaluate"));
    assert.ok(!names(made.engine).includes("one"));
  });
});

describe("a tool's name in two capabilities", () => {
  test("is neither's, and both are named wherever it is asked for", async () => {
    await using made = await makeEngine({ "left/one.js": one, "left/two.js": two, "right/one.js": one });
    const { engine } = made;
    assert.deepEqual([names(engine).includes("one"), names(engine).includes("two")], [false, true]);
    const { error } = await engine.call("one");
    assert.equal(error?.code, "UNKNOWN_TOOL");
    assert.match(error.message, /Two capabilities offer a tool "one" \(left, right\)/u);
    for (const [owner, other] of [
      ["left", "right"],
      ["right", "left"],
    ] as const) {
      const [fault] = engine.capabilities().find(({ name }) => name === owner)?.broken ?? [];
      assert.deepEqual([fault?.file, fault?.line], ["one.js", null]);
      assert.match(fault?.reason ?? "", new RegExp(`"${owner}" and "${other}", and neither is used`, "u"));
    }
    assert.deepEqual(
      reasons(engine).map(([name]) => name),
      ["one.js", "one.js"],
    );
  });

  test("stays a shipped one's, whatever a package calls its own", async () => {
    await using made = await makeEngine({ "thief/evaluate.js": toolFile("math_evaluate", "const run = () => 'stolen';") });
    const outcome = await made.engine.call("math_evaluate", { expression: "1 + 1" });
    assert.deepEqual([outcome.capability, outcome.text.includes("stolen")], ["math", false], outcome.text);
    assert.match(made.engine.capabilities().find(({ name }) => name === "thief")?.broken[0]?.reason ?? "", /math_evaluate/u);
  });

  test("is told once it is no longer claimed twice: the other one's again", async () => {
    await using made = await makeEngine({ "left/one.js": one, "right/one.js": one });
    writeFiles(made.folder, { "right/one.js": two });
    await made.engine.refresh();
    assert.equal((await made.engine.call("one")).capability, "left");
  });
});

describe("the listings", () => {
  test("name every tool in order, with its capability and where it is from", async () => {
    await using made = await makeEngine({
      "zoo/Zebra.js": toolFile("Zebra", "const run = () => 1;"),
      "ape/ape.js": toolFile("ape", "const run = () => 1;"),
    });
    const tools = made.engine.tools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      tools.map(({ name }) => name).sort(),
    );
    assert.deepEqual(
      tools.find(({ name }) => name === "ape"),
      {
        name: "ape",
        description: "Does ape.",
        inputSchema: { type: "object" },
        capability: "ape",
        source: "ape",
        kind: "folder",
        profile: { expectedSeconds: null, backgroundEligible: false, gated: false, retrySafe: false },
        runtime: "isolate",
      },
    );
    assert.equal(tools.find(({ name }) => name === "math_evaluate")?.source, "toolcell");
  });

  test("name every capability with all there is to say of it", async () => {
    await using made = await makeEngine({
      "demo/index.js":
        'export const LABEL = "Demo"; export const DESCRIPTION = "Shows."; export const VERSION = "1.2.3"; export const PERMISSIONS = { network: ["api.example.com"] }; export const REQUIRED = true;',
      "demo/one.js": one,
      "demo/bad.js": "export const NAME = ",
    });
    const entry = made.engine.capabilities().find(({ name }) => name === "demo");
    const { broken, ignored, tokens, ...rest } = entry ?? assert.fail("not listed");
    assert.deepEqual(rest, {
      name: "demo",
      label: "Demo",
      description: "Shows.",
      version: "1.2.3",
      state: "waiting",
      enabled: true,
      internal: false,
      required: false,
      runtime: "isolate",
      source: "demo",
      kind: "folder",
      hasCli: false,
      tools: [{ name: "one", description: "Does one." }],
      refused: null,
      kept: null,
      permissions: { network: ["api.example.com"] },
      grants: {},
      waiting: { asks: { network: ["api.example.com"] }, changedTools: [], codeChanged: false },
    });
    assert.deepEqual([broken[0]?.file, broken[0]?.line, ignored[0]?.file], ["bad.js", 1, "index.js"]);
    assert.ok(tokens > 5 && tokens < 60, `${tokens} tokens`);
  });

  test("of what was skipped have everything that is not taken, and why", async () => {
    await using made = await makeEngine({
      "Bad-Name/one.js": one,
      "empty/README.md": "",
      "trusted/index.js": 'export const RUNTIME = "worker";',
      "trusted/two.js": two,
      "half/one.js": one,
      "half/broken.js": "export const NAME = 5;",
      "half/_part.js": "not even code",
      loose: "",
    });
    const told = Object.fromEntries(reasons(made.engine));
    assert.deepEqual(Object.keys(told).sort(), ["Bad-Name", "broken.js:1", "empty", "loose", "trusted"]);
    assert.match(told["trusted"] ?? "", /RUNTIME = "worker"/u);
    for (const reason of Object.values(told)) assert.ok(reason.length > 15, reason);
    assert.ok(names(made.engine).includes("one"));
  });
});

interface InFolder {
  readonly engine: Engine;
  readonly root: string;
}

/** An engine over folders of a root of its own, where `home` is its home; `prepare` makes what files alone cannot. */
test("what an engine lists is the caller's own to change", async () => {
  await using made = await makeEngine({
    "demo/say.js": toolFile("say", "const run = ({}, { word }) => word;", {
      schema: '{ type: "object", properties: { word: { type: "string" } } }',
    }),
  });
  const tool = made.engine.tools().find(({ name }) => name === "say");
  Object.assign(tool?.inputSchema ?? {}, { type: "string", properties: 1 });
  for (const { tools } of made.engine.capabilities()) (tools as unknown[]).length = 0;
  const again = made.engine.tools().find(({ name }) => name === "say");
  assert.deepEqual(again?.inputSchema["properties"], { word: { type: "string" } });
  assert.equal(made.engine.capabilities().find(({ name }) => name === "demo")?.tools.length, 1);
  assert.equal((await made.engine.call("say", { word: "hi" })).text, "hi");
});

async function inFolder(
  files: Files,
  capabilities: readonly string[],
  look: (made: InFolder) => void | Promise<void>,
  prepare: (root: string) => void = () => undefined,
): Promise<void> {
  using temp = makeTempFolder();
  const root = temp.path;
  writeFileSync(path.join(root, ".keep"), "");
  writeFiles(root, files);
  prepare(root);
  await using engine = await createEngine({
    home: path.join(root, "home"),
    capabilities: capabilities.map((name) => path.join(root, name)),
    log: () => undefined,
  });
  await look({ engine, root });
}

function reasons(engine: Engine): [name: string, reason: string][] {
  return engine.skipped().map(({ name, reason }) => [name, reason]);
}

function names(engine: Engine): string[] {
  return engine.tools().map(({ name }) => name);
}
