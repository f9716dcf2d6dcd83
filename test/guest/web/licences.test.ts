import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

test("the licences of what is built into the guest's runtime ship with it", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../dist/guest-LICENSES.txt"), "utf8");
  for (const library of ["@exodus/bytes", "urlpattern-polyfill", "web-streams-polyfill"])
    assert.match(text, new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, "mu"));
});

test("and those of what stands between it and the tools of packages", () => {
  const text = readFileSync(path.join(import.meta.dirname, "../../../dist/adapt-LICENSES.txt"), "utf8");
  for (const library of ["@langchain/core", "zod"]) assert.match(text, new RegExp(`^${library} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, "mu"));
});
