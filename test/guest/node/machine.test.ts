import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { writeFiles } from "../../support/capabilities.ts";
import { makeTempFolder, toolFile } from "../../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../../support/engines.ts";

const TOOLS: Readonly<Record<string, readonly [imports: string, run: string]>> = {
  told: [
    'import os from "node:os"; import { isatty } from "node:tty"; import { performance } from "node:perf_hooks"; import { createRequire, builtinModules } from "node:module";',
    `(context) => {
      const facts = [os.platform() === context.host.os, os.arch() === context.host.arch, os.cpus().length === context.host.cpus, os.totalmem() === context.host.memoryBytes];
      const refused = (step) => { try { return step(); } catch (error) { return error.message; } };
      return JSON.stringify({
        facts, text: [os.EOL, os.homedir(), os.tmpdir(), os.hostname(), os.constants.signals.SIGTERM], tty: isatty(1), clock: Number.isInteger(Math.round(performance.now())),
        process: [process.cwd(), process.env, Object.keys(process.versions), process.argv, process.platform === context.host.os, typeof process.hrtime.bigint(), process.memoryUsage().rss],
        refused: [() => process.exit(1), () => process.binding("fs"), () => process.kill(1), () => createRequire("/x")("net"), () => process.chdir("/")].map(refused),
        names: [builtinModules.length, typeof globalThis.process, typeof globalThis.Buffer, typeof globalThis.require, __dirname, import.meta.url],
      });
    }`,
  ],
  written: [
    "",
    `async () => {
      process.stdout.write("out\\n"); process.stderr.write("err"); process.emitWarning("careful");
      const order = []; process.nextTick((word) => order.push(word), "tick"); setImmediate(() => order.push("immediate")); clearImmediate(setImmediate(() => order.push("never")));
      await new Promise((resolve) => setTimeout(resolve, 10));
      return order.join();
    }`,
  ],
  files: [
    'import fs, { readFile, createReadStream, createWriteStream } from "node:fs"; import { promises } from "fs"; import { pipeline } from "stream/promises"; import { promisify } from "util"; import { readFile as plain } from "fs/promises";',
    `async () => {
      const answer = {};
      answer.bytes = [Buffer.isBuffer(await plain("/workspace/a.txt")), await plain("/workspace/a.txt", "hex"), await plain(new URL("file:///workspace/a.txt"), "utf8")];
      answer.called = await new Promise((resolve) => readFile("/workspace/a.txt", "utf8", (error, text) => resolve([error, text])));
      answer.failed = await new Promise((resolve) => fs.stat("/workspace/none", (error) => resolve([error.code, error.syscall, error.path])));
      answer.promised = (await promisify(fs.readFile)("/workspace/a.txt")).toString("base64");
      await pipeline(createReadStream("/workspace/a.txt", { start: 1, end: 3, highWaterMark: 2 }), createWriteStream("/workspace/made.txt"));
      await promises.appendFile("/workspace/made.txt", "2b", "hex");
      answer.made = [await plain("/workspace/made.txt", "utf8"), await new Promise((resolve) => fs.exists("/workspace/made.txt", resolve)), fs.constants.F_OK, typeof fs.F_OK];
      await promises.writeFile("/workspace/made.txt", createReadStream("/workspace/a.txt"));
      answer.streamed = await plain("/workspace/made.txt", "latin1");
      answer.broken = await new Promise((resolve) => createReadStream("/workspace/none").on("error", (error) => resolve(error.code)));
      try { fs.readFileSync("/workspace/a.txt"); } catch (error) { answer.sync = [error.code, error.message]; }
      try { await plain("/workspace/a.txt", "utf7"); } catch (error) { answer.encoding = error.code; }
      return JSON.stringify(answer);
    }`,
  ],
};

describe("a tool with Node's modules", () => {
  const workspace = makeTempFolder();
  writeFiles(workspace.path, { "a.txt": "héllo" });
  let made: TestEngine;
  before(async () => {
    const tools = Object.entries(TOOLS).map(([name, [code, run]]) => [
      `nodelike/${name}.js`,
      toolFile(name, `const run = ${run};`, { code }),
    ]);
    const index = 'export const PERMISSIONS = { workspace: "write" };';
    made = await makeEngine({ ...Object.fromEntries(tools), "nodelike/index.js": index }, { workspace: workspace.path });
    await made.engine.grant("nodelike", { workspace: "write" });
  });
  after(async () => {
    await made[Symbol.asyncDispose]();
    workspace[Symbol.dispose]();
  });
  const answerOf = async (tool: string): Promise<string> => {
    const { ok, text } = await made.engine.call(tool);
    assert.equal(ok, true, text);
    return text;
  };

  test("is told of the machine what its context tells, and can do nothing to the process", async () => {
    const told = JSON.parse(await answerOf("told")) as Readonly<Record<string, readonly unknown[]>>;
    assert.deepEqual(told["facts"], [true, true, true, true]);
    assert.deepEqual(told["text"], ["\n", "/home", "/tmp", "localhost", 15]);
    assert.deepEqual([told["tty"], told["clock"]], [false, true]);
    assert.deepEqual(told["process"], ["/workspace", {}, ["node", "v8", "modules"], ["node", "/capability/index.js"], true, "bigint", 0]);
    for (const sentence of told["refused"] ?? []) assert.match(String(sentence), /not available to a sealed tool|cannot be loaded while/);
    assert.deepEqual(told["names"], [0, "undefined", "undefined", "undefined", "/capability", "file:///capability/index.js"]);
  });

  test("writes to the log of its call, and has its ticks and immediates", async () => {
    assert.equal(await answerOf("written"), "tick,immediate");
    const said = new Set(made.log.map(({ message }) => message));
    for (const line of ["out", "err", "careful"]) assert.ok(said.has(line), line);
  });

  test("reads and writes files of its mounts with promises, callbacks and streams, and is told that nothing waits", async () => {
    const answer = JSON.parse(await answerOf("files")) as Readonly<Record<string, readonly unknown[]>>;
    assert.deepEqual(answer["bytes"], [true, "68c3a96c6c6f", "héllo"]);
    assert.deepEqual(answer["called"], [null, "héllo"]);
    assert.deepEqual(answer["failed"], ["ENOENT", "stat", "/workspace/none"]);
    assert.equal(answer["promised"], "aMOpbGxv");
    assert.deepEqual(answer["made"], ["él+", true, 0, "number"]);
    assert.equal(answer["streamed"], "hÃ©llo");
    assert.equal(answer["broken"], "ENOENT");
    assert.match(String(answer["sync"]), /^ERR_METHOD_NOT_IMPLEMENTED,fs\.readFileSync is not available to a sealed tool/);
    assert.equal(answer["encoding"], "ERR_INVALID_ARG_VALUE");
  });
});
