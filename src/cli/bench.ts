import { readFileSync, writeFileSync } from "node:fs";
import { compareRuns } from "../bench/compare.ts";
import { comparisonText, toPretty } from "../bench/pretty.ts";
import { readRun, RunError, toJson, type Run } from "../bench/run.ts";
import { CallFailed, measureTool, TOOL_PLAN } from "../bench/tool.ts";
import { BENCH, CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { readToolWords } from "./tool-words.ts";

/** `toolcell bench [--out FILE] [--compare FILE] <tool> [json] [name=value]`: what warm calls of one tool cost here. */
export async function benchCommand(line: CommandLine): Promise<number> {
  const { out, saved, rest } = readBenchWords(line);
  const { flags } = line;
  await using engine = await createEngine({ ...engineOptions(flags), limits: { spareCount: 1 } });
  const { tool, args } = await readToolWords(rest, engine.tools());
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
  /** The tool and its arguments, which may have any name. */
  readonly rest: Pick<CommandLine, "words" | "firstLiteral">;
}

// The command's own flags stand before the tool's name.
function readBenchWords({ words, firstLiteral }: CommandLine): BenchWords {
  let out: string | null = null;
  let compare: string | null = null;
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? "";
    const [, flag, inline] = at < firstLiteral ? (/^(--(?:out|compare))(?:=(.*))?$/su.exec(word) ?? []) : [];
    if (flag === undefined) {
      if (at < firstLiteral && word.startsWith("-")) throw new UsageError(CLI.unknownFlag(word));
      const rest = { words: words.slice(at), firstLiteral: Math.max(0, firstLiteral - at) };
      return { out, saved: compare === null ? null : readSaved(compare), rest };
    }
    const value = inline ?? words[at + 1];
    if (value === undefined || value === "") throw new UsageError(CLI.missingValue(flag));
    if (flag === "--out") out = value;
    else compare = value;
    at += inline === undefined ? 2 : 1;
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
