import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { readProfiles } from "./module-profiles.ts";
import { commandOf, handlerOf, methodOf, moduleOf, type Module } from "./module-exports.ts";
import { toPlain, wordsOf, type Listed, type ListedTool, type ListingAbout, type Served, type ServingAbout } from "./shared.ts";

export { serveCommand } from "./module-command.ts";

const NAME_CHARS = 200;

/** What a tool module says that it offers. One schema that is wrong is told, and the others stay. */
export async function list(entry: object, about: ListingAbout): Promise<Listed> {
  const module = moduleOf(entry);
  const getSchemas = methodOf(module, "getToolSchemas") ?? methodOf(module, "get_tool_schemas");
  if (getSchemas === undefined) throw new ToolError(ADAPTER.noSchemas);
  const schemas: unknown = await getSchemas();
  if (!Array.isArray(schemas)) throw new ToolError(ADAPTER.notList(schemas === null ? "null" : `a value of type ${typeof schemas}`));
  const { length } = schemas;
  if (!(length <= about.toolCount)) throw new ToolError(ADAPTER.tooMany(about.toolCount));
  const tools: ListedTool[] = [];
  const faults: { name: string | null; reason: string }[] = [];
  for (let index = 0; index < length; index += 1) {
    const told: { name: string | null } = { name: null };
    try {
      tools.push(readSchema(module, schemas[index], index + 1, about, told));
    } catch (error) {
      const reason = error instanceof SchemaFault ? error.message : ADAPTER.unreadable(wordsOf(error));
      faults.push({ name: told.name, reason });
    }
  }
  const { profiles, faults: unknown } = readProfiles(module, about.key, [...tools, ...faults]);
  return {
    tools: tools.map((tool) => ({ ...tool, profile: profiles.get(tool.name) ?? null })),
    faults: [...faults, ...unknown],
    hasCli: commandOf(module) !== undefined,
  };
}

/** Runs one of its tools. The context is handed over beside the arguments and never in them. */
export function serve(entry: object, { key, name }: ServingAbout): Served {
  const module = moduleOf(entry);
  return {
    async run(context, args) {
      const handle = handlerOf(module, key, name);
      if (handle === undefined) throw new ToolError(ADAPTER.noHandler(name));
      return toResult(await handle(args, context));
    },
    unload: unloadOf(module),
  };
}

class SchemaFault extends Error {}

function readSchema(module: Module, schema: unknown, position: number, about: ListingAbout, told: { name: string | null }): ListedTool {
  if (typeof schema !== "object" || schema === null) throw new SchemaFault(ADAPTER.notObject(position));
  const { name, description, input_schema: snakeCase, parameters, inputSchema } = schema as Record<string, unknown>;
  if (typeof name !== "string" || name === "") throw new SchemaFault(ADAPTER.noName(position));
  told.name = name.slice(0, NAME_CHARS);
  if (typeof description !== "string" || description.trim() === "") throw new SchemaFault(ADAPTER.noDescription);
  const given = snakeCase ?? parameters ?? inputSchema;
  if (given === undefined || given === null) throw new SchemaFault(ADAPTER.noSchema);
  const plain = toPlain(given);
  if (plain === null) throw new SchemaFault(ADAPTER.notJson(typeof given));
  if (plain.chars > about.schemaBytes) throw new SchemaFault(ADAPTER.tooLarge(about.schemaBytes));
  if (handlerOf(module, about.key, name) === undefined) throw new SchemaFault(ADAPTER.noHandler(told.name));
  return { name: told.name, description: description.slice(0, about.descriptionChars + 1), inputSchema: plain.value };
}

const RESULT_KEYS: ReadonlySet<string> = new Set(["text", "summary", "payload", "images"]);

/** A dictionary is its JSON, also where one of its keys is called `text`; a result in our own form stays one. */
function toResult(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return ADAPTER.noOutput;
  if (typeof value !== "object" || typeof (value as { text?: unknown }).text !== "string") return value;
  if (Object.keys(value).every((key) => RESULT_KEYS.has(key))) return value;
  return { text: JSON.stringify(value), payload: value };
}

const unloaded = new WeakSet<object>();

/** All tools of a module share it: what it does before it is let go is done once. */
function unloadOf(module: Module): (() => unknown) | undefined {
  const unload = methodOf(module, "unload");
  if (unload === undefined) return undefined;
  return () => {
    if (unloaded.has(module)) return undefined;
    unloaded.add(module);
    return unload();
  };
}
