import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { findAddon } from "../../src/cell/addon.ts";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";
import { INDEX, makeWorker } from "./a-worker.ts";

describe("a worker's bundle", () => {
  test("knows where each of its sources stands", async () => {
    const inner = "export const place = [import.meta.url, import.meta.dirname, import.meta.filename, import.meta.url === import.meta.url];";
    const own = "const __filename = 'its own'; export const named = __filename;";
    const source = toolFile("places", "const run = () => JSON.stringify([place, named, outer]);", {
      code: 'import { place } from "./lib/inner.mjs"; import { named } from "./_own.mjs"; import outer from "./lib/outer.cjs";',
    });
    const outer = "#!/usr/bin/env node\nmodule.exports = __dirname;";
    await using made = await makeWorker({ "places.js": source, "lib/inner.mjs": inner, "_own.mjs": own, "lib/outer.cjs": outer });
    const { payload, text } = await made.engine.call("places");
    assert.equal(payload, null);
    assert.deepEqual(JSON.parse(text), [
      ["file:///capability/lib/inner.mjs", "/capability/lib", "/capability/lib/inner.mjs", true],
      "its own",
      "/capability/lib",
    ]);
  });

  test("takes packages in, as Node is given them, and a name of Node's for Node's own", async () => {
    const files = {
      "use.js": toolFile("use", "const run = () => `${kind} ${typeof EventEmitter}`;", {
        code: 'import { kind } from "two-sided"; import { EventEmitter } from "events";',
      }),
      "node_modules/two-sided/package.json": '{ "exports": { "node": "./node.js", "default": "./plain.js" } }',
      "node_modules/two-sided/node.js": "exports.kind = 'for node ' + require('os').EOL.length;",
      "node_modules/two-sided/plain.js": "exports.kind = 'plain';",
      "node_modules/events/index.js": "exports.EventEmitter = 'a stand-in';",
    };
    await using made = await makeWorker(files);
    assert.equal((await made.engine.call("use")).text, "for node 1 function");
  });

  test("takes nothing from outside its folder", async () => {
    const outside = toolFile("outside", "const run = () => helper;", { code: 'import { helper } from "../helper.js";' });
    const missing = toolFile("missing", "const run = () => lodash;", { code: 'import lodash from "esbuild";' });
    await using made = await makeEngine({
      "helper.js": "export const helper = 1;",
      "demo/index.js": INDEX,
      "demo/fine.js": toolFile("fine", "const run = () => 1;"),
      "demo/outside.js": outside,
      "demo/missing.js": missing,
    });
    await made.engine.trust("demo");
    const broken = made.engine.capabilities().find(({ name }) => name === "demo")?.broken ?? [];
    assert.deepEqual(
      broken.map(({ file }) => file),
      ["missing.js", "outside.js"],
    );
  });

  test("leaves what is imported by a pattern to Node, from the file that asks", async () => {
    const files = {
      "speak.js": toolFile("speak", "const run = async (context, { code }) => `${word(code)} ${(await load(code)).word}`;", {
        code: 'import { word } from "./lib/words.cjs"; import { load } from "./lib/load.mjs";',
      }),
      "lib/words.cjs":
        "// A comment, with ü in it\nexports.word = (code) => { const ü = 1; return require('./words/' + code + '.cjs') + ü; };",
      "lib/load.mjs": "export const load = (code) => import(`./words/${code}.mjs`);",
      "lib/words/de.cjs": "module.exports = 'hallo';",
      "lib/words/de.mjs": "export const word = 'welt';",
      "words/de.cjs": "module.exports = 'the wrong one';",
    };
    await using made = await makeWorker(files);
    assert.equal((await made.engine.call("speak", { code: "de" })).text, "hallo1 welt");
    assert.match((await made.engine.call("speak", { code: "fr" })).text, /Cannot find module '\/capability\/lib\/words\/fr\.cjs'/u);
  });

  test("loads a native addon of its folder, and not another that took its place", async () => {
    const native = readFileSync(findAddon().file);
    const use = toolFile("use", "const run = () => typeof addon.ivm;", { code: 'import addon from "./build/addon.node";' });
    await using made = await makeWorker({ "use.js": use, "build/addon.node": native });
    assert.equal((await made.engine.call("use")).text, "object");
    await using other = await makeWorker({ "use.js": use, "build/addon.node": native });
    writeFileSync(path.join(other.folder, "demo", "build", "addon.node"), Buffer.concat([native, Buffer.from([0])]));
    const { error, text } = await other.engine.call("use");
    assert.equal(error?.code, "LOAD_FAILED");
    assert.match(text, /build\/addon\.node is not the native addon that was read/u);
  });
});
