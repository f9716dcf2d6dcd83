import { resolve } from "node:path";
import { CLI } from "../catalogue/texts.ts";
import { inspectCapability } from "../engine/inspect.ts";
import { engineOptions, onlyWord, type CommandLine } from "./command-line.ts";
import { capabilityText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

/** `toolcell check <folder>`: what the engine and the store would say of it, without running it. */
export async function checkCommand(line: CommandLine): Promise<number> {
  const folder = resolve(onlyWord(line, "the folder to check"));
  const entry = await inspectCapability(folder, engineOptions(line.flags));
  if (line.flags.json) process.stdout.write(`${JSON.stringify(entry, null, 2)}\n`);
  else process.stdout.write(capabilityText(entry));
  const isFine = entry.refused === null && entry.broken.length === 0 && entry.ignored.length === 0;
  if (!line.flags.json && !line.flags.quiet) process.stderr.write(`${isFine ? CLI.checkFine(entry.name) : CLI.checkFailed(entry.name)}\n`);
  return isFine ? EXIT.ok : EXIT.failed;
}
