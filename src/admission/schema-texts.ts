import { isJsonObject, type Json } from "../catalogue/json.ts";
import { assertNothingHidden, assertVisibleCharacters } from "./visible-text.ts";

/** Keywords that say something to a reader. A property may be called so, too: then a schema follows, and no text. */
const READ: ReadonlySet<string> = new Set(["title", "description", "$comment"]);

/**
 * A model reads all of a schema, and a terminal shows it: nothing in it may be hidden. Data such as an `enum` may hold controls,
 * a line's end for one, and nothing that no keyboard gives. Walks without recursion: how deep it goes is not known yet.
 */
export function assertVisibleSchema(schema: Json): void {
  const waiting: Json[] = [schema];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "string") assertNothingHidden("INPUT_SCHEMA", value);
    else if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (isJsonObject(value))
      for (const [key, inner] of Object.entries(value)) {
        assertNothingHidden("INPUT_SCHEMA", key);
        if (typeof inner === "string" && READ.has(key)) assertVisibleCharacters(`A \`${key}\` in INPUT_SCHEMA`, inner);
        else waiting.push(inner);
      }
  }
}
