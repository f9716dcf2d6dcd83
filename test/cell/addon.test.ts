import assert from "node:assert/strict";
import { test } from "node:test";
import { AddonError, findAddon } from "../../src/cell/addon.ts";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";

test("an isolated-vm that a guest can corrupt its process through is refused, with what to install", () => {
  for (const version of ["6.1.0", "6.9.9", "7.0.0", "5.0.4"]) {
    using temp = makeTempFolder();
    writeFiles(temp.path, { "package.json": JSON.stringify({ version }) });
    assert.throws(
      () => findAddon(temp.path),
      (error) => error instanceof AddonError && /is not safe.*install 7\.0\.1 or later/u.test(error.message),
    );
  }
});

test("an isolated-vm without a binary for this machine is told in one sentence", () => {
  using temp = makeTempFolder();
  writeFiles(temp.path, { "package.json": JSON.stringify({ version: "7.0.1" }) });
  assert.throws(
    () => findAddon(temp.path),
    (error) => error instanceof AddonError && /has no binary.*Node 24 or 26/u.test(error.message),
  );
});

test("the addon that is installed is found without being loaded", () => {
  assert.match(findAddon().file, /\.node$/u);
});
