import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { followLink, type LinkedSchema } from "./schema-link.ts";
import { childSchemas } from "./schema-walk.ts";

/** Where the schemas stand that look at the same value again. */
const IN_PLACE = /^\/(?:allOf|anyOf|oneOf|not|if|then|else|dependentSchemas)(?:\/|$)/;

/**
 * Following every `$ref` comes to no more than `maxCount`: 26 levels that each refer twice to the next are 67 million. A
 * schema that refers to itself is counted once around; where that goes round without looking further into the value, it
 * would be checked for ever.
 */
export function assertReferencesEnd(linked: LinkedSchema, maxCount: number): void {
  const counts = new Map<JsonObject, number>();
  const ended = new Set<JsonObject>();
  const open = new Set<JsonObject>();

  function countReferences(schema: Json | undefined): number {
    if (!isJsonObject(schema)) return 0;
    const known = counts.get(schema);
    if (known !== undefined) return known;
    counts.set(schema, 0);
    assertEnds(schema);
    let count = schema["$ref"] === undefined ? 0 : 1 + countReferences(followLink(schema["$ref"], linked));
    for (const child of childSchemas(schema)) count += countReferences(child.schema);
    counts.set(schema, count);
    return count;
  }

  function assertEnds(schema: Json | undefined): void {
    if (!isJsonObject(schema) || ended.has(schema)) return;
    if (open.has(schema)) throw new FileFault(ADMISSION.schemaEndless);
    open.add(schema);
    assertEnds(followLink(schema["$ref"], linked));
    for (const child of childSchemas(schema)) if (IN_PLACE.test(child.at)) assertEnds(child.schema);
    open.delete(schema);
    ended.add(schema);
  }

  if (countReferences(linked.root) > maxCount) throw new FileFault(ADMISSION.schemaRefs(maxCount));
}
