import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { childSchemas } from "./schema-walk.ts";

/**
 * A copy in which no schema has a name in the world: `$id` and `$schema` are left out, so that a stranger's `$id` can
 * neither take the place of another schema nor move what a `$ref` inside it means. An `$id` that is only a fragment is
 * draft-07's way to name a place in the same schema, and stays.
 */
export function withoutIdentity(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  const waiting: Json[] = [copy];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    if (!isJsonObject(inner)) continue;
    for (const child of childSchemas(inner)) waiting.push(child.schema);
    const { $id } = inner;
    if (typeof $id !== "string" || !$id.startsWith("#")) Reflect.deleteProperty(inner, "$id");
    Reflect.deleteProperty(inner, "$schema");
  }
  return copy;
}
