import { CLI } from "../catalogue/texts.ts";
import type { ToolEntry } from "../engine/listing.ts";
import { readArguments } from "./arguments/read-arguments.ts";
import { UsageError, type CommandLine } from "./command-line.ts";

/** What the words after `call` or `submit` ask for. */
export interface ToolWords {
  readonly tool: string;
  /** Null where there is no tool of that name. */
  readonly entry: ToolEntry | null;
  readonly args: Record<string, unknown>;
}

/** A tool, and how many words named it. */
export interface NamedTool {
  readonly entry: ToolEntry;
  readonly count: 1 | 2;
}

type Words = Pick<CommandLine, "words" | "firstLiteral">;

/**
 * Reads `<tool> …` or `<module> <action> …` against the tool's schema. Throws UsageError, also where a module has no such
 * action; a tool that there is none of is the engine's to refuse.
 */
export async function readToolWords({ words, firstLiteral }: Words, tools: readonly ToolEntry[]): Promise<ToolWords> {
  const [first, second = null] = words;
  if (first === undefined || first.startsWith("-")) throw new UsageError(CLI.missingWord("the tool to call"));
  const found = findTool(words, tools);
  const actions = actionsOf(first, tools);
  if (found === null && actions.length > 0) throw new UsageError(CLI.unknownAction(first, second, actions));
  const count = found?.count ?? 1;
  const rest = { words: words.slice(count), firstLiteral: Math.max(0, firstLiteral - count) };
  const args = await readArguments(rest, found?.entry.inputSchema ?? {});
  return { tool: found?.entry.name ?? first, entry: found?.entry ?? null, args };
}

/** A tool by its own name, else by its module's and its action's. */
export function findTool([first = "", second]: readonly string[], tools: readonly ToolEntry[]): NamedTool | null {
  const exact = tools.find(({ name }) => name === first);
  if (exact !== undefined) return { entry: exact, count: 1 };
  if (second === undefined) return null;
  const names = [`${first}_${second}`, second].flatMap((name) => [name, name.replaceAll("-", "_")]);
  const own = tools.filter(({ capability }) => capability === first);
  for (const name of names) {
    const entry = own.find((tool) => tool.name === name);
    if (entry !== undefined) return { entry, count: 2 };
  }
  return null;
}

/** What may follow a module's or a capability's name. */
export function actionsOf(module: string, tools: readonly ToolEntry[]): readonly string[] {
  const own = tools.filter(({ capability }) => capability === module);
  return own.map(({ name }) => (name.startsWith(`${module}_`) ? name.slice(module.length + 1) : name));
}
