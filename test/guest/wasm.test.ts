import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

// (module (memory (export "memory") 1) (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const ADD = "0061736d0100000001070160027f7f017f030201000503010001071002066d656d6f727902000361646400000a09010700200020016a0b";

const CODE = `
const code = new Uint8Array("${ADD}".match(/../g).map((pair) => parseInt(pair, 16)));
`;
const tool = (name: string, body: string): string => toolFile(name, `const run = async (context) => { ${body} };`, { code: CODE });

const files = {
  "wasm/index.js": "export const PERMISSIONS = { wasm: true, reason: { wasm: 'It computes.' } };\n",
  "wasm/at_once.js": tool("at_once", "return new WebAssembly.Instance(new WebAssembly.Module(code)).exports.add(40, 2);"),
  "wasm/later.js": tool(
    "later",
    `const module = await WebAssembly.compile(code);
    const { exports } = await WebAssembly.instantiate(module);
    const both = await WebAssembly.instantiate(code);
    return [exports.add(40, 2), both.instance.exports.add(1, 2), both.module instanceof WebAssembly.Module].join();`,
  ),
  "wasm/many.js": tool("many", "return (await Promise.all(Array.from({ length: 20 }, () => WebAssembly.instantiate(code)))).length;"),
  "wasm/bent.js": tool(
    "bent",
    'try { await WebAssembly.compile(code.slice(0, 30)); return "taken"; } catch (error) { return error.name; }',
  ),
  "wasm/grow.js": tool(
    "grow",
    `const { memory } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    for (;;) { memory.grow(256); new Uint8Array(memory.buffer).fill(1, memory.buffer.byteLength - 256 * 65536); }`,
  ),
  "wasm/shared.js": tool(
    "shared",
    `const faults = [];
    const look = (memory) => { try { faults.push(Object.prototype.toString.call(memory.buffer)); } catch (error) { faults.push(error.name); } };
    look(new WebAssembly.Memory({ initial: 1, maximum: 2 }));
    look(new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }));
    const shared = Uint8Array.of(...code.slice(0, 8), 5, 4, 1, 3, 1, 2, 7, 5, 1, 1, 109, 2, 0);
    look(new WebAssembly.Instance(new WebAssembly.Module(shared)).exports.m);
    return faults.join();`,
  ),
  "plain/none.js": tool("none", "return typeof WebAssembly;"),
};

let made: TestEngine;
before(async () => {
  made = await makeEngine(files, { policy: { grant: () => true }, limits: { memoryBytes: 32 * 1024 * 1024 } });
});
after(() => made[Symbol.asyncDispose]());

describe("WebAssembly where it is granted", () => {
  for (const [does, name, text] of [
    ["compiles and runs at once", "at_once", "42"],
    ["compiles and runs later, although nothing runs the isolate's own tasks", "later", "42,3,true"],
    ["does so many times at once", "many", "20"],
    ["tells of a module that is none", "bent", "CompileError"],
    ["shares no memory, whoever asks for it", "shared", "[object ArrayBuffer],TypeError,TypeError"],
  ] as const)
    test(does, async () => assert.equal((await made.engine.call(name)).text, text));

  test("whose memory grows without end is stopped, and the next call finds a new cell", async () => {
    const { error } = await made.engine.call("grow");
    assert.equal(error?.code, "MEMORY_LIMIT");
    assert.equal((await made.engine.call("at_once")).text, "42");
  });
});

test("WebAssembly is not there where it was not granted", async () => assert.equal((await made.engine.call("none")).text, "undefined"));
