import { isJsonObject, toList, type Json, type JsonObject } from "../catalogue/json.ts";
import { referredIn } from "../catalogue/schema-reference.ts";
import { literalText, nameText } from "./literal-text.ts";

// A type that takes more is named and not spelled out.
const TYPE_CHARS = 120;
// How far references, branches and nesting are followed: what lies deeper is said to be anything.
const READ_DEPTH = 24;
const TYPE_DEPTH = 3;
const BRANCHES = 8;

/** One argument of a tool: `days?: integer`. */
export interface Argument {
  readonly isRequired: boolean;
  readonly text: string;
}

/** A tool's arguments as a prompt shows them, those that have to be given first. The schema is a stranger's: each part of it is read once. */
export function argumentsOf(schema: JsonObject): readonly Argument[] {
  const reader = new TypeReader(schema);
  const { properties, required } = reader.membersOf(schema);
  const all = [...properties].map(([name, property]) => ({
    isRequired: required.has(name),
    text: reader.memberText(name, property, required.has(name), TYPE_DEPTH),
  }));
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

interface Members {
  readonly properties: Map<string, Json>;
  readonly required: Set<string>;
}

class TypeReader {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  membersOf(schema: JsonObject): Members {
    const members: Members = { properties: new Map(), required: new Set() };
    this.#collect(schema, { members, seen: new Set(), mayRequire: true }, READ_DEPTH);
    return members;
  }

  memberText(name: string, schema: Json, isRequired: boolean, depth: number): string {
    return `${nameText(name)}${isRequired ? "" : "?"}: ${this.#typeText(schema, depth)}`;
  }

  // What a schema asks of an object, by itself and by all that it refers to. What only a branch asks for may be left out.
  #collect(schema: Json | undefined, into: { members: Members; seen: Set<Json>; mayRequire: boolean }, depth: number): void {
    if (!isJsonObject(schema) || depth === 0 || into.seen.has(schema)) return;
    into.seen.add(schema);
    const { properties, required } = schema;
    const { members } = into;
    if (isJsonObject(properties))
      for (const [name, property] of Object.entries(properties)) if (!members.properties.has(name)) members.properties.set(name, property);
    if (into.mayRequire) for (const name of toList(required)) if (typeof name === "string") members.required.add(name);
    for (const part of [referredIn(this.#root, schema["$ref"]), ...toList(schema["allOf"])]) this.#collect(part, into, depth - 1);
    for (const branch of [...toList(schema["anyOf"]), ...toList(schema["oneOf"])])
      this.#collect(branch, { ...into, mayRequire: false }, depth - 1);
  }

  #typeText(schema: Json | undefined, depth: number): string {
    if (!isJsonObject(schema)) return "any";
    const text = this.#wholeType(schema, depth);
    return text.length <= TYPE_CHARS ? text : plainType(schema);
  }

  #wholeType(schema: JsonObject, depth: number): string {
    const { const: only, enum: values, type, items } = schema;
    if (only !== undefined) return literalText(only);
    if (Array.isArray(values)) return valuesText(values as readonly Json[]);
    if (depth === 0) return plainType(schema);
    const target = referredIn(this.#root, schema["$ref"]);
    if (target !== undefined) return this.#typeText(target, depth - 1);
    const branches = [...toList(schema["anyOf"]), ...toList(schema["oneOf"])];
    if (branches.length > 0) return this.#unionText(branches, depth);
    if (type === undefined) {
      const parts = toList(schema["allOf"]).slice(0, BRANCHES);
      const told = parts.map((part) => this.#typeText(part, depth - 1)).find((text) => text !== "any");
      if (told !== undefined) return told;
    }
    if (type === "array") return isJsonObject(items) ? listText(this.#typeText(items, depth - 1)) : "any[]";
    return type === "object" || isJsonObject(schema["properties"]) ? this.#objectText(schema, depth) : plainType(schema);
  }

  #objectText(schema: JsonObject, depth: number): string {
    const { properties, required } = this.membersOf(schema);
    let text = "";
    for (const [name, property] of properties) {
      text += `${text === "" ? "" : ", "}${this.memberText(name, property, required.has(name), depth - 1)}`;
      if (text.length > TYPE_CHARS) return "object";
    }
    return text === "" ? "object" : `{${text}}`;
  }

  #unionText(branches: readonly Json[], depth: number): string {
    const texts = new Set(branches.slice(0, BRANCHES).map((branch) => this.#typeText(branch, depth - 1)));
    return branches.length > BRANCHES || texts.has("any") ? "any" : [...texts].join(" | ");
  }
}

const TYPES: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean", "null", "object", "array"]);

function plainType({ type }: JsonObject): string {
  const named = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter((name) => typeof name === "string");
  const known = named.filter((name) => TYPES.has(name));
  return known.length === 0 ? "any" : known.join(" | ");
}

function valuesText(values: readonly Json[]): string {
  let text = "";
  for (const value of values) {
    const next = `${text === "" ? "" : " | "}${literalText(value)}`;
    if (text.length + next.length > TYPE_CHARS - 4) return `${text === "" ? "" : `${text} | `}…`;
    text += next;
  }
  return text === "" ? "any" : text;
}

function listText(items: string): string {
  return items.includes(" | ") && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
}
