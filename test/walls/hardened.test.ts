import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { PLAIN, probe } from "./keepers.ts";

const MiB = 1024 * 1024;
const DATA_BYTES = 256 * MiB;
// Growth past the isolate's own limit: what only the process's bound holds. The host's watch is kept out of the way here.
const BOMBS = {
  array_fill: "return Array(1e9).fill(0).length;",
  array_from: "return Array.from({ length: 2 ** 28 }).length;",
  resizable_buffer:
    "const b = new ArrayBuffer(0, { maxByteLength: 8 * 2 ** 30 }); for (let n = 2 ** 24; ; n += 2 ** 24) { b.resize(n); new Uint8Array(b).fill(1, n - 2 ** 24); }",
  icu_objects: "const k = []; for (;;) k.push(new Intl.DateTimeFormat('de', { timeZone: 'Europe/Vienna' }));",
};

const skip = process.platform === "linux" ? false : "only Linux holds a process to a data limit";
let made: TestEngine;

before(async () => {
  const tools = Object.entries({ ...BOMBS, hello: "return 'here';", wasm: "return typeof WebAssembly;" });
  const files = tools.map(([name, body]) => [`${name}/tool.js`, toolFile(name, `async function run() { ${body} }`)] as const);
  made = await makeEngine(Object.fromEntries(files), {
    policy: { hardened: true },
    limits: { dataBytes: DATA_BYTES, residentBytes: 4096 * MiB, cpuMs: 60_000 },
  });
});
after(() => made[Symbol.asyncDispose]());

test("a hardened cell makes no machine code and is held to its data limit by the system", { skip }, async () => {
  const probed = await probe({ ...PLAIN, isJitless: true, dataBytes: DATA_BYTES });
  assert.equal(probed.hasWebAssembly, false);
  assert.equal(probed.dataLimit, DATA_BYTES);
});

test("a hardened cell runs tools as any other", async () => {
  assert.equal((await made.engine.call("hello")).text, "here");
  assert.equal((await made.engine.call("wasm")).text, "undefined");
  const { text } = await made.engine.call("text_stats", { text: "a b c" });
  assert.match(text, /Words: 3/u);
});

for (const name of Object.keys(BOMBS)) {
  test(`in a hardened cell ${name} ends by the data limit`, { skip }, async () => {
    const { ok, error, text } = await made.engine.call(name, {}, { timeoutMs: 60_000 });
    assert.equal(ok, false);
    assert.ok(["MEMORY_LIMIT", "TOOL_EXCEPTION", "CELL_CRASHED"].includes(error?.code ?? ""), text);
    assert.equal((await made.engine.call("hello")).text, "here");
  });
}
