import { isJsonObject, toList, type Json, type JsonObject } from "./json.ts";

/** What a `$ref` into the schema itself stands for; undefined for any other, which admission lets none through. */
export function referredIn(root: JsonObject, ref: Json | undefined): Json | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(1).split("/").slice(1)) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = toList(at)[Number(key)];
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
