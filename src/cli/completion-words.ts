import { isJsonObject } from "../catalogue/json.ts";
import type { Engine } from "../engine/engine.ts";
import { cleanLine } from "../engine/clean.ts";
import { toKebab } from "./arguments/property-names.ts";
import { isOwnFlag, OWN_FLAGS, type CommandLine } from "./command-line.ts";
import { COMMAND_NAMES } from "./help.ts";
import { firstLine } from "./listing-text.ts";
import { argumentUses, type ArgumentUse } from "./tool-help.ts";
import { actionsOf, findTool } from "./tool-words.ts";

/** What may stand at the end of a command line, and one line about it. */
export interface Completion {
  readonly word: string;
  readonly about: string;
}

/**
 * What a shell takes as itself, whatever it does with it: a word that holds anything else is never offered, so that no name in a
 * stranger's schema is ever put on a command line that the user then runs.
 */
const SAFE_WORD = /^(?:--)?[A-Za-z0-9_][A-Za-z0-9_.:@/+-]*=?$/u;
const ABOUT_CHARS = 80;

/** Commands whose first word is a capability's name. */
const OF_CAPABILITY: ReadonlySet<string> = new Set(["grant", "revoke", "enable", "disable", "trust", "untrust"]);
/** Commands whose words are a tool's. */
const OF_TOOL: ReadonlySet<string> = new Set(["call", "submit"]);

/** What may come after the words of `line` and begins with `current`. */
export function completionsFor({ command, words, firstLiteral }: CommandLine, current: string, engine: Engine): readonly Completion[] {
  const offered = new Map<string, string>();
  const offer = (word: string, about = ""): void => {
    if (word.startsWith(current) && SAFE_WORD.test(word) && !offered.has(word)) offered.set(word, about);
  };
  if (command === null) for (const [name, about] of COMMAND_NAMES) offer(name, about);
  else if (OF_TOOL.has(command)) offerOfTool(words, current, engine, offer);
  else if (OF_CAPABILITY.has(command) && words.length === 0) {
    for (const { name, label, internal } of engine.capabilities()) if (!internal) offer(name, label);
  } else if (command === "share" && words.length === 0) {
    for (const { name, source } of engine.capabilities()) if (source === "personal") offer(name);
  } else if (command === "completion" && words.length === 0) for (const shell of ["bash", "zsh", "fish"]) offer(shell);
  if (current.startsWith("-") && words.length <= firstLiteral) for (const flag of OWN_FLAGS) offer(flag);
  return [...offered].map(([word, about]) => ({ word, about: cleanLine(about, ABOUT_CHARS).replaceAll("\t", " ") }));
}

type Offer = (word: string, about?: string) => void;

function offerOfTool(words: readonly string[], current: string, engine: Engine, offer: Offer): void {
  const tools = engine.tools();
  const [first] = words;
  const found = findTool(words, tools);
  if (first === undefined) {
    for (const { name, description } of tools) offer(name, firstLine(description));
    for (const { name, label, kind } of engine.capabilities()) if (kind === "module") offer(name, label);
  } else if (found === null) {
    if (words.length === 1) for (const action of actionsOf(first, tools)) offer(action);
  } else {
    if (found.count === 1 && words.length === 1) for (const action of actionsOf(first, tools)) offer(action);
    offerArguments(argumentUses(found.entry), words.at(-1) ?? "", current, offer);
  }
}

function offerArguments(uses: readonly ArgumentUse[], before: string, current: string, offer: Offer): void {
  const valued = uses.find(({ property, usage }) => usage !== null && (before === `--${toKebab(property)}` || before === `--${property}`));
  const values = valued?.shape.values ?? [];
  // One that looks like a flag would be read as one.
  for (const word of values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))))
    if (!word.startsWith("-")) offer(word);
  if (values.length > 0) return;
  for (const { property, usage, isPositional, schema, shape } of uses) {
    if (usage === null) continue;
    const about = isJsonObject(schema) && typeof schema["description"] === "string" ? schema["description"] : "";
    const flag = `--${toKebab(property)}`;
    if (isOwnFlag(flag)) offer(`${property}=`, about);
    else if (!isPositional || current.startsWith("-")) offer(flag, about);
    if (shape.types?.has("boolean") === true && current.startsWith("--no")) offer(`--no-${toKebab(property)}`, about);
  }
}
