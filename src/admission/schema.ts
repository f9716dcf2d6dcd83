import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, isStackOverflow } from "./faults.ts";
import { DIALECT_KEYWORDS, DIALECT_URIS, type Dialect } from "./schema-keywords.ts";
import { linkSchema, type LinkedSchema } from "./schema-link.ts";
import { assertReferencesEnd } from "./schema-loops.ts";
import { assertVisibleSchema } from "./schema-texts.ts";
import { childSchemas, walkSchema, type SchemaLimits } from "./schema-walk.ts";
import { quotable } from "./visible-text.ts";

export interface InputSchema {
  /** As it was written: what a model reads. */
  readonly inputSchema: JsonObject;
  /** As it is compiled. */
  readonly linked: LinkedSchema;
}

/**
 * Holds a stranger's INPUT_SCHEMA to what can be compiled in a moment and read by a model. Throws FileFault for the first
 * thing that is wrong with it. An absent root `type` is given, since arguments are always an object.
 */
export function assertInputSchema(
  value: Json,
  limits: SchemaLimits & { readonly schemaBytes: number; readonly schemaRefCount: number },
): InputSchema {
  if (!isJsonObject(value)) throw new FileFault(ADMISSION.schemaRoot);
  const text = toJson(value, limits);
  if (Buffer.byteLength(text) > limits.schemaBytes) throw new FileFault(ADMISSION.schemaBytes(limits.schemaBytes));
  // From here on no two places share a value, whatever constants the source was put together from.
  const schema: unknown = JSON.parse(text);
  if (!isSchemaObject(schema) || (schema["type"] !== undefined && schema["type"] !== "object")) throw new FileFault(ADMISSION.schemaRoot);
  const inputSchema = schema["type"] === undefined ? { type: "object", ...schema } : schema;
  assertVisibleSchema(schema);
  try {
    if (text.includes('"__proto__"') && hasProtoKey(schema)) throw new FileFault(ADMISSION.schemaProto);
    return { inputSchema, linked: link(schema, limits) };
  } catch (error) {
    if (isStackOverflow(error)) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
    throw error;
  }
}

function toJson(value: JsonObject, limits: SchemaLimits): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
  }
}

function isSchemaObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** No call can give an argument of this name, and as a key it would be a prototype in code made from a schema. */
function hasProtoKey(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values<Json>(value).some(hasProtoKey);
}

function link(schema: JsonObject, limits: SchemaLimits & { readonly schemaRefCount: number }): LinkedSchema {
  const dialect = toDialect(schema);
  walkSchema(schema, dialect, limits);
  // Who does not say draft-07 means what is written beside a `$ref`, as every later dialect does.
  const ignoresSiblings = schema["$schema"] !== undefined && dialect === "draft-07";
  const linked = linkSchema(schema, { ignoresSiblings, maxGrowth: limits.schemaRefCount });
  assertReferencesEnd(linked, limits.schemaRefCount);
  return linked;
}

/** What `$schema` says, else 2020-12 where the schema uses what only that knows, else draft-07. */
function toDialect(schema: JsonObject): Dialect {
  const declared = schema["$schema"];
  if (declared === undefined) return usesNewKeyword(schema) ? "2020-12" : "draft-07";
  const dialect = typeof declared === "string" ? DIALECT_URIS.get(declared.replace(/#$/, "")) : undefined;
  if (dialect === undefined) throw new FileFault(ADMISSION.schemaDialect(quotable(JSON.stringify(declared))));
  return dialect;
}

/** Walks without recursion: how deep the schema goes is not known yet. */
function usesNewKeyword(schema: JsonObject): boolean {
  const waiting: Json[] = [schema];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    if (!isJsonObject(inner)) continue;
    if (Object.keys(inner).some((key) => DIALECT_KEYWORDS.get(key) === "2020-12")) return true;
    for (const child of childSchemas(inner)) waiting.push(child.schema);
  }
  return false;
}
