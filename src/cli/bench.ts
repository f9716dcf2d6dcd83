import { readFileSync, writeFileSync } from "node:fs";
import { compareRuns } from "../bench/compare.ts";
import { comparisonText, toPretty } from "../bench/pretty.ts";
import { readRun, RunError, toJson, type Run } from "../bench/run.ts";
import { CallFailed, measureTool, TOOL_PLAN } from "../bench/tool.ts";
import { BENCH, CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { readToolArguments } from "./tool-arguments.ts";

/** `toolcell bench [--out FILE] [--compare FILE] <tool> [json] [name=value]`: what warm calls of one tool cost here. */
export async function benchCommand(line: CommandLine): Promise<number> {
  const { out, saved, tool, words } = readBenchWords(line.words);
  const { flags } = line;
  await using engine = await createEngine({ ...engineOptions(flags), limits: { spareCount: 1 } });
  const args = await readToolArguments(words, engine.tools().find(({ name }) => name === tool)?.inputSchema ?? {});
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  if (!flags.quiet) process.stderr.write(`${BENCH.begins(tool, TOOL_PLAN.rounds)}\n`);
  try {
    const run = await measureTool(engine, tool, args, { ...TOOL_PLAN, signal: interrupt.signal });
    return report(run, flags.json, out, saved);
  } catch (error) {
    if (interrupt.signal.aborted) return fail(BENCH.stopped);
    if (error instanceof CallFailed) return fail(error.message);
    throw error;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

interface BenchWords {
  readonly out: string | null;
  readonly saved: Run | null;
  readonly tool: string;
  /** The tool's own arguments, which may have any name. */
  readonly words: readonly string[];
}

// The command's own flags stand before the tool's name.
function readBenchWords(all: readonly string[]): BenchWords {
  const words = [...all];
  let out: string | null = null;
  let compare: string | null = null;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, flag, inline] = /^(--(?:out|compare))(?:=(.*))?$/su.exec(word) ?? [];
    if (flag === undefined) {
      if (word.startsWith("-")) throw new UsageError(CLI.unknownFlag(word));
      return { out, saved: compare === null ? null : readSaved(compare), tool: word, words };
    }
    const value = inline ?? words.shift();
    if (value === undefined || value === "") throw new UsageError(CLI.missingValue(flag));
    if (flag === "--out") out = value;
    else compare = value;
  }
  throw new UsageError(CLI.missingWord(BENCH.theTool));
}

// Before anything is measured: whoever waited should not learn of a wrong name at the end.
function readSaved(file: string): Run {
  try {
    return readRun(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof RunError) throw new UsageError(error.message, { cause: error });
    throw new UsageError(CLI.unreadableFile(file, (error as NodeJS.ErrnoException).code ?? ""), { cause: error });
  }
}

function report(run: Run, isJson: boolean, out: string | null, saved: Run | null): number {
  if (out !== null) {
    try {
      writeFileSync(out, toJson(run));
    } catch (error) {
      return fail(CLI.cannotWrite(out, (error as NodeJS.ErrnoException).code ?? ""));
    }
  }
  const comparison = saved === null ? null : compareRuns(saved, run);
  if (isJson) process.stdout.write(toJson(comparison === null ? run : { ...run, comparison }));
  else process.stdout.write(`${toPretty(run)}\n${comparison === null ? "" : `${comparisonText(comparison)}\n`}`);
  return EXIT.ok;
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return EXIT.failed;
}
