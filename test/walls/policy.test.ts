import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { test, type TestContext } from "node:test";
import { createEngine } from "toolcell";
import { makeTempFolder, toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";
import { wrapperOrReason } from "./keepers.ts";

const HELLO = { "demo/tool.js": toolFile("hello", "function run() { return 'here'; }") };

test("a policy of walls that stand changes nothing for a call", async () => {
  await using made = await makeEngine(HELLO, { policy: { require: ["process", "permission-model", "environment"] } });
  assert.equal((await made.engine.call("hello")).text, "here");
});

test("without a wall that the policy requires no cell starts, and the outcome names it", async (context) => {
  withPath(context, "");
  await using made = await makeEngine(HELLO, { policy: { require: ["process", "bubblewrap"] } });
  for (let again = 0; again < 2; again += 1) {
    const { ok, error } = await made.engine.call("hello");
    assert.equal(ok, false);
    assert.equal(error?.phase, "start");
    assert.equal(error?.started, false);
    assert.match(error?.message ?? "", /requires the wall "bubblewrap".*bwrap is not in PATH.*install/u);
  }
});

test("a bubblewrap that does not work is left out where nobody requires it, and refused with its own words where they do", async (context) => {
  using temp = makeTempFolder();
  mkdirSync(`${temp.path}/bin`);
  writeFileSync(`${temp.path}/bin/bwrap`, "#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n");
  chmodSync(`${temp.path}/bin/bwrap`, 0o755);
  withPath(context, `${temp.path}/bin`);
  await using free = await makeEngine(HELLO);
  assert.equal((await free.engine.call("hello")).text, "here");
  await using strict = await makeEngine(HELLO, { policy: { require: ["bubblewrap"] } });
  assert.match((await strict.engine.call("hello")).text, /"bubblewrap".*No permissions to create a new namespace/u);
});

const bubblewrap = await wrapperOrReason("bubblewrap");
test("with bubblewrap every wall can be required at once", { skip: "reason" in bubblewrap ? bubblewrap.reason : false }, async () => {
  const { WALLS } = await import("../../src/cell/walls.ts");
  await using made = await makeEngine(HELLO, { policy: { require: WALLS } });
  const { text } = await made.engine.call("hello");
  assert.equal(text, "here");
});

test("a required bubblewrap that stops working later is never done without", async (context) => {
  const { PATH = "" } = process.env;
  if ("reason" in bubblewrap) return context.skip(bubblewrap.reason);
  using temp = makeTempFolder();
  mkdirSync(`${temp.path}/bin`);
  const [stand, real] = [`${temp.path}/bin/bwrap`, bubblewrap.wrapper.file];
  writeFileSync(stand, `#!/bin/sh\nexec ${real} "$@"\n`);
  chmodSync(stand, 0o755);
  withPath(context, `${temp.path}/bin${delimiter}${PATH}`);
  await using made = await makeEngine(
    { ...HELLO, "other/tool.js": toolFile("other", "function run() { return 'here'; }") },
    {
      policy: { require: ["bubblewrap"] },
      limits: { spareCount: 0 },
    },
  );
  assert.equal((await made.engine.call("hello")).text, "here");
  writeFileSync(stand, "#!/bin/sh\necho 'bwrap: Creating new namespace failed: No space left on device' >&2\nexit 1\n");
  const { ok, error } = await made.engine.call("other");
  assert.equal(ok, false);
  assert.match(error?.message ?? "", /requires the wall "bubblewrap".*No space left on device/u);
});

test("a misspelt wall is refused when the engine is made, since it would protect nobody", async () => {
  const policy = { require: ["bublewrap"] } as unknown as { readonly require: readonly "bubblewrap"[] };
  await assert.rejects(createEngine({ policy }), RangeError);
});

function withPath(context: TestContext, folder: string): void {
  const { PATH = "" } = process.env;
  context.after(() => (process.env["PATH"] = PATH));
  process.env["PATH"] = [folder].filter(Boolean).join(delimiter);
}
