import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { admitFiles, loadRecord, makeFolder, sharedAdmission, tool, type Files } from "./a-folder.ts";

const admission = sharedAdmission();
const using = (statement: string, run = "export const run = () => value;"): string => tool("a", { before: statement, run });

async function runA(files: Files): Promise<unknown> {
  const tools = await loadRecord(admission, await admitFiles(admission, files));
  return await (await tools["a"]?.load())?.run({}, {});
}

const WORKING: readonly (readonly [string, Files])[] = [
  ["a helper", { "a.ts": using('import { value } from "./_h.ts";'), "_h.ts": 'export const value: string = "v";' }],
  [
    "a helper by the name it will be compiled to",
    { "a.ts": using('import { value } from "./_h.js";'), "_h.ts": 'export const value: string = "v";' },
  ],
  ["a helper without an ending", { "a.ts": using('import { value } from "./_h";'), "_h.mts": 'export const value: string = "v";' }],
  ["a folder with an index", { "a.ts": using('import { value } from "./lib";'), "lib/index.ts": 'export const value = "v";' }],
  [
    "a parent folder",
    { "a.ts": using('import { value } from "./lib/x.ts";'), "lib/x.ts": 'export * from "../_h.ts";', "_h.ts": 'export const value = "v";' },
  ],
  ["JSON", { "a.ts": using('import data from "./data.json";', "export const run = () => data.value;"), "data.json": '{ "value": "v" }' }],
  ["a CommonJS helper", { "a.ts": using('import { value } from "./_h.cjs";'), "_h.cjs": 'exports.value = "v";' }],
  [
    "L16 a circle",
    {
      "a.ts": using('import { value } from "./_b.ts";'),
      "_b.ts": 'import { c } from "./_c.ts"; export const value = "v"; export const b = c;',
      "_c.ts": 'import * as b from "./_b.ts"; export const c = () => b.value;',
    },
  ],
  [
    "L16 itself",
    { "a.ts": using('import * as self from "./a.ts"; const value = "v";', "export const run = () => self.NAME === 'a' ? value : 0;") },
  ],
  ["another tool file", { "a.ts": using('import { value } from "./b.ts";'), "b.ts": `${tool("b")} export const value = "v";` }],
  [
    "a package with a main",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/package.json": '{ "main": "./lib" }',
      "node_modules/p/lib.js": 'module.exports = "v";',
    },
  ],
  [
    "a package with a module",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/package.json": '{ "main": "no.js", "module": "m.mjs", "browser": "no.js" }',
      "node_modules/p/m.mjs": 'export default "v";',
    },
  ],
  ["a package without package.json", { "a.ts": using('import value from "p";'), "node_modules/p/index.js": 'module.exports = "v";' }],
  ["a package's subpath", { "a.ts": using('import value from "@s/p/sub/x";'), "node_modules/@s/p/sub/x.js": 'module.exports = "v";' }],
  [
    "a package with conditions",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/package.json":
        '{ "exports": { ".": { "node": "./no.js", "browser": "./no.js", "import": "./m.js", "default": "./no.js" } } }',
      "node_modules/p/m.js": 'export default "v";',
    },
  ],
  [
    "a package with patterns",
    {
      "a.ts": using('import value from "p/f/x.js";'),
      "node_modules/p/package.json": '{ "exports": { "./f/*": "./no/*", "./f/*.js": "./dist/*.mjs" } }',
      "node_modules/p/dist/x.mjs": 'export default "v";',
    },
  ],
  [
    "a package's own #name",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/package.json": '{ "main": "i.js", "imports": { "#in": { "require": "./in.js" } } }',
      "node_modules/p/i.js": 'module.exports = require("#in");',
      "node_modules/p/in.js": 'module.exports = "v";',
    },
  ],
  [
    "a package's package",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/index.js": 'module.exports = require("q");',
      "node_modules/p/node_modules/q/index.js": 'module.exports = "v";',
      "node_modules/q/index.js": 'module.exports = "no";',
    },
  ],
  [
    "a package that tries for another that is not there",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/index.js": 'let v = "no"; try { v = require("none"); } catch { v = "v"; } module.exports = v;',
    },
  ],
  [
    "a package that tries for a module of Node's",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/index.js": 'let v = "no"; try { v = require("net"); } catch { v = "v"; } module.exports = v;',
    },
  ],
  [
    "a package named as a module of Node's that cannot be had",
    { "a.ts": using('import value from "net";'), "node_modules/net/index.js": 'module.exports = "v";' },
  ],
  [
    "an import() of a literal",
    { "a.ts": using("", 'export const run = async () => (await import("./_h.ts")).value;'), "_h.ts": 'export const value = "v";' },
  ],
  ["a run of another file", { "a.ts": tool("a", { run: 'export { run } from "./_r.ts";' }), "_r.ts": 'export const run = () => "v";' }],
  ["process.env.NODE_ENV", { "a.ts": using('const value = process.env.NODE_ENV === "production" ? "v" : "no";') }],
];

for (const [what, files] of WORKING) test(`a tool may use ${what}`, async () => assert.equal(await runA(files), "v"));

test("a tool's ToolError is the guest's, and types of toolcell/tool leave nothing behind", async () => {
  const before = 'import { ToolError, type ToolContext } from "toolcell/tool"; import type { ToolResult } from "toolcell/tool";';
  const files = {
    "a.ts": tool("a", { before, run: "export function run(context: ToolContext): ToolResult { throw new ToolError(`no`); }" }),
  };
  await assert.rejects(runA(files), (error: Error) => error.constructor.name === "ToolError");
});

test("what is imported from a file that is empty, since it is being saved, is missing and not undefined", async () => {
  const value = using('import { value } from "./_h.ts";');
  const effect = tool("b", { before: 'import "./_h.ts"; import { value } from "p"; void value;' });
  const record = await admitFiles(admission, { "a.ts": value, "b.ts": effect, "_h.ts": "", "node_modules/p/index.js": "" });
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["b"],
  );
  assert.deepEqual(
    record.broken.map(({ file }) => file),
    ["a.ts"],
  );
  assert.match(record.broken[0]?.reason ?? "", /No matching export in "_h\.ts" for import "value"/u);
});

test("a tool's code runs when it is loaded and not before", async () => {
  const files = {
    "a.ts": using('globalThis.order = (globalThis.order ?? "") + "a"; const value = 1;'),
    "b.ts": tool("b", { before: "throw new Error('b ran');" }),
  };
  assert.equal(await runA(files), 1);
});

test("the same folder makes the same bundle wherever it is, and no path of the host is in it", async () => {
  const files = {
    "a.ts": using('import value from "p"; import { x } from "./_h.ts"; x();'),
    "_h.ts": "export const x = () => new Error().stack;",
    "node_modules/p/index.js": "module.exports = 1;",
  };
  const [first, second] = [makeFolder(files), makeFolder(files)];
  const records = [await admission.admit(first, { shipped: false }), await admission.admit(second, { shipped: false })];
  assert.equal(records[0]?.bundleHash, records[1]?.bundleHash);
  const text = await admission.bundle(String(records[0]?.bundleHash));
  assert.ok(!text.includes(path.dirname(first)) && !text.includes(process.cwd()) && !text.includes("/node_modules/ajv"));
  assert.match(text, /^__toolcell_load\(function \(__toolcell\) \{ "use strict";\n/);
});

test("L23 a tsconfig, an .npmrc and source maps in the folder are passed over", async () => {
  const files = {
    "a.ts": using('const value = "v"; //# sourceMappingURL=/etc/passwd'),
    "tsconfig.json": "{ broken",
    ".npmrc": "registry=http://127.0.0.1",
    "package.json": '{ "main": 1 }',
  };
  assert.equal(await runA(files), "v");
});
