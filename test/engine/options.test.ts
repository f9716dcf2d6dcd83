import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { createEngine, type CallOptions, type EngineOptions } from "toolcell";
import { readOptions } from "../../src/engine/options.ts";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

describe("createEngine refuses", () => {
  for (const [what, options, says] of [
    ["an option that there is none of", { capabilites: [] }, /no option `capabilites`\. It has .*`capabilities`/u],
    ["an empty home", { home: "" }, /`home` must be a non-empty string/u],
    ["a home that is no string", { home: 5 }, /`home` must be a non-empty string/u],
    ["a workspace that is no string", { workspace: null }, /`workspace` must be a non-empty string/u],
    ["one folder where folders are wanted", { capabilities: "./capabilities" }, /`capabilities` must be an array of strings/u],
    ["folders that are no strings", { capabilities: ["a", 1] }, /`capabilities` must be an array of strings/u],
    ["a folder without a name", { capabilities: [""] }, /`capabilities` must be an array of strings/u],
    ["a log that is no function", { log: "engine.log" }, /`log` must be a function/u],
  ] as const) {
    test(what, async () => {
      await assert.rejects(createEngine(options as unknown as EngineOptions), { name: "TypeError", message: says });
    });
  }
});

describe("an engine's home", () => {
  test("is what the option says, then TOOLCELL_HOME, then `.toolcell` of the user", () => {
    const { TOOLCELL_HOME } = process.env;
    try {
      process.env["TOOLCELL_HOME"] = "/tmp/elsewhere";
      assert.equal(readOptions({ home: "here" }).home, path.resolve("here"));
      assert.equal(readOptions({}).home, path.resolve("/tmp/elsewhere"));
      process.env["TOOLCELL_HOME"] = "";
      assert.equal(readOptions({}).home, path.join(homedir(), ".toolcell"));
      delete process.env["TOOLCELL_HOME"];
      assert.equal(readOptions({}).home, path.join(homedir(), ".toolcell"));
    } finally {
      if (TOOLCELL_HOME === undefined) delete process.env["TOOLCELL_HOME"];
      else process.env["TOOLCELL_HOME"] = TOOLCELL_HOME;
    }
  });

  test("may lose its cache while the engine runs", async () => {
    using home = makeTempFolder();
    await using made = await makeEngine({ "demo/one.js": toolFile("one", "const run = () => 'one';") }, { home: home.path });
    rmSync(path.join(home.path, "cache"), { recursive: true });
    assert.equal((await made.engine.call("one")).text, "one");
  });

  test("that loses it while a source changes fails the call, never the caller", async () => {
    using home = makeTempFolder();
    await using made = await makeEngine({ "demo/one.js": toolFile("one", "const run = () => 'one';") }, { home: home.path });
    rmSync(path.join(home.path, "cache"), { recursive: true });
    writeFiles(made.folder, { "demo/one.js": toolFile("one", "const run = () => 'two';") });
    const { ok, error } = await made.engine.call("one");
    if (!ok) assert.deepEqual([error?.code, error?.phase, error?.started], ["LOAD_FAILED", "start", false]);
    await made.engine.refresh();
    assert.equal((await made.engine.call("one")).text, "two");
  });
});

describe("engine.call throws for options that make no sense:", () => {
  for (const [what, options, error] of [
    ["a timeout of 0", { timeoutMs: 0 }, "RangeError"],
    ["a negative timeout", { timeoutMs: -1 }, "RangeError"],
    ["a timeout of NaN", { timeoutMs: Number.NaN }, "RangeError"],
    ["an endless timeout", { timeoutMs: Infinity }, "RangeError"],
    ["a timeout in words", { timeoutMs: "100" }, "RangeError"],
    ["a timeout of null", { timeoutMs: null }, "RangeError"],
    ["a result limit of -1", { resultLimit: -1 }, "RangeError"],
    ["a result limit of half a character", { resultLimit: 0.5 }, "RangeError"],
    ["a result limit of NaN", { resultLimit: Number.NaN }, "RangeError"],
    ["a result limit in words", { resultLimit: "10" }, "RangeError"],
    ["a signal that is none", { signal: { aborted: false } }, "TypeError"],
    ["a listener that is none", { onProgress: "log" }, "TypeError"],
  ] as const) {
    test(what, async () => {
      await using made = await makeEngine({ "demo/one.js": toolFile("one", "const run = () => 'one';") });
      const [name] = Object.keys(options);
      await assert.rejects(made.engine.call("one", {}, options as unknown as CallOptions), {
        name: error,
        message: new RegExp(`\`${name}\``, "u"),
      });
    });
  }
});
