import assert from "node:assert/strict";
import { test } from "node:test";
import { admitFiles, brokenReason, loadRecord, sharedAdmission, tool, type Files } from "./a-folder.ts";

const admission = sharedAdmission();

/** A tool of one line that gives what it imports, or the reason why there is none. */
async function valueOf(statement: string, files: Files, run = "export const run = () => value;"): Promise<unknown> {
  const record = await admitFiles(admission, { ...files, "a.ts": tool("a", { before: statement, run }) });
  if (record.tools.length === 0) return brokenReason(record, "a.ts");
  const tools = await loadRecord(admission, record);
  return await (await tools["a"]?.load())?.run({}, {});
}

const packageOf = (json: object, files: Files): Files => ({
  "node_modules/p/package.json": JSON.stringify({ name: "p", ...json }),
  ...Object.fromEntries(Object.entries(files).map(([file, source]) => [`node_modules/p/${file}`, source])),
});

test("a package's own name for a file of its own is what its importer gets", async () => {
  const files = packageOf(
    {
      exports: { ".": { import: "./m.mjs", require: "./c.cjs" }, "./sub/*": "./lib/*.js" },
      imports: { "#own": "./own.js", "#path": "path" },
    },
    {
      "m.mjs":
        'import own from "#own"; import path from "#path"; import { createRequire } from "module"; void createRequire; export default [own, path.sep];',
      "c.cjs": 'module.exports = "required";',
      "lib/x.js": 'module.exports = "sub";',
      "own.js": 'module.exports = "own";',
    },
  );
  assert.deepEqual([...((await valueOf('import value from "p";', files)) as unknown[])], ["own", "/"]);
  assert.equal(await valueOf('import value from "p/sub/x";', files), "sub");
  assert.equal(await valueOf("", files, 'export const run = () => require("p");'), "required");
});

test("a module of Node's wins over a package of its name, and a slash at the end asks for the package", async () => {
  const files: Files = { "node_modules/events/index.js": 'module.exports = "a package";' };
  assert.equal(await valueOf('import value from "events/";', files), "a package");
  assert.equal(await valueOf('import events from "events"; const value = typeof events.once;', files), "function");
});

test("a package stands in for a module of Node's that cannot be had, except behind node:", async () => {
  const files: Files = { "node_modules/net/index.js": 'module.exports = "a stand-in";' };
  assert.equal(await valueOf('import value from "net";', files), "a stand-in");
  assert.match(String(await valueOf('import value from "node:net";', files)), /one of Node's own modules/);
});

test("packages called like the engine or its parts are the folder's own", async () => {
  for (const name of ["ajv", "esbuild", "toolcell", "ajv/dist/runtime/equal", "node/buffer.js", "@babel/parser"]) {
    assert.match(
      String(await valueOf(`import value from "${name}";`, {})),
      /is not (?:in the folder's node_modules|there in a sealed tool)/,
    );
    const file = name.endsWith(".js") ? name : `${name}/index.js`;
    assert.equal(await valueOf(`import value from "${name}";`, { [`node_modules/${file}`]: 'module.exports = "its own";' }), "its own");
  }
  const own = {
    "node_modules/toolcell/tool/index.js": "module.exports = { ToolError: 1 };",
    "node_modules/toolcell/tool.js": "exports.ToolError = 1;",
  };
  assert.equal(await valueOf('import { ToolError as Value } from "toolcell/tool"; const value = typeof Value;', own), "function");
});

test("a package that is for Node and elsewhere is taken as it is elsewhere only where its form for Node cannot be", async () => {
  const plain = packageOf(
    { browser: { "./node.js": "./web.js" } },
    { "index.js": 'module.exports = require("./node.js");', "web.js": "module.exports = 2;", "node.js": "module.exports = 1;" },
  );
  assert.equal(await valueOf('import value from "p";', plain), 1);
  const needing = { ...plain, "node_modules/p/node.js": 'require("node:net"); module.exports = 1;' };
  assert.equal(await valueOf('import value from "p";', needing), 2);
  const without = packageOf({ browser: { net: false } }, { "index.js": 'module.exports = Object.keys(require("net")).length;' });
  assert.equal(await valueOf('import value from "p";', without), 0);
  const byCondition = packageOf(
    { exports: { browser: "./web.mjs", default: "./node.mjs" } },
    { "web.mjs": "export default 2;", "node.mjs": 'export { default } from "child_process";' },
  );
  assert.equal(await valueOf('import value from "p";', byCondition), 2);
  const through = {
    ...packageOf({ browser: { q: false } }, { "index.js": 'module.exports = typeof require("q").x;' }),
    "node_modules/q/index.js": 'exports.x = require("net");',
  };
  assert.equal(await valueOf('import value from "p";', through), "undefined");
});

test("what a package's other form leads to is inside the folder too", async () => {
  const files = packageOf(
    { browser: { "./node.js": "../../../../x.js" } },
    { "index.js": 'require("./node.js");', "node.js": 'require("net");' },
  );
  assert.match(String(await valueOf('import value from "p";', files)), /leads out of the folder/);
});

test("a package that only tries for a module of Node's goes on without it", async () => {
  const files = packageOf(
    {},
    { "index.js": 'let net = null; try { net = require("net"); } catch { net = "none"; } module.exports = net;' },
  );
  assert.equal(await valueOf('import value from "p";', files), "none");
});

test("a module of Node's that is asked for while the tool runs is refused then", async () => {
  const run = 'export const run = () => import("node:child_process").catch((error) => error.message);';
  assert.match(
    String(await valueOf("", {}, run)),
    /"node:child_process" is one of Node's own modules .* run a program with `context\.process`/,
  );
});

test("tsconfig.json names files of the folder", async () => {
  const files: Files = {
    "tsconfig.json": '{ // the base\n "extends": "./base", }',
    "base.json": '{ "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["none/*", "lib/*"], "exact": ["lib/one.ts"] } } }',
    "src/lib/one.ts": 'export default "one // no comment";',
    "src/two.ts": 'export default "two";',
    "node_modules/p/index.js": 'module.exports = require("exact");',
  };
  assert.equal(await valueOf('import value from "@/one";', files), "one // no comment");
  assert.equal(await valueOf('import value from "exact";', files), "one // no comment");
  assert.equal(await valueOf('import value from "two";', files), "two");
  assert.match(String(await valueOf('import value from "p";', files)), /The package "exact" is not in the folder's/);
});

test("any file is bytes or text for whoever says so, and WebAssembly for a package that asks for it", async () => {
  const files: Files = {
    "x.bin": new Uint8Array([0, 255]),
    "x.ts": 'export default "code";',
    "index.ts": "export const PERMISSIONS = { wasm: true };",
    "x.wasm": new Uint8Array([0, 97, 115, 109]),
  };
  assert.equal(await valueOf('import bytes from "./x.bin" with { type: "bytes" }; const value = bytes.join();', files), "0,255");
  assert.equal(await valueOf('import value from "./x.ts" with { type: "text" };', files), 'export default "code";');
  assert.equal(await valueOf('import bytes from "./x.wasm"; const value = bytes.join();', files), "0,97,115,109");
});

test("a package larger than what may be read or bundled is refused by its size", async () => {
  const small = sharedAdmission({ inputBytes: 20_000 });
  const large = await admitFiles(small, {
    "a.ts": tool("a", { before: 'import value from "./x.json"; void value;' }),
    "x.json": `"${"x".repeat(30_000)}"`,
  });
  assert.match(large.refused ?? "", /come to more than 20000 bytes \(inputBytes\)/);
  const narrow = sharedAdmission({ bundleBytes: 20_000 });
  const files = { "index.ts": "export const PERMISSIONS = { wasm: true };", "x.wasm": new Uint8Array(30_000) };
  const wide = await admitFiles(narrow, {
    ...files,
    "a.ts": tool("a", { before: 'import value from "./x.wasm";', run: "export const run = () => value;" }),
  });
  assert.match(brokenReason(wide, "a.ts"), /The bundle is larger than 20000 bytes/);
});

test("Node's globals are there where a package uses them, and nowhere in the realm", async () => {
  const files = packageOf(
    {},
    {
      "index.js":
        "module.exports = [typeof Buffer, typeof process.cwd, typeof setImmediate, global === globalThis, __dirname, typeof globalThis.process];",
    },
  );
  const found = (await valueOf('import value from "p";', files)) as unknown[];
  assert.deepEqual([...found], ["function", "function", "function", true, "/capability", "undefined"]);
});
