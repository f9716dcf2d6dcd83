import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, isStackOverflow } from "./faults.ts";
import { DIALECT_KEYWORDS, DIALECT_URIS, type Dialect } from "./schema-keywords.ts";
import { assertReferences } from "./schema-references.ts";
import { walkSchema, type SchemaLimits } from "./schema-walk.ts";
import { quotable } from "./visible-text.ts";

export interface InputSchema {
  readonly inputSchema: JsonObject;
  readonly dialect: Dialect;
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
  const dialect = toDialect(schema);
  try {
    walkSchema(schema, dialect, limits);
    assertReferences(schema, limits.schemaRefCount);
  } catch (error) {
    if (isStackOverflow(error)) throw new FileFault(ADMISSION.schemaDepth(limits.schemaDepthCount));
    throw error;
  }
  return { inputSchema: schema["type"] === undefined ? { type: "object", ...schema } : schema, dialect };
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

/** What `$schema` says, else 2020-12 where the schema uses what only that knows, else draft-07. */
function toDialect(schema: JsonObject): Dialect {
  const declared = schema["$schema"];
  if (declared === undefined) return usesNewKeyword(schema) ? "2020-12" : "draft-07";
  const dialect = typeof declared === "string" ? DIALECT_URIS.get(declared.replace(/#$/, "")) : undefined;
  if (dialect === undefined) throw new FileFault(ADMISSION.schemaDialect(quotable(JSON.stringify(declared))));
  return dialect;
}

/** Walks without recursion: how deep the schema goes is not known yet. A property of such a name only errs to the newer. */
function usesNewKeyword(schema: JsonObject): boolean {
  const waiting: Json[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...(value as readonly Json[]));
    else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (DIALECT_KEYWORDS.get(key) === "2020-12") return true;
        waiting.push(inner);
      }
    }
  }
  return false;
}
