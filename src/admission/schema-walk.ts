import { fullFormats } from "ajv-formats/dist/formats.js";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { nearest } from "./nearest.ts";
import {
  DIALECT_KEYWORDS,
  FORBIDDEN_KEYWORDS,
  KNOWN_KEYWORDS,
  SCHEMA_KEYWORDS,
  SCHEMA_LIST_KEYWORDS,
  SCHEMA_MAP_KEYWORDS,
  type Dialect,
} from "./schema-keywords.ts";
import { quotable } from "./visible-text.ts";

export interface SchemaLimits {
  readonly schemaDepthCount: number;
  readonly schemaPropertyCount: number;
  readonly schemaEnumCount: number;
}

const FORMAT_NAMES: ReadonlySet<string> = new Set(Object.keys(fullFormats));

interface Walk {
  readonly dialect: Dialect;
  readonly limits: SchemaLimits;
  propertyCount: number;
  enumCount: number;
}

/** Walks every schema in a schema. Throws FileFault for the first keyword, format, pattern or size that is not right. */
export function walkSchema(schema: JsonObject, dialect: Dialect, limits: SchemaLimits): void {
  visitSchema(schema, "", 1, { dialect, limits, propertyCount: 0, enumCount: 0 });
}

/** The schemas directly in a schema, each with where it stands; `dependencies` may also hold lists of names. */
export function childSchemas(schema: JsonObject): { readonly at: string; readonly schema: Json }[] {
  const children: { at: string; schema: Json }[] = [];
  for (const [key, value] of Object.entries(schema)) {
    const at = `/${escapePointer(key)}`;
    if (SCHEMA_LIST_KEYWORDS.has(key) || (key === "items" && Array.isArray(value))) {
      if (Array.isArray(value)) (value as readonly Json[]).forEach((item, index) => children.push({ at: `${at}/${index}`, schema: item }));
    } else if (SCHEMA_MAP_KEYWORDS.has(key)) {
      if (!isJsonObject(value)) continue;
      for (const [name, item] of Object.entries(value)) {
        if (key === "dependencies" && Array.isArray(item)) continue;
        children.push({ at: `${at}/${escapePointer(name)}`, schema: item });
      }
    } else if (SCHEMA_KEYWORDS.has(key)) children.push({ at, schema: value });
  }
  return children;
}

function visitSchema(schema: Json, at: string, depth: number, walk: Walk): void {
  const { limits } = walk;
  if (depth > limits.schemaDepthCount) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
  if (typeof schema === "boolean") return;
  const shown = quotePlace(at);
  if (!isJsonObject(schema)) throw new FileFault(ADMISSION.schemaShape(shown, "is no schema; write an object, or true or false"));
  for (const [key, value] of Object.entries(schema)) visitKeyword(key, value, shown, depth, walk);
  for (const child of childSchemas(schema)) visitSchema(child.schema, `${at}${child.at}`, depth + 1, walk);
}

function visitKeyword(key: string, value: Json, at: string, depth: number, walk: Walk): void {
  const { limits } = walk;
  if (FORBIDDEN_KEYWORDS.has(key)) throw new FileFault(ADMISSION.schemaForbidden(at, key));
  if (key.startsWith("x-")) return assertDepth(value, depth + 1, limits);
  if (!KNOWN_KEYWORDS.has(key)) throw new FileFault(ADMISSION.schemaKeyword(at, quotable(key), nearest(key, KNOWN_KEYWORDS)));
  const onlyDialect = DIALECT_KEYWORDS.get(key);
  if (onlyDialect !== undefined && onlyDialect !== walk.dialect) {
    throw new FileFault(ADMISSION.schemaOtherDialect(at, key, onlyDialect));
  }
  if (SCHEMA_MAP_KEYWORDS.has(key)) {
    if (!isJsonObject(value)) throw new FileFault(ADMISSION.schemaShape(at, `has ${key} that is no object of schemas`));
    walk.propertyCount += Object.keys(value).length;
    if (walk.propertyCount > limits.schemaPropertyCount) throw new FileFault(ADMISSION.schemaProperties(limits.schemaPropertyCount));
    if (key === "patternProperties") for (const pattern of Object.keys(value)) assertPattern(pattern, at);
    return;
  }
  if (SCHEMA_LIST_KEYWORDS.has(key)) {
    if (!Array.isArray(value)) throw new FileFault(ADMISSION.schemaShape(at, `has ${key} that is no array of schemas`));
    return;
  }
  if (SCHEMA_KEYWORDS.has(key)) return;
  assertDepth(value, depth + 1, limits);
  if (isJsonObject(value) && Object.hasOwn(value, "$data") && !OPAQUE_KEYWORDS.has(key)) {
    throw new FileFault(ADMISSION.schemaForbidden(at, "$data"));
  }
  if (key === "enum" && Array.isArray(value)) {
    walk.enumCount += value.length;
    if (walk.enumCount > limits.schemaEnumCount) throw new FileFault(ADMISSION.schemaEnums(limits.schemaEnumCount));
  }
  if (key === "pattern" && typeof value === "string") assertPattern(value, at);
  if (key === "format" && typeof value === "string" && !FORMAT_NAMES.has(value)) {
    throw new FileFault(ADMISSION.schemaFormat(at, quotable(value), nearest(value, FORMAT_NAMES)));
  }
}

/** Their values are any JSON at all, so that "$data" in them is a key like another. */
const OPAQUE_KEYWORDS: ReadonlySet<string> = new Set(["const", "default", "example", "examples", "discriminator", "xml", "externalDocs"]);

function assertDepth(value: Json, depth: number, limits: SchemaLimits): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > limits.schemaDepthCount) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
  for (const inner of Object.values<Json>(value)) assertDepth(inner, depth + 1, limits);
}

function assertPattern(pattern: string, at: string): void {
  try {
    RegExp(pattern, "u");
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: [\s\S]*: /, "") : "not valid";
    throw new FileFault(ADMISSION.schemaPattern(at, quotable(pattern), why));
  }
}

function quotePlace(at: string): string {
  return at === "" ? "" : ` at ${quotable(at)}`;
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
