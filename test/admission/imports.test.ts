import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { admitFiles, brokenReason, loadRecord, makeFolder, makeTempDir, sharedAdmission, tool, type Files } from "./a-folder.ts";

const admission = sharedAdmission();
const good = tool("good");
const using = (statement: string, run = "export const run = () => value;"): string => tool("a", { before: statement, run });

const REFUSED: readonly (readonly [string, Files, RegExp])[] = [
  ["L15 node:net", { "a.ts": using('import value from "node:net";') }, /^1: "node:net" is one of Node's own modules/],
  ["L15 bare net", { "a.ts": using('\nimport value from "net";') }, /^2: "net" is one of Node's own modules/],
  [
    "L15 a package that is not there",
    { "a.ts": using('import value from "lodash";') },
    /^1: The package "lodash" is not in the folder's node_modules/,
  ],
  ["L15 https:", { "a.ts": using('import value from "https://example.com/x.js";') }, /"https:\/\/example\.com\/x\.js" is an address/],
  ["data:", { "a.ts": using('import value from "data:text/javascript,1";') }, /is an address/],
  [
    "L15 a parent of the folder",
    { "a.ts": using('import value from "../../host-secret.js";') },
    /"\.\.\/\.\.\/host-secret\.js" leads out of the folder/,
  ],
  ["an absolute path", { "a.ts": using('import value from "/etc/passwd";') }, /"\/etc\/passwd" is an absolute path/],
  ["a Windows path", { "a.ts": using('import value from "C:\\\\x.js";') }, /is an absolute path/],
  ["a file: address", { "a.ts": using('import value from "file:///etc/passwd";') }, /is an address/],
  ["a file that is not there", { "a.ts": using('import value from "./_none.ts";') }, /"\.\/_none\.ts" is not in the folder/],
  ["a native addon", { "a.ts": using('import value from "./x.node";'), "x.node": "" }, /"\.\/x\.node" is a native addon/],
  ["what loads a native addon", { "a.ts": using('import value from "bindings";') }, /"bindings" is a native addon/],
  ["WebAssembly that it did not ask for", { "a.ts": using('import value from "./x.wasm";'), "x.wasm": "" }, /ask for it with PERMISSIONS/],
  ["a picture", { "a.ts": using('import value from "./x.png";'), "x.png": "" }, /no kind of file that can be bundled/],
  [
    "a type that there is none of",
    { "a.ts": using('import value from "./x.json" with { type: "css" };'), "x.json": "1" },
    /cannot be imported with the type "css"/,
  ],
  ["a module that Node has none of", { "a.ts": using('import value from "node:lodash";') }, /"node:lodash" is one of Node's own modules/],
  ["__proto__", { "a.ts": using('import value from "__proto__";') }, /The package "__proto__" is not in the folder's/],
  ["constructor", { "a.ts": using('import value from "constructor";') }, /The package "constructor" is not in the folder's/],
  ["node:__proto__", { "a.ts": using('import value from "node:__proto__";') }, /"node:__proto__" is one of Node's own modules/],
  [
    "a tsconfig path that leads out",
    { "a.ts": using('import value from "@/x";'), "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["../../*"] } } }' },
    /"@\/x" leads out of the folder/,
  ],
  ["a broken tsconfig.json", { "a.ts": using('import value from "x";'), "tsconfig.json": "{ a }" }, /"tsconfig\.json" is not valid JSON/],
  [
    "an import map that leads out",
    { "a.ts": using('import value from "#x";'), "package.json": '{ "imports": { "#x": "./../../x.js" } }' },
    /"#x" leads out of the folder/,
  ],
  [
    "a package that needs Node's network",
    {
      "a.ts": using('import value from "p";'),
      "node_modules/p/index.js": 'module.exports = require("q");',
      "node_modules/q/index.js": 'var net = require("net"); module.exports = net;',
    },
    /Imports node_modules\/q\/index\.js:1, which cannot be bundled: The package "q" needs "net", .* use `fetch`, with a `network` permission/,
  ],
  ["the engine itself", { "a.ts": using('import value from "toolcell";') }, /import from "toolcell\/tool"/],
  ["the engine's modules", { "a.ts": using('import value from "toolcell:schema/0/first";') }, /is an address/],
  [
    "something toolcell/tool does not have",
    { "a.ts": using('import { nothing as value } from "toolcell/tool";') },
    /No matching export in "toolcell\/tool" for import "nothing"/,
  ],
  [
    "what a package hides",
    {
      "a.ts": using('import value from "p/inner.js";'),
      "node_modules/p/package.json": '{ "exports": "./i.js" }',
      "node_modules/p/inner.js": "",
    },
    /The package does not export "p\/inner\.js"/,
  ],
  [
    "a package whose exports lead out",
    { "a.ts": using('import value from "p";'), "node_modules/p/package.json": '{ "exports": "./../../../x.js" }' },
    /leads out of the folder/,
  ],
  [
    "a package whose package.json is broken",
    { "a.ts": using('import value from "p";'), "node_modules/p/package.json": "{" },
    /"node_modules\/p\/package\.json" is not valid JSON/,
  ],
  [
    "a literal import() of what is not there",
    { "a.ts": using("", 'export const run = () => import("./_none.ts");') },
    /"\.\/_none\.ts" is not in the folder/,
  ],
  [
    "a literal require of what is not there",
    { "a.ts": using("", 'export const run = () => require("none");') },
    /The package "none" is not/,
  ],
  ["L14 top-level await", { "a.ts": using("\nconst value = await 1;") }, /^2: Top-level `await` cannot be used/],
  [
    "a syntax error in JSON",
    { "a.ts": using('import value from "./x.json";'), "x.json": "{" },
    /Imports x\.json:1, which cannot be bundled/,
  ],
  [
    "what strict code cannot hold",
    { "a.ts": using('import value from "./_h.cjs";'), "_h.cjs": "\nwith (exports) {}" },
    /Imports _h\.cjs:2, which cannot be bundled: With statements cannot be used in strict mode/,
  ],
];

for (const [what, files, reason] of REFUSED) {
  test(`a tool that imports or holds ${what} is broken, and its neighbour is bundled`, async () => {
    const record = await admitFiles(admission, { ...files, "good.ts": good });
    assert.match(brokenReason(record, "a.ts"), reason);
    const tools = await loadRecord(admission, record);
    assert.deepEqual(Object.keys(tools), ["good"]);
    assert.equal(await (await tools["good"]?.load())?.run({}, {}), 1);
  });
}

test("an error in a helper breaks the tools that reach it and no others", async () => {
  const record = await admitFiles(admission, {
    "a.ts": using('import { value } from "./_middle.ts";'),
    "b.ts": tool("b", { before: 'import "./_bad.ts";' }),
    "good.ts": tool("good", { before: 'import { fine } from "./_fine.ts"; fine;' }),
    "_middle.ts": 'export * from "./_bad.ts"; export const value = 1;',
    "_bad.ts": "export const one = 1;\nexport const two = ;",
    "_fine.ts": "export const fine = 1;",
  });
  const expected = /Imports _bad\.ts:2, which cannot be bundled: Unexpected ";"/;
  assert.match(brokenReason(record, "a.ts"), expected);
  assert.match(brokenReason(record, "b.ts"), expected);
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["good"],
  );
});

test("errors that show one after the other break all their tools", async () => {
  const record = await admitFiles(admission, {
    "a.ts": using("const value = await 1;"),
    "b.ts": tool("b", { before: 'import "./_none.ts";' }),
    "c.ts": tool("c", { before: 'import { none } from "./_h.ts"; none;' }),
    "_h.ts": "export const x = 1;",
    "good.ts": good,
  });
  assert.deepEqual(
    record.broken.map(({ file }) => file),
    ["a.ts", "b.ts", "c.ts"],
  );
  assert.deepEqual(Object.keys(await loadRecord(admission, record)), ["good"]);
});

test("a folder whose every tool is broken is listed, without a bundle", async () => {
  const record = await admitFiles(admission, { "a.ts": using('import value from "node:net";') });
  assert.deepEqual([record.refused, record.bundleHash, record.tools, record.broken.length], [null, null, [], 1]);
});

test("what an import leads to has to be a regular file inside the folder", async () => {
  const outside = makeTempDir();
  writeFileSync(path.join(outside, "secret.ts"), 'export const value = "secret";');
  mkdirSync(path.join(outside, "pkg"));
  writeFileSync(path.join(outside, "pkg/index.js"), "module.exports = 1;");
  const folder = makeFolder({
    "link.ts": tool("link", { before: 'import "./_link.ts";' }),
    "through.ts": tool("through", { before: 'import "./out/secret.ts";' }),
    "pkg.ts": tool("pkg", { before: 'import "pkg";' }),
    "pipe.ts": tool("pipe", { before: 'import "./_pipe.ts";' }),
    "good.ts": good,
  });
  symlinkSync(path.join(outside, "secret.ts"), path.join(folder, "_link.ts"));
  symlinkSync(outside, path.join(folder, "out"));
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(path.join(outside, "pkg"), path.join(folder, "node_modules/pkg"));
  execFileSync("mkfifo", [path.join(folder, "_pipe.ts")]);
  const record = await admission.admit(folder, { shipped: false });
  assert.match(brokenReason(record, "link.ts"), /^1: "\.\/_link\.ts" leads out of the folder/);
  assert.match(brokenReason(record, "through.ts"), /^1: "\.\/out\/secret\.ts" leads out of the folder/);
  assert.match(brokenReason(record, "pkg.ts"), /^1: "pkg" leads out of the folder/);
  assert.match(brokenReason(record, "pipe.ts"), /^1: "\.\/_pipe\.ts" cannot be bundled\. This is a named pipe/);
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["good"],
  );
  assert.ok(!JSON.stringify(record).includes(outside));
});

test("what is in the working folder of the host is not found", async () => {
  assert.match(
    brokenReason(await admitFiles(admission, { "a.ts": using('import value from "ajv";') }), "a.ts"),
    /The package "ajv" is not in the folder's/,
  );
  assert.match(
    brokenReason(await admitFiles(admission, { "a.ts": using("", 'export const run = () => require("ajv");') }), "a.ts"),
    /The package "ajv" is not in the folder's/,
  );
});
