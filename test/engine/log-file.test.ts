import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createEngine } from "toolcell";
import { createLog } from "../../src/engine/log.ts";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";

const MAX_BYTES = 5 * 1024 * 1024;

test("without a function of the embedder's the log is a file under the home, one JSON object a line", async () => {
  using home = makeTempFolder();
  writeFiles(home.path, {
    "capabilities/demo/say.js": toolFile("say", "const run = (context) => { context.log.warn('two\\nlines'); return 'said'; };"),
  });
  await using engine = await createEngine({ home: home.path });
  const { callId, text } = await engine.call("say");
  assert.equal(text, "said");
  const lines = readFileSync(path.join(home.path, "logs", "engine.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const entry = entries.find((candidate) => candidate["callId"] === callId);
  assert.deepEqual([entry?.["level"], entry?.["message"], entry?.["tool"]], ["warn", "two\nlines", "say"]);
});

test("the file is begun anew before it grows too large, and the one before is kept", () => {
  using home = makeTempFolder();
  const log = createLog(home.path, null);
  const message = "m".repeat(100_000);
  for (let line = 0; line < 120; line += 1) log("info", `${line} ${message}`);
  const folder = path.join(home.path, "logs");
  assert.deepEqual(readdirSync(folder).sort(), ["engine.jsonl", "engine.jsonl.1"]);
  for (const file of readdirSync(folder)) {
    const { size, mode } = statSync(path.join(folder, file));
    assert.ok(size <= MAX_BYTES, `${file} has ${size} bytes`);
    assert.equal(mode & 0o077, 0, "nobody else reads it");
  }
  assert.match(readFileSync(path.join(folder, "engine.jsonl"), "utf8").trimEnd().split("\n").at(-1) ?? "", /"message":"119 m/u);
});

test("a log goes on from where the last engine left it", () => {
  using home = makeTempFolder();
  createLog(home.path, null)("info", "first");
  createLog(home.path, null)("info", "second");
  const lines = readFileSync(path.join(home.path, "logs", "engine.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { message: string }).message),
    ["first", "second"],
  );
});

test("two engines of one home may write at once and lose no line", () => {
  using home = makeTempFolder();
  const logs = [createLog(home.path, null), createLog(home.path, null)];
  for (let line = 0; line < 110; line += 1) logs[line % 2]?.("info", `${line} ${"m".repeat(50_000)}`);
  const folder = path.join(home.path, "logs");
  const kept = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), "utf8").trimEnd().split("\n"));
  assert.equal(kept.length, 110);
  for (const file of readdirSync(folder)) assert.ok(statSync(path.join(folder, file)).size <= MAX_BYTES * 1.1);
});
