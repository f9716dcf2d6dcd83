import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { completionsFor } from "./completion-words.ts";
import { completionScript, SHELLS } from "./completion-scripts.ts";
import { engineOptions, readCommandLine, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";

/**
 * `toolcell completion bash|zsh|fish` prints a script for that shell, which asks `toolcell completion words -- …` as the user
 * types: so it knows of tools that come later, and no name of anybody's stands in the script.
 */
export async function completionCommand(line: CommandLine): Promise<number> {
  const [what, ...words] = line.words;
  if (what === "words") return await wordsCommand(words);
  const shell = SHELLS.find((known) => known === what);
  if (shell === undefined) throw new UsageError(what === undefined ? CLI.missingWord(CLI.shells(SHELLS)) : CLI.unknownShell(what, SHELLS));
  const [extra] = words;
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  process.stdout.write(completionScript(shell));
  return EXIT.ok;
}

/** The words so far, the last of them the one that is being typed. Says nothing but what may stand there, a line each. */
async function wordsCommand(words: readonly string[]): Promise<number> {
  try {
    const typed = readCommandLine(words.slice(0, -1));
    await using engine = await createEngine({ ...engineOptions(typed.flags), log: () => undefined });
    const found = completionsFor(typed, words.at(-1) ?? "", engine);
    for (const { word, about } of found) process.stdout.write(about === "" ? `${word}\n` : `${word}\t${about}\n`);
  } catch {
    // A command line that is not finished may be one that cannot be read: there is nothing to offer then, and nobody to tell.
  }
  return EXIT.ok;
}
