import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** What `toolcell/tool` gives a tool to run with; everything else it exports is types, which are gone by then. */
const TOOL_VALUES = ["ToolError"];

export const TOOL_MODULE = "toolcell/tool";
export const TOOL_MODULE_SOURCE = `export const ${TOOL_VALUES.map((name) => `${name} = __toolcell.${name}`).join(", ")};\n`;

/** What the code of a compiled schema requires: from our own installation, and never from a stranger's folder. */
const SCHEMA_RUNTIME = new Set([
  "ajv/dist/runtime/equal",
  "ajv/dist/runtime/ucs2length",
  "ajv/dist/runtime/validation_error",
  "ajv-formats/dist/formats",
]);

const engineRequire = createRequire(import.meta.url);

/** The source of one such module, or null where the code of a schema has no business with it. */
export function readSchemaRuntime(specifier: string): string | null {
  if (specifier === "fast-deep-equal") return readFileSync(createRequire(engineRequire.resolve("ajv")).resolve(specifier), "utf8");
  const name = specifier.replace(/\.js$/, "");
  return SCHEMA_RUNTIME.has(name) ? readFileSync(engineRequire.resolve(name), "utf8") : null;
}
