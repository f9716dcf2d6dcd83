/**
 * `npm start`: one ordinary call, then three hostile ones beside a neighbour that goes on answering. Exits with 0 only
 * where every call came out as it should.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Code, type Engine, type Outcome } from "toolcell";

const MiB = 1024 * 1024;

const HOSTILE: readonly { readonly tool: string; readonly timeoutMs: number; readonly code: Code }[] = [
  { tool: "loop_forever", timeoutMs: 1000, code: "CALL_TIMEOUT" },
  { tool: "grow_memory", timeoutMs: 20_000, code: "MEMORY_LIMIT" },
  { tool: "reach_process", timeoutMs: 5000, code: "TOOL_EXCEPTION" },
];

const home = await mkdtemp(join(tmpdir(), "toolcell-demo-"));
try {
  // Folders beside this file that are capabilities: here, `hostile` is the one.
  await using engine = await createEngine({ home, capabilities: [import.meta.dirname], limits: { memoryBytes: 64 * MiB } });
  const isCounted = await countReadme(engine);
  const isContained = await runHostile(engine);
  console.log(isCounted && isContained ? "\nAll as it should be." : "\nNot as it should be.");
  process.exitCode = isCounted && isContained ? 0 : 1;
} finally {
  await rm(home, { recursive: true, force: true });
}

async function countReadme(engine: Engine): Promise<boolean> {
  const text = await readFile(join(import.meta.dirname, "..", "README.md"), "utf8");
  const outcome = await engine.call("text_stats", { text, top: 5 });
  console.log(`text_stats of README.md\n${indent(outcome.text)}\n${indent(usageLine(outcome))}`);
  return outcome.ok;
}

async function runHostile(engine: Engine): Promise<boolean> {
  console.log("\nThree hostile tools, each with 64 MiB");
  const ended = new AbortController();
  const neighbour = callUntil(engine, ended.signal);
  let isContained = true;
  for (const { tool, timeoutMs, code } of HOSTILE) {
    const { text, error, usage } = await engine.call(tool, {}, { timeoutMs });
    console.log(indent(`${(error?.code ?? "ok").padEnd(15)}after ${usage.wallMs.toFixed(0).padStart(4)} ms  ${text}`));
    isContained &&= error?.code === code;
  }
  ended.abort();
  const { answers, failures, slowestMs } = await neighbour;
  console.log(`\nMeanwhile text_stats answered ${answers} times, at the slowest in ${slowestMs.toFixed(1)} ms`);
  return isContained && answers > 0 && failures === 0;
}

/** Calls another capability again and again, until it is told to stop. */
async function callUntil(engine: Engine, ended: AbortSignal) {
  let answers = 0;
  let failures = 0;
  let slowestMs = 0;
  while (!ended.aborted) {
    const { ok, usage } = await engine.call("text_stats", { text: "a b c" });
    if (ok) answers += 1;
    else failures += 1;
    slowestMs = Math.max(slowestMs, usage.wallMs);
    await pause(20);
  }
  return { answers, failures, slowestMs };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function usageLine({ usage: { startMs, wallMs, cpuMs } }: Outcome): string {
  return `cell started in ${startMs.toFixed(0)} ms, call took ${(wallMs - startMs).toFixed(1)} ms, cpu ${cpuMs.toFixed(1)} ms`;
}

function indent(text: string): string {
  return text.replaceAll(/^/gmu, "  ");
}
