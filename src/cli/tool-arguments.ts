import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CLI } from "../catalogue/texts.ts";
import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { UsageError } from "./command-line.ts";

/**
 * A tool's arguments from the words after its name: one JSON object (`-` for stdin), `name=value`, `--name value`. A value
 * is read by its property's type; `@file` stands for a file's text, `-` for stdin's, `@@x` for `@x`. Throws UsageError.
 */
export async function readToolArguments(words: readonly string[], schema: JsonObject): Promise<Record<string, unknown>> {
  const args: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-" || word.startsWith("{")) Object.assign(args, readObject(word === "-" ? await text(process.stdin) : word));
    else if (word.startsWith("--")) await readFlag(word, rest, schema, args);
    else if (word.indexOf("=") > 0) await put(args, schema, word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
    else throw new UsageError(CLI.strayWord(word));
  }
  return args;
}

function readObject(json: string): JsonObject {
  const value = parse(json);
  if (!isJsonObject(value)) throw new UsageError(CLI.notObject);
  return value;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(CLI.badJson(error instanceof Error ? error.message : ""), { cause: error });
  }
}

async function readFlag(word: string, rest: string[], schema: JsonObject, args: Record<string, unknown>): Promise<void> {
  const at = word.indexOf("=");
  const flag = word.slice(2, at > 0 ? at : undefined);
  const name = propertyOf(schema, flag);
  if (at > 0) return await put(args, schema, name, word.slice(at + 1));
  if (typeOf(schema, name) === "boolean" && rest[0] !== "true" && rest[0] !== "false") {
    args[name] = true;
    return;
  }
  // `--no-name` where there is a boolean of that name.
  const denied = flag.startsWith("no-") ? propertyOf(schema, flag.slice(3)) : name;
  if (denied !== name && typeOf(schema, denied) === "boolean") {
    args[denied] = false;
    return;
  }
  const value = rest.shift();
  if (value === undefined) throw new UsageError(CLI.missingValue(word));
  await put(args, schema, name, value);
}

async function put(args: Record<string, unknown>, schema: JsonObject, name: string, word: string): Promise<void> {
  const value = await readWord(word);
  const type = typeOf(schema, name);
  if (type !== "array" || value.trimStart().startsWith("[")) {
    args[name] = toType(value, type);
    return;
  }
  const before = Object.hasOwn(args, name) && Array.isArray(args[name]) ? (args[name] as unknown[]) : [];
  args[name] = [...before, toType(value, itemTypeOf(schema, name))];
}

async function readWord(word: string): Promise<string> {
  if (word === "-") return await text(process.stdin);
  if (word.startsWith("@@")) return word.slice(1);
  if (!word.startsWith("@")) return word;
  try {
    return await readFile(word.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(CLI.unreadableFile(word.slice(1), (error as NodeJS.ErrnoException).code ?? ""), { cause: error });
  }
}

// A value that does not fit its type goes on as it is: the tool's own validation says what is wrong with it.
function toType(value: string, type: string | null): unknown {
  switch (type) {
    case "string":
      return value;
    case "integer":
    case "number":
      return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
    case "boolean":
      return value === "true" ? true : value === "false" ? false : value;
    case "null":
      return value === "null" ? null : value;
    case "object":
    case "array":
      return parse(value);
    default:
      return fromUntyped(value);
  }
}

// Without a single type, JSON where it is JSON, else text.
function fromUntyped(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

// A flag's property: as written, or with its hyphens as the schema writes them.
function propertyOf(schema: JsonObject, flag: string): string {
  const names = Object.keys(propertiesOf(schema));
  const plain = (name: string): string => name.replaceAll(/[-_]/gu, "").toLowerCase();
  return names.find((name) => name === flag) ?? names.find((name) => plain(name) === plain(flag)) ?? flag;
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema["properties"]) ? schema["properties"] : {};
}

function typeOf(schema: JsonObject, name: string): string | null {
  const properties = propertiesOf(schema);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(property) && typeof property["type"] === "string" ? property["type"] : null;
}

function itemTypeOf(schema: JsonObject, name: string): string | null {
  const property = propertiesOf(schema)[name];
  const items = isJsonObject(property) ? property["items"] : undefined;
  return isJsonObject(items) && typeof items["type"] === "string" ? items["type"] : null;
}
