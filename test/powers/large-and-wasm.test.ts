import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const WASM = "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module";

test("a request larger than powerBytes is refused in words that a tool can catch, and its cell lives on", async () => {
  const write = toolFile(
    "write",
    `async function run({ fs }, { bytes }) {
      try { await fs.write("/tmp/x", new Uint8Array(bytes)); return "written"; } catch (error) { return error.code; }
    }`,
  );
  await using made = await makeEngine({ "demo/tool.js": write }, { limits: { powerBytes: 1024 * 1024, resultBytes: 1024 } });
  assert.equal((await made.engine.call("write", { bytes: 1024 * 1024 })).text, "written");
  assert.equal((await made.engine.call("write", { bytes: 1024 * 1024 + 1 })).text, "POWER_LIMIT");
  assert.equal((await made.engine.call("write", { bytes: 10 })).usage.startMs, 0);
});

test("WebAssembly is there while it is granted, from the next call on, also where another engine changed the grant", async () => {
  await using made = await makeEngine({
    "demo/index.js": "export const PERMISSIONS = { wasm: true };\n",
    "demo/tool.js": toolFile("compile", `function run() { return typeof WebAssembly === "undefined" ? "none" : String(${WASM}); }`),
  });
  const { engine } = made;
  assert.equal((await engine.call("compile")).text, "none");
  await engine.grant("demo");
  assert.equal((await engine.call("compile")).text, "true");
  await engine.revoke("demo");
  assert.equal((await engine.call("compile")).text, "none");
});
