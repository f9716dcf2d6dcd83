import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { makeTempFolder, toolFile } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";

const KiB = 1024;
const LIMIT = 256 * KiB;

test("of a file that grows while it is read no more is given than readBytes, whatever its size was before", async () => {
  using temp = makeTempFolder();
  const workspace = `${temp.path}/workspace`;
  mkdirSync(workspace);
  writeFileSync(`${workspace}/log`, Buffer.alloc(LIMIT - 32 * KiB));
  const read = toolFile(
    "read",
    `async function run({ fs }) {
      let most = 0; const codes = new Set();
      for (let at = 0; at < 200; at++) {
        try { most = Math.max(most, (await fs.readBytes("/workspace/log")).length); } catch (error) { codes.add(error.code); }
      }
      return { most, codes: [...codes] };
    }`,
  );
  await using made = await makeEngine(
    { "demo/index.js": 'export const PERMISSIONS = { workspace: "read" };\n', "demo/tool.js": read },
    { workspace, policy: { grant: () => true }, limits: { readBytes: LIMIT } },
  );
  const growing = setInterval(() => appendFileSync(`${workspace}/log`, Buffer.alloc(KiB)), 1);
  const { ok, payload, text } = await made.engine.call("read").finally(() => clearInterval(growing));
  assert.equal(ok, true, text);
  const { most, codes } = payload as { most: number; codes: string[] };
  assert.ok(most <= LIMIT && most > 0, String(most));
  // Once it is over the limit it is refused as such; in the middle of a change it may be told to be changing.
  assert.ok(
    codes.every((code) => code === "POWER_LIMIT" || code === "EAGAIN" || code === "EFBIG"),
    codes.join(", "),
  );
});
