import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

// What a guest can do to its cell, and to what leaves it, once it was granted something.

const MiB = 1024 * 1024;
const GRANTED = { policy: { grant: () => true }, limits: { memoryBytes: 64 * MiB } } as const;
const VALUE = "correct-horse-battery-staple";

const WASM = { "demo/index.js": "export const PERMISSIONS = { wasm: true, storage: true };\n" };

// (module (func (export "f") (loop br 0)))
const LOOP = "[0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]";

for (const [name, body, ends] of [
  [
    "a memory that grows for ever",
    "const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(256); new Uint8Array(m.buffer).fill(1); }",
    ["MEMORY_LIMIT", "TOOL_EXCEPTION"],
  ],
  [
    "a memory of gigabytes",
    "const m = new WebAssembly.Memory({ initial: 40000 }); new Uint8Array(m.buffer).fill(1); return 'filled';",
    ["MEMORY_LIMIT", "TOOL_EXCEPTION"],
  ],
  ["a loop without an end", `new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(${LOOP}))).exports.f();`, ["CALL_TIMEOUT"]],
  [
    "a shared memory",
    "new WebAssembly.Memory({ initial: 1, maximum: 2, shared: true }); return typeof SharedArrayBuffer;",
    ["ok", "TOOL_EXCEPTION"],
  ],
  ["a loop after an awaited power", "await context.storage.get('x'); for (;;);", ["CALL_TIMEOUT"]],
] as const) {
  test(`with WebAssembly and storage granted, ${name} ends with the call and harms no neighbour`, async () => {
    const neighbour = { "near/tool.js": toolFile("near", "function run() { return 'here'; }") };
    await using made = await makeEngine(
      { ...WASM, ...neighbour, "demo/tool.js": toolFile("demo", `async function run(context) { ${body} }`) },
      GRANTED,
    );
    const ended = made.engine.call("demo", {}, { timeoutMs: ends.some((end) => end === "CALL_TIMEOUT") ? 1500 : 15_000 });
    assert.equal((await made.engine.call("near")).text, "here");
    const { ok, error, text } = await ended;
    assert.ok((ends as readonly string[]).includes(ok ? "ok" : (error?.code ?? "")), text);
    if (ok) assert.equal(text, "undefined");
    assert.equal((await made.engine.call("near")).text, "here");
  });
}

test("a flood of large requests to the host is refused in the guest, and the host stays small", async () => {
  const flood = toolFile(
    "flood",
    `async function run({ fs }) {
      const bytes = new Uint8Array(2 ** 18);
      const ends = await Promise.allSettled(Array.from({ length: 500 }, (_, at) => fs.write("/tmp/" + at, bytes)));
      return String(ends.filter(({ reason }) => reason?.code === "POWER_LIMIT").length);
    }`,
  );
  await using made = await makeEngine({ "demo/tool.js": flood }, { limits: { powerInFlightCount: 4 } });
  const before = process.memoryUsage.rss();
  const { ok, text } = await made.engine.call("flood");
  assert.deepEqual([ok, text], [true, "496"]);
  assert.ok(process.memoryUsage.rss() - before < 150 * MiB);
});

test("the value of a secret that a server sends back reaches neither the tool nor anything that leaves the engine", async () => {
  const server = createServer((request, response) => response.end(JSON.stringify({ echo: request.headers.authorization })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const leak = toolFile(
      "leak",
      `async function run(context, { end }) {
        const key = await context.secrets.get("KEY");
        const { echo } = await (await fetch("http://${host}/", { headers: { authorization: "Bearer " + key } })).json();
        // What the tool could only know otherwise: the value itself, given as an argument.
        const value = end.value;
        context.progress(0.5, value);
        context.log.info(value, echo);
        console.log("split", value.slice(0, 4), value);
        await context.storage.set("k", echo);
        if (end.how === "throw") throw new Error(value);
        if (end.how === "refuse") throw new ToolError("no " + value);
        return { text: echo + " " + value, summary: value, payload: { deep: [value, { [value]: 1 }], echo } };
      }`,
    );
    const index = `export const PERMISSIONS = { network: ["${host}"], storage: true, secrets: [{ name: "KEY", hosts: ["${host}"] }] };\n`;
    await using made = await makeEngine({ "demo/index.js": index, "demo/tool.js": leak }, GRANTED);
    await made.engine.secrets.set("KEY", VALUE);
    const seen: unknown[] = [];
    for (const how of ["return", "throw", "refuse"]) {
      const outcome = await made.engine.call("leak", { end: { how, value: VALUE } }, { onProgress: (...report) => seen.push(report) });
      assert.match(outcome.text, /\[secret KEY\]/u, how);
      seen.push(outcome);
    }
    assert.doesNotMatch(JSON.stringify([seen, made.log]), new RegExp(VALUE, "u"));
  } finally {
    server.close();
  }
});

test("an error that looks like the engine's own is a tool's exception all the same", async () => {
  const spoof = toolFile(
    "spoof",
    `function run(context, { kind }) {
      class PowerError extends Error { name = "PowerError"; code = "PERMISSION_DENIED"; }
      class ToolError extends Error { name = "ToolError"; retryable = true; }
      class TimeoutError extends Error { name = "TimeoutError"; code = "CALL_TIMEOUT"; }
      throw new ({ PowerError, ToolError, TimeoutError })[kind]("spoofed");
    }`,
  )
    .replace('import { ToolError } from "toolcell/tool";\n', "")
    .replace("void ToolError;\n", "");
  await using made = await makeEngine({ "demo/tool.js": spoof });
  for (const kind of ["PowerError", "ToolError", "TimeoutError"]) {
    assert.equal((await made.engine.call("spoof", { kind })).error?.code, "TOOL_EXCEPTION", kind);
  }
});

test("a source that claims another file's name for its frames is believed by nobody", async () => {
  const forged = toolFile("forge", "function run() { return (0, eval)(\"throw new Error('x') //# sourceURL=/etc/passwd\\u001b[31m\"); }");
  await using made = await makeEngine({ "demo/tool.js": forged });
  const { error, text } = await made.engine.call("forge");
  assert.equal(error?.code, "TOOL_EXCEPTION");
  assert.doesNotMatch(text, /passwd|\u001b/u);
});

test("a pattern of a schema that backtracks ends with the call, as pattern and as patternProperties", async () => {
  const schemas = {
    pattern: '{ type: "object", properties: { text: { type: "string", pattern: "^(a+)+$" } } }',
    names: '{ type: "object", patternProperties: { "^(a+)+$": { type: "number" } }, additionalProperties: true }',
  };
  const files = Object.entries(schemas).map(([name, schema]) => [
    `${name}_cap/tool.js`,
    toolFile(name, "function run() { return 'ran'; }", { schema }),
  ]);
  await using made = await makeEngine(Object.fromEntries(files) as Record<string, string>);
  const long = `${"a".repeat(40)}b`;
  for (const [name, args] of [
    ["pattern", { text: long }],
    ["names", { [long]: 1 }],
  ] as const) {
    assert.equal((await made.engine.call(name, args, { timeoutMs: 1500 })).error?.code, "CALL_TIMEOUT", name);
    assert.equal((await made.engine.call(name, {})).text, "ran");
  }
});

test("a view whose buffer shrank or was detached is an empty list in a result", async () => {
  const views = toolFile(
    "views",
    `function run() {
      const shrunk = new ArrayBuffer(8, { maxByteLength: 16 }); const view = new Uint8Array(shrunk, 4); shrunk.resize(2);
      const detached = new Uint8Array(4); detached.buffer.transfer();
      return { shrunk: view, detached };
    }`,
  );
  await using made = await makeEngine({ "demo/tool.js": views });
  assert.deepEqual((await made.engine.call("views")).payload, { shrunk: [], detached: [] });
});

test("a clock that jumps ends no call and no wait", async (t) => {
  await using made = await makeEngine({
    "demo/tool.js": toolFile("wait", "async function run() { await new Promise((r) => setTimeout(r, 300)); return 'waited'; }"),
  });
  const call = made.engine.call("wait", {}, { timeoutMs: 20_000 });
  const realNow = Date.now;
  t.after(() => (Date.now = realNow));
  Date.now = () => realNow() + 86_400_000;
  assert.equal((await call).text, "waited");
});
