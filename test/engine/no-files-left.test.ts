import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";

const SCRIPT = `
import { closeSync, openSync } from "node:fs";
import { createEngine } from "toolcell";
const [home, capabilities] = process.argv.slice(1);
await using engine = await createEngine({ home, capabilities: [capabilities], log: () => {}, limits: { spareCount: 0 } });
const held = [];
try {
  for (;;) held.push(openSync("/dev/null"));
} catch {}
closeSync(held.pop());
const without = await engine.call("one");
for (const file of held) closeSync(file);
const again = await engine.call("one");
console.log(JSON.stringify([without.error?.code, without.error?.phase, without.error?.started, again.text]));
`;

test(
  "where no process can be started a call fails, the caller does not, and the next call finds one",
  { skip: process.platform === "win32" },
  () => {
    using temp = makeTempFolder();
    writeFiles(temp.path, { "capabilities/demo/one.js": toolFile("one", "const run = () => 'one';") });
    const [home, capabilities] = [path.join(temp.path, "home"), path.join(temp.path, "capabilities")];
    const node = ["--input-type=module", "-e", SCRIPT, home, capabilities];
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", 'ulimit -n 512; exec "$0" "$@"', process.execPath, ...node], {
      encoding: "utf8",
      cwd: path.join(import.meta.dirname, "../.."),
    });
    assert.equal(stderr, "");
    assert.deepEqual(JSON.parse(stdout), ["CELL_CRASHED", "start", false, "one"]);
  },
);
