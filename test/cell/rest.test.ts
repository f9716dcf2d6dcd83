import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { privateBytesOf } from "../../src/bench/processes.ts";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";
import { makeSharing } from "../density/a-shared-folder.ts";

const skip = !canSeeProcesses && "needs /proc";
const MiB = 1024 * 1024;
const HAS_COLLECTOR = "const run = () => String(typeof globalThis.gc);";
// A cell rests once a second has passed in which nothing was done, and looks each second.
const REST_MS = 2300;

test("a cell that rests gives back what its start has left, and answers as before", { skip }, async () => {
  await using made = await makeEngine({ "demo/ask.js": toolFile("ask", HAS_COLLECTOR) }, { limits: { spareCount: 0 } });
  assert.equal((await made.engine.call("ask")).text, "undefined");
  const before = held();
  await until(() => held() < before - MiB);
  assert.equal((await made.engine.call("ask")).text, "undefined");
});

test("a guest that is made where another has rested has no more of V8 than that", { skip }, async () => {
  await using made = await makeSharing({
    "one/ask.js": toolFile("ask_one", HAS_COLLECTOR),
    "two/ask.js": toolFile("ask_two", HAS_COLLECTOR),
  });
  assert.equal((await made.engine.call("ask_one")).text, "undefined");
  await pause(REST_MS);
  assert.equal((await made.engine.call("ask_two")).text, "undefined");
  assert.equal(keeperPids().length, 1);
});

function held(): number {
  return privateBytesOf(keeperPids()) ?? NaN;
}
