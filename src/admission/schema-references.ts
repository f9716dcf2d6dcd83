import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { childSchemas } from "./schema-walk.ts";
import { quotable } from "./visible-text.ts";

interface References {
  readonly root: JsonObject;
  readonly anchors: ReadonlyMap<string, JsonObject>;
  /** How many uses of `$ref` a schema comes to once each is followed; 0 while it is being counted, which ends a cycle. */
  readonly counts: Map<JsonObject, number>;
}

/**
 * Every `$ref` leads to a place in the schema itself, and following them all comes to no more than `maxCount`: 26 levels
 * that each refer twice to the next are 67 million. A schema that refers to itself is counted once around.
 */
export function assertReferences(root: JsonObject, maxCount: number): void {
  const references: References = { root, anchors: collectAnchors(root), counts: new Map() };
  if (countReferences(root, "", references) > maxCount) throw new FileFault(ADMISSION.schemaRefs(maxCount));
}

function countReferences(schema: Json, at: string, references: References): number {
  if (!isJsonObject(schema)) return 0;
  const known = references.counts.get(schema);
  if (known !== undefined) return known;
  references.counts.set(schema, 0);
  let count = 0;
  for (const key of ["$ref", "$dynamicRef"]) {
    const ref = schema[key];
    if (ref !== undefined) count += 1 + countReferences(resolveReference(ref, at, references), at, references);
  }
  for (const child of childSchemas(schema)) count += countReferences(child.schema, `${at}${child.at}`, references);
  references.counts.set(schema, count);
  return count;
}

function resolveReference(ref: Json, at: string, { root, anchors }: References): Json {
  const place = at === "" ? "" : ` at ${quotable(at)}`;
  if (typeof ref !== "string" || !ref.startsWith("#")) {
    throw new FileFault(ADMISSION.schemaRemoteRef(place, quotable(typeof ref === "string" ? ref : JSON.stringify(ref))));
  }
  const target = ref === "#" ? root : ref.startsWith("#/") ? followPointer(root, ref) : anchors.get(ref.slice(1));
  if (typeof target !== "boolean" && !isJsonObject(target ?? null)) throw new FileFault(ADMISSION.schemaLostRef(place, quotable(ref)));
  return target ?? null;
}

function followPointer(root: JsonObject, ref: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decodePointer(part);
    if (key === null || typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

function decodePointer(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}

/** 2020-12 names a place with `$anchor`, draft-07 with an `$id` that is nothing but a fragment. */
function collectAnchors(root: JsonObject): ReadonlyMap<string, JsonObject> {
  const anchors = new Map<string, JsonObject>();
  const waiting: Json[] = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (!isJsonObject(schema)) continue;
    const { $anchor, $dynamicAnchor, $id } = schema;
    for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === "string") anchors.set(anchor, schema);
    if (typeof $id === "string" && $id.startsWith("#")) anchors.set($id.slice(1), schema);
    for (const child of childSchemas(schema)) waiting.push(child.schema);
  }
  return anchors;
}
