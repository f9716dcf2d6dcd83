import assert from "node:assert/strict";
import { after } from "node:test";
import { counter } from "../density/a-shared-folder.ts";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { canSeeProcesses, keeperPids } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

if (canSeeProcesses) {
  const folder = makeTempFolder();
  writeFiles(folder.path, { ...counter("one"), ...counter("two"), ...counter("three") });
  after(() => folder[Symbol.dispose]());

  testLimit("sharedCellCount", {
    files: {},
    set: 2,
    beside: { spareCount: 0 },
    options: { capabilities: [folder.path], shareProcess: [folder.path] },
    at: [
      "puts as many cells into one process",
      async ({ engine }) => {
        for (const name of ["one", "two"]) assert.equal((await engine.call(`count_${name}`)).ok, true);
        assert.equal(keeperPids().length, 1);
      },
    ],
    over: [
      "begins another process for one more",
      async ({ engine }) => {
        assert.equal((await engine.call("count_three")).ok, true);
        assert.equal(keeperPids().length, 2);
      },
    ],
    raised: [
      "puts more into one",
      async ({ engine }) => {
        for (const name of ["one", "two", "three"]) assert.equal((await engine.call(`count_${name}`)).ok, true);
        assert.equal(keeperPids().length, 1);
      },
    ],
  });
}
