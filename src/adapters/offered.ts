import type { Json, JsonObject } from "../catalogue/json.ts";

/** A tool that may be called now: what every form of it is made from. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly source: string;
  readonly isShipped: boolean;
}

/** A JSON Schema of an object: what every protocol asks of a tool's arguments. */
export type ObjectSchema = { type: "object"; [keyword: string]: unknown };

/** A tool's schema for somebody who may change it: admission has seen to its `type`, and the engine's own stays as it is. */
export function copySchema(schema: JsonObject): ObjectSchema {
  return structuredClone<Record<string, Json>>(schema) as ObjectSchema;
}
