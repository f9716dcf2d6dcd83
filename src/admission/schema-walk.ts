import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { nearest } from "./nearest.ts";
import {
  DIALECT_KEYWORDS,
  DIALECT_URIS,
  FORBIDDEN_KEYWORDS,
  KNOWN_KEYWORDS,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  VALUE_KEYWORDS,
  type Dialect,
} from "./schema-keywords.ts";
import { assertKeywordValue, assertPattern } from "./schema-values.ts";
import { quotable } from "./visible-text.ts";

export interface SchemaLimits {
  readonly schemaDepthCount: number;
  readonly schemaPropertyCount: number;
  readonly schemaEnumCount: number;
}

interface Walk {
  readonly dialect: Dialect;
  readonly limits: SchemaLimits;
  propertyCount: number;
  enumCount: number;
}

/** Walks every schema in a schema. Throws FileFault for the first keyword, value, format, pattern or size that is not right. */
export function walkSchema(schema: JsonObject, dialect: Dialect, limits: SchemaLimits): void {
  visitSchema(schema, "", 1, { dialect, limits, propertyCount: 0, enumCount: 0 });
}

/** A schema directly in another, and where it stands: `/items`, `/allOf/0`, `/properties/a`. */
export interface ChildSchema {
  readonly at: string;
  readonly schema: Json;
}

/** The schemas directly in a schema; `dependencies` may also hold lists of names. */
export function childSchemas(schema: JsonObject): readonly ChildSchema[] {
  return Object.entries(schema).flatMap(([key, value]) => childrenOf(key, value));
}

function childrenOf(key: string, value: Json): readonly ChildSchema[] {
  const at = `/${escapePointer(key)}`;
  if (SCHEMA_LIST_KEYWORDS.has(key) || (key === "items" && Array.isArray(value))) {
    return Array.isArray(value) ? value.map((schema: Json, index) => ({ at: `${at}/${index}`, schema })) : [];
  }
  if (SCHEMA_MAP_KEYWORDS.has(key)) {
    const entries = isJsonObject(value) ? Object.entries(value) : [];
    const schemas = key === "dependencies" ? entries.filter(([, inner]) => !Array.isArray(inner)) : entries;
    return schemas.map(([name, inner]) => ({ at: `${at}/${escapePointer(name)}`, schema: inner }));
  }
  return SCHEMA_KEYWORDS.has(key) ? [{ at, schema: value }] : [];
}

export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function visitSchema(schema: Json, at: string, depth: number, walk: Walk): void {
  const { limits } = walk;
  if (depth > limits.schemaDepthCount) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
  if (typeof schema === "boolean") return;
  const shown = at === "" ? "" : ` at ${quotable(at)}`;
  if (!isJsonObject(schema)) throw new FileFault(ADMISSION.schemaShape(shown, "is no schema; write an object, or true or false"));
  for (const [key, value] of Object.entries(schema)) visitKeyword(key, value, shown, depth, walk);
  if (schema["nullable"] === true && schema["type"] === undefined) {
    throw new FileFault(ADMISSION.schemaShape(shown, "is nullable and has no type; say what it is beside null"));
  }
  for (const child of childSchemas(schema)) visitSchema(child.schema, `${at}${child.at}`, depth + 1, walk);
}

function visitKeyword(key: string, value: Json, at: string, depth: number, walk: Walk): void {
  const { limits, dialect } = walk;
  if (FORBIDDEN_KEYWORDS.has(key)) throw new FileFault(ADMISSION.schemaForbidden(at, key));
  if (key.startsWith("x-")) return assertDepth(value, depth + 1, limits);
  if (!KNOWN_KEYWORDS.has(key)) throw new FileFault(ADMISSION.schemaKeyword(at, quotable(key), nearest(key, KNOWN_KEYWORDS)));
  assertOfDialect(key, value, at, dialect);
  if (SCHEMA_MAP_KEYWORDS.has(key)) return visitMap(key, value, at, walk);
  if (SCHEMA_LIST_KEYWORDS.has(key)) {
    if (!Array.isArray(value)) throw new FileFault(ADMISSION.schemaShape(at, `has ${key} that is no array of schemas`));
    return;
  }
  const kind = VALUE_KEYWORDS.get(key);
  if (kind === undefined) return;
  assertDepth(value, depth + 1, limits);
  if (isJsonObject(value) && Object.hasOwn(value, "$data") && !OPAQUE_KEYWORDS.has(key)) {
    throw new FileFault(ADMISSION.schemaForbidden(at, "$data"));
  }
  assertKeywordValue(kind, key, value, at);
  if (key !== "enum" || !Array.isArray(value)) return;
  walk.enumCount += value.length;
  if (walk.enumCount > limits.schemaEnumCount) throw new FileFault(ADMISSION.schemaEnums(limits.schemaEnumCount));
}

function assertOfDialect(key: string, value: Json, at: string, dialect: Dialect): void {
  const only = key === "items" && Array.isArray(value) ? "draft-07" : DIALECT_KEYWORDS.get(key);
  if (only !== undefined && only !== dialect) throw new FileFault(ADMISSION.schemaOtherDialect(at, key, only));
  // One schema inside another may say what it is written in, and may not be written in something else.
  if (key !== "$schema" || typeof value !== "string" || DIALECT_URIS.get(value.replace(/#$/, "")) === dialect) return;
  throw new FileFault(ADMISSION.schemaDialect(quotable(JSON.stringify(value))));
}

function visitMap(key: string, value: Json, at: string, walk: Walk): void {
  const { limits } = walk;
  if (!isJsonObject(value)) throw new FileFault(ADMISSION.schemaShape(at, `has ${key} that is no object of schemas`));
  walk.propertyCount += Object.keys(value).length;
  if (walk.propertyCount > limits.schemaPropertyCount) throw new FileFault(ADMISSION.schemaProperties(limits.schemaPropertyCount));
  if (key === "patternProperties") for (const pattern of Object.keys(value)) assertPattern(pattern, at);
  if (key !== "dependencies") return;
  for (const names of Object.values(value)) if (Array.isArray(names)) assertKeywordValue("list of names", key, names, at);
}

/** Their values are any JSON at all, so that "$data" in them is a key like another. */
const OPAQUE_KEYWORDS: ReadonlySet<string> = new Set(["const", "default", "example", "examples", "discriminator", "xml", "externalDocs"]);

function assertDepth(value: Json, depth: number, limits: SchemaLimits): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > limits.schemaDepthCount) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
  for (const inner of Object.values<Json>(value)) assertDepth(inner, depth + 1, limits);
}
