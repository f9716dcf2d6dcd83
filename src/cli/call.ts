import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import type { Outcome } from "../engine/outcome.ts";
import { engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { helpOf, toolHelp } from "./help.ts";
import { EXIT } from "./exit.ts";
import { createProgressLine } from "./progress-line.ts";
import { UNHURRIED, waitForInspector } from "./inspect.ts";
import { readToolArguments } from "./tool-arguments.ts";

/** `toolcell call <tool> [json] [name=value] [--name value]`: one call; prints its text, or with `--json` its outcome. */
export async function callCommand(line: CommandLine): Promise<number> {
  const [tool, ...words] = line.words;
  const { flags } = line;
  if (tool === undefined || tool.startsWith("-")) {
    if (flags.help) return print(helpOf("call"));
    throw new UsageError(CLI.missingWord("the tool to call"));
  }
  const { inspectPort } = flags;
  const limits = { spareCount: 1, ...(inspectPort === null ? {} : UNHURRIED) };
  await using engine = await createEngine({ ...engineOptions(flags), limits });
  const entry = engine.tools().find(({ name }) => name === tool);
  if (flags.help && entry !== undefined) return print(toolHelp(entry));
  using inspector = inspectPort === null ? null : waitForInspector(entry, inspectPort);
  void inspector;
  const args = await readToolArguments(words, entry?.inputSchema ?? {});
  const progress = createProgressLine(process.stderr, !flags.quiet);
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const outcome = await engine.call(tool, args, {
      signal: interrupt.signal,
      onProgress: (fraction, detail) => progress.show(fraction, detail),
      ...(flags.timeoutMs === null ? {} : { timeoutMs: flags.timeoutMs }),
    });
    progress.clear();
    return report(outcome, flags.json);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
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
