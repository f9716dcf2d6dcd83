import type { Json } from "../catalogue/json.ts";
import { CLI } from "../catalogue/texts.ts";
import { cleanLine, cleanText } from "../engine/clean.ts";
import type { CapabilityEntry, ToolEntry } from "../engine/listing.ts";
import { toKebab } from "./arguments/property-names.ts";
import { positionalOf } from "./arguments/read-arguments.ts";
import { SchemaReader, type Shape } from "./arguments/shape.ts";
import { isOwnFlag } from "./command-line.ts";
import { firstLine } from "./listing-text.ts";
import { actionsOf } from "./tool-words.ts";

/** How one argument of a tool is written on a command line. */
export interface ArgumentUse {
  readonly property: string;
  /** Such as `--days <integer>`; null for a property that only JSON can name. */
  readonly usage: string | null;
  readonly isRequired: boolean;
  readonly isPositional: boolean;
  readonly schema: Json;
  readonly shape: Shape;
}

const DESCRIPTION_CHARS = 500;
const SHOWN_CHARS = 200;
// What a shell and a terminal take as it is.
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** A tool's own help, from its schema. */
export function toolHelp(entry: ToolEntry): string {
  const { name, capability, description } = entry;
  const uses = argumentUses(entry);
  const words = uses.flatMap(({ isPositional, isRequired, usage }) => (usage !== null && (isPositional || isRequired) ? [usage] : []));
  const usage = [...words, ...(uses.some(({ isRequired }) => !isRequired) ? ["[arguments]"] : [])].join(" ");
  const action = name.startsWith(`${capability}_`) ? name.slice(capability.length + 1) : null;
  const ways = [`toolcell call ${name}`, ...(action === null ? [] : [`toolcell call ${capability} ${action}`])];
  const lines = uses.map(argumentLine);
  return [
    ...ways.map((way, index) => `${index === 0 ? "Usage: " : "       "}${`${way} ${usage}`.trimEnd()}`),
    "",
    cleanText(description),
    "",
    lines.length === 0 ? CLI.takesNoArguments : `Arguments:\n${lines.join("\n")}\n\n${CLI.argumentForms}`,
  ].join("\n");
}

/** What there is in a module or a capability: its actions, and what it says of itself. */
export function moduleHelp({ name, description, hasCli }: CapabilityEntry, tools: readonly ToolEntry[]): string {
  const actions = actionsOf(name, tools);
  const own = tools.filter(({ capability }) => capability === name);
  const lines = own.map((tool, index) => `  ${actions[index] ?? ""}\n      ${cleanLine(firstLine(tool.description), SHOWN_CHARS)}`);
  return [
    `Usage: toolcell call ${name} <action> [arguments]`,
    ...(hasCli ? [`       toolcell call ${name} [words]   ${CLI.ownCommandLine}`] : []),
    ...(description === "" ? [] : ["", cleanText(description)]),
    "",
    `Actions:\n${lines.join("\n")}`,
  ].join("\n");
}

/** How each argument of a tool is written, in the order of its schema. */
export function argumentUses({ inputSchema }: ToolEntry): readonly ArgumentUse[] {
  const reader = new SchemaReader(inputSchema);
  const { properties, required } = reader.of(inputSchema);
  const positional = positionalOf(reader);
  const names = [...properties.keys()];
  return [...properties].map(([property, schema]) => {
    const { shape } = reader.of(schema);
    const isPositional = property === positional;
    const flag = names.filter((other) => toKebab(other) === toKebab(property)).length > 1 ? property : toKebab(property);
    const usage = PLAIN_NAME.test(property) ? usageOf(property, flag, shape, isPositional) : null;
    return { property, usage, isRequired: required.has(property), isPositional, schema, shape };
  });
}

function usageOf(property: string, flag: string, { types, values }: Shape, isPositional: boolean): string {
  const isSwitch = types?.has("boolean") === true && [...types].every((type) => type === "boolean" || type === "null");
  const kind = kindOf({ types, values });
  if (isPositional) return `<${flag}>`;
  // The flag of that name is toolcell's own.
  if (isOwnFlag(`--${flag}`)) return `${property}=<${isSwitch ? "true|false" : kind}>`;
  if (isSwitch) return `--${flag}, --no-${flag}`;
  return `--${flag} <${kind}>${types?.has("array") === true ? " ..." : ""}`;
}

function kindOf({ types, values }: Shape): string {
  if (values !== null) return cleanLine(values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("|"), 60);
  if (types === null) return "json or text";
  return [...types].map((type) => (type === "object" ? "json" : type === "array" ? "item" : type)).join("|");
}

function argumentLine({ property, usage, isRequired, isPositional, schema, shape }: ArgumentUse): string {
  const { description, default: preset } =
    typeof schema === "object" && schema !== null && !Array.isArray(schema) ? (schema as Record<string, Json>) : {};
  const notes = [
    isPositional ? kindOf(shape) : null,
    isRequired ? "required" : null,
    preset === undefined ? null : `default ${cleanLine(JSON.stringify(preset), SHOWN_CHARS)}`,
    usage === null ? CLI.onlyInJson : null,
  ].filter((note) => note !== null);
  const head = `  ${usage ?? cleanLine(JSON.stringify(property), SHOWN_CHARS)}${notes.length === 0 ? "" : `  (${notes.join(", ")})`}`;
  return typeof description === "string" ? `${head}\n      ${cleanLine(description, DESCRIPTION_CHARS)}` : head;
}
