import { ADAPTER } from "../../../src/catalogue/texts.ts";

const TOLD = 8;

/** What a package's file exports under a name, or its default export; a sentence where there is nothing. In a box, or `then` would be its to answer. */
export function valueOf(entry: object, exportName: string | null): { readonly value: unknown } | string {
  // A CommonJS file is its `module.exports`, which stands under `default`.
  const { default: given } = entry as { readonly default?: unknown };
  if (exportName === null) {
    if (given !== undefined) return { value: given };
    // A file in our own form is a tool as a whole.
    return Object.hasOwn(entry, "run") ? { value: entry } : ADAPTER.noDefault(namesOf(entry));
  }
  for (const holder of [entry, given]) {
    if (typeof holder === "object" && holder !== null && Object.hasOwn(holder, exportName))
      return { value: (holder as Record<string, unknown>)[exportName] };
  }
  return ADAPTER.noExport(exportName.slice(0, 80), namesOf(entry));
}

function namesOf(entry: object): readonly string[] {
  return Object.keys(entry)
    .slice(0, TOLD)
    .map((name) => name.slice(0, 80));
}
