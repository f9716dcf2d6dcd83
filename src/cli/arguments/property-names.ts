import type { Json } from "../../catalogue/json.ts";
import { CLI } from "../../catalogue/texts.ts";
import { UsageError } from "../command-line.ts";
import type { SchemaReader } from "./shape.ts";

/** What a flag's name means: the way to a value in the arguments, and its schema. */
export interface Target {
  readonly path: readonly string[];
  readonly schema: Json | undefined;
}

/** A property's name as a flag writes it: `maxResults` and `max_results` as `max-results`. */
export function toKebab(property: string): string {
  return property
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

/**
 * The property that a name stands for: as it is written, or as a flag writes it, or, dotted, one inside another. Null where
 * there is none. Throws UsageError for a name that two properties have.
 */
export function findProperty(reader: SchemaReader, within: Json, name: string): Target | null {
  const { properties } = reader.of(within);
  if (properties.has(name)) return { path: [name], schema: properties.get(name) };
  const alike = [...properties.keys()].filter((property) => plain(property) === plain(name));
  if (alike.length > 1) throw new UsageError(CLI.ambiguousName(name, alike));
  const [only] = alike;
  if (only !== undefined) return { path: [only], schema: properties.get(only) };
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const [head, rest] = [findProperty(reader, within, name.slice(0, dot)), name.slice(dot + 1)];
    if (head === null || rest === "") continue;
    const inner = findProperty(reader, head.schema ?? {}, rest);
    if (inner !== null) return { path: [...head.path, ...inner.path], schema: inner.schema };
    // An object that leaves its properties open takes any.
    if (mayBeOpen(reader, head.schema)) return { path: [...head.path, ...rest.split(".")], schema: undefined };
  }
  return null;
}

function mayBeOpen(reader: SchemaReader, schema: Json | undefined): boolean {
  const { shape, isOpen } = reader.of(schema);
  return isOpen && (shape.types === null || shape.types.has("object"));
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/gu, "").toLowerCase();
}
