import { CLI } from "../catalogue/texts.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { CallOptions } from "../engine/call-options.ts";
import type { Outcome } from "../engine/outcome.ts";
import { engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { helpOf } from "./help.ts";
import { UNHURRIED, waitForInspector } from "./inspect.ts";
import { createProgressLine } from "./progress-line.ts";
import { moduleHelp, toolHelp } from "./tool-help.ts";
import { findTool, readToolWords } from "./tool-words.ts";

/**
 * `toolcell call <tool> …` or `<module> <action> …`: one call; prints its text, or with `--json` its outcome. A module that
 * has a command line of its own gets whatever names none of its actions.
 */
export async function callCommand(line: CommandLine): Promise<number> {
  const [first] = line.words;
  const { flags } = line;
  if (first === undefined || first.startsWith("-")) {
    if (flags.help) return print(helpOf("call"));
    throw new UsageError(CLI.missingWord("the tool to call"));
  }
  const { inspectPort } = flags;
  const limits = { spareCount: flags.help ? 0 : 1, ...(inspectPort === null ? {} : UNHURRIED) };
  await using engine = await createEngine({ ...engineOptions(flags), limits });
  const entry = findTool(line.words, engine.tools())?.entry;
  if (flags.help) return print(entry === undefined ? moduleHelpOf(engine, first) : toolHelp(entry));
  using inspector = inspectPort === null ? null : waitForInspector(entry, inspectPort);
  void inspector;
  const call = entry === undefined && hasCli(engine, first) ? commandOf(engine, line) : await toolCallOf(engine, line);
  const outcome = await watched(call, flags);
  return report(outcome, flags.json);
}

type Start = (options: CallOptions) => Promise<Outcome>;

async function toolCallOf(engine: Engine, line: CommandLine): Promise<Start> {
  const { tool, args } = await readToolWords(line, engine.tools());
  return (options) => engine.call(tool, args, options);
}

function commandOf(engine: Engine, { words: [module = "", ...argv] }: CommandLine): Start {
  return (options) => engine.runCli(module, argv, options);
}

function hasCli(engine: Engine, module: string): boolean {
  return engine.capabilities().some(({ name, hasCli: has, refused, enabled }) => name === module && has && refused === null && enabled);
}

/** Runs a call with its progress on the terminal, and gives it up on an interrupt. */
async function watched(start: Start, { quiet, timeoutMs }: CommandLine["flags"]): Promise<Outcome> {
  const progress = createProgressLine(process.stderr, !quiet);
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const outcome = await start({
      signal: interrupt.signal,
      onProgress: (fraction, detail) => progress.show(fraction, detail),
      ...(timeoutMs === null ? {} : { timeoutMs }),
    });
    progress.clear();
    return outcome;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

function moduleHelpOf(engine: Engine, name: string): string {
  const entry = engine.capabilities().find((capability) => capability.name === name && capability.refused === null);
  return entry === undefined ? helpOf("call") : moduleHelp(entry, engine.tools());
}

function report(outcome: Outcome, isJson: boolean): number {
  if (isJson) process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`);
  else if (outcome.ok) process.stdout.write(outcome.text.endsWith("\n") ? outcome.text : `${outcome.text}\n`);
  else process.stderr.write(`${outcome.text}\n`);
  return outcome.ok ? EXIT.ok : EXIT.failed;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}
