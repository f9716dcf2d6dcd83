import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { makeTempFolder } from "../support/capabilities.ts";
import { readPage, ROOT } from "./pages.ts";

test("the demo contains three hostile tools while a neighbour answers, and leaves nothing behind", async () => {
  using temp = makeTempFolder();
  const { code, stdout } = await runExample("demo.ts", temp.path);
  assert.equal(code, 0, stdout);
  for (const [tool, end] of [
    ["loop_forever", "CALL_TIMEOUT"],
    ["grow_memory", "MEMORY_LIMIT"],
    ["reach_process", "TOOL_EXCEPTION"],
  ] as const)
    assert.match(stdout, new RegExp(`^ +${end} +after +\\d+ ms +${tool} failed: `, "mu"));
  assert.match(stdout, /^Meanwhile text_stats answered [1-9]\d* times/mu);
  assert.match(stdout, /^ {2}cell started in \d+ ms, call took [\d.]+ ms, cpu [\d.]+ ms$/mu);
  assert.deepEqual(readdirSync(temp.path), []);
  // What the README shows of it is what it says, but for the numbers.
  const shown = /^```text\n(Three hostile[\s\S]*?)^```$/mu.exec(readPage("README.md"))?.[1];
  assert.ok(shown !== undefined && withoutNumbers(stdout).includes(withoutNumbers(shown)), stdout);
});

test("the embedding example answers", async () => {
  using temp = makeTempFolder();
  const { code, stdout } = await runExample("embed.ts", temp.path);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^Words: 3 \(3 distinct\)/mu);
});

async function runExample(file: string, temp: string): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const env = { ...process.env, TMPDIR: temp, TOOLCELL_HOME: path.join(temp, "home") };
  const child = spawn(process.execPath, [path.join(ROOT, "examples", file)], { stdio: ["ignore", "pipe", "inherit"], env });
  const closed = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [code, stdout] = await Promise.all([closed, text(child.stdout)]);
  return { code, stdout };
}

function withoutNumbers(shown: string): string {
  return shown.replaceAll(/\s*\d+(?:\.\d+)?/gu, " N");
}
