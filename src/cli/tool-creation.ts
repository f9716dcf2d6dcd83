import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CLI } from "../catalogue/texts.ts";
import type { MadeTool } from "../creation/tool-creation.ts";
import { createEngine } from "../engine/engine.ts";
import { engineOptions, onlyWord, takeSwitch, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { report } from "./report.ts";

/** `toolcell write <tool> [file] [--overwrite]`: a tool of the agent's own, from a file or from stdin. */
export async function writeCommand(given: CommandLine): Promise<number> {
  const [line, overwrite] = takeSwitch(given, "--overwrite");
  const [name, file = "-", extra] = line.words;
  if (name === undefined) throw new UsageError(CLI.missingWord(CLI.toolName));
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  for (const word of [name, file]) if (word !== "-" && word.startsWith("-")) throw new UsageError(CLI.unknownFlag(word));
  const code = file === "-" ? await text(process.stdin) : await readCode(file);
  await using engine = await createEngine(engineOptions(line.flags));
  return tell(await engine.writeTool(name, code, { overwrite }), line);
}

/** `toolcell share <tool>`: the agent's own tool, to where every agent finds it. */
export async function shareCommand(line: CommandLine): Promise<number> {
  const name = onlyWord(line, CLI.toolName);
  await using engine = await createEngine(engineOptions(line.flags));
  return tell(await engine.shareTool(name), line);
}

function tell(made: MadeTool, { flags }: CommandLine): number {
  const { name, tier, tools, replaced } = made;
  report(flags, made, CLI.madeTool(name, tier, tools, replaced));
  return EXIT.ok;
}

async function readCode(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(CLI.unreadableFile(file, (error as NodeJS.ErrnoException).code ?? ""), { cause: error });
  }
}
