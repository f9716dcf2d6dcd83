import { isJsonObject, toList, type Json, type JsonObject } from "../../catalogue/json.ts";
import { referredIn } from "../../catalogue/schema-reference.ts";

export type JsonType = "string" | "integer" | "number" | "boolean" | "null" | "object" | "array";

/** What a value may be, as far as a word on a command line can be read by it. */
export interface Shape {
  /** Null: anything. */
  readonly types: ReadonlySet<JsonType> | null;
  /** The only values there are, where a schema lists them. */
  readonly values: readonly Json[] | null;
}

/** What a schema says of itself and of all that it refers to. */
interface Reading {
  readonly shape: Shape;
  /** In the schema's order, those of its branches after its own. */
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  readonly items: Json | undefined;
  /** Whether other properties than these are asked for. */
  readonly isOpen: boolean;
}

const TYPES: ReadonlySet<string> = new Set<JsonType>(["string", "integer", "number", "boolean", "null", "object", "array"]);
const ANYTHING: Shape = { types: null, values: null };
const UNREAD: Reading = { shape: ANYTHING, properties: new Map(), required: new Set(), items: undefined, isOpen: true };

/**
 * Reads what of a tool's schema a command line needs. The schema is a stranger's: each part of it is read once, so that
 * references in a circle, or to one thing from everywhere, cost nothing.
 */
export class SchemaReader {
  readonly root: JsonObject;
  readonly #read = new Map<JsonObject, Reading>();

  constructor(root: JsonObject) {
    this.root = root;
  }

  of(schema: Json | undefined): Reading {
    if (!isJsonObject(schema)) return UNREAD;
    const known = this.#read.get(schema);
    if (known !== undefined) return known;
    this.#read.set(schema, UNREAD);
    const reading = this.#readSchema(schema);
    this.#read.set(schema, reading);
    return reading;
  }

  #readSchema(schema: JsonObject): Reading {
    const all = [referredIn(this.root, schema["$ref"]), ...toList(schema["allOf"])]
      .filter((part) => part !== undefined)
      .map((part) => this.of(part));
    const choices = [schema["anyOf"], schema["oneOf"]].map((branches) => toList(branches).map((branch) => this.of(branch)));
    const own = ownReading(schema);
    const parts = [own, ...all, ...choices.flat()];
    const shapes = [own, ...all].map(({ shape }) => shape);
    for (const branches of choices) if (branches.length > 0) shapes.push(branches.map(({ shape }) => shape).reduce(either));
    return {
      shape: shapes.reduce(both),
      properties: firstOfEach(parts.flatMap(({ properties }) => [...properties])),
      required: new Set([own, ...all].flatMap(({ required }) => [...required])),
      items: parts.find(({ items }) => items !== undefined)?.items,
      isOpen: [own, ...all].every(({ isOpen }) => isOpen) && (own.isOpen || choices.flat().some(({ isOpen }) => isOpen)),
    };
  }
}

function ownReading(schema: JsonObject): Reading {
  const { properties, required, items, additionalProperties: others, patternProperties: patterns } = schema;
  const named = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    shape: ownShape(schema, named.length > 0),
    properties: new Map(named),
    required: new Set(toList(required).filter((name) => typeof name === "string")),
    items: isJsonObject(items) ? items : undefined,
    // A schema that lists some properties means these, also where it does not say that there are no others.
    isOpen: others === undefined || others === false ? others !== false && named.length === 0 && patterns === undefined : true,
  };
}

function ownShape({ type, enum: listed, const: only }: JsonObject, hasProperties: boolean): Shape {
  const values = only === undefined ? (Array.isArray(listed) ? (listed as readonly Json[]) : null) : [only];
  if (values !== null) return { types: new Set(values.map(typeOf)), values };
  const types = (Array.isArray(type) ? (type as readonly Json[]) : [type]).filter((name): name is JsonType => TYPES.has(name as string));
  if (types.length === 0) return hasProperties ? { types: new Set(["object"]), values: null } : ANYTHING;
  return { types: new Set(types), values: types.every((name) => name === "null") ? [null] : null };
}

function either(a: Shape, b: Shape): Shape {
  return {
    types: a.types === null || b.types === null ? null : new Set([...a.types, ...b.types]),
    values: a.values === null || b.values === null ? null : [...a.values, ...b.values],
  };
}

function both(a: Shape, b: Shape): Shape {
  const { types } = a;
  return {
    types: types === null || b.types === null ? (types ?? b.types) : new Set([...types].filter((type) => isIn(type, b.types))),
    values: a.values ?? b.values,
  };
}

// Every integer is a number.
function isIn(type: JsonType, types: Shape["types"]): boolean {
  return types === null || types.has(type) || (type === "integer" && types.has("number"));
}

function typeOf(value: Json): JsonType {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  return Array.isArray(value) ? "array" : "object";
}

function firstOfEach(entries: readonly (readonly [string, Json])[]): ReadonlyMap<string, Json> {
  const first = new Map<string, Json>();
  for (const [name, schema] of entries) if (!first.has(name)) first.set(name, schema);
  return first;
}
