import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { skippedText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

/** `toolcell refresh`: reads every source again and says what came of it. */
export async function refreshCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  await using engine = await createEngine(engineOptions(line.flags));
  const [capabilities, tools, skipped] = [
    engine.capabilities().filter(({ refused }) => refused === null),
    engine.tools(),
    engine.skipped(),
  ];
  if (line.flags.json) {
    const names = { capabilities: capabilities.map(({ name }) => name), tools: tools.map(({ name }) => name), skipped };
    process.stdout.write(`${JSON.stringify(names, null, 2)}\n`);
    return EXIT.ok;
  }
  process.stdout.write(`${CLI.refreshed(capabilities.length, tools.length)}\n`);
  if (!line.flags.quiet) process.stderr.write(skippedText(skipped));
  return EXIT.ok;
}
