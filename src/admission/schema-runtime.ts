import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** What the code of a compiled schema requires: from our own installation, and never from a stranger's folder. */
const SCHEMA_RUNTIME = new Set([
  "ajv/dist/runtime/equal",
  "ajv/dist/runtime/ucs2length",
  "ajv/dist/runtime/validation_error",
  "ajv-formats/dist/formats",
  "fast-deep-equal",
]);

const REQUIRED = /\brequire\("([^"\\]+)"\)/g;
const engineRequire = createRequire(import.meta.url);
const sources = new Map<string, string>();

/** The modules that this code requires, and those that they do: their names as they are asked for, and their sources. */
export function schemaRuntimeOf(code: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const waiting = [code];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    if (!text.includes("require(")) continue;
    for (const [, name = ""] of text.matchAll(REQUIRED)) {
      if (modules.has(name) || !SCHEMA_RUNTIME.has(name)) continue;
      const source = readSource(name);
      modules.set(name, source);
      waiting.push(source);
    }
  }
  return modules;
}

function readSource(name: string): string {
  const known = sources.get(name);
  if (known !== undefined) return known;
  // It is ajv's own dependency, and need not be ours.
  const from = name === "fast-deep-equal" ? createRequire(engineRequire.resolve("ajv")) : engineRequire;
  const source = readFileSync(from.resolve(name), "utf8");
  sources.set(name, source);
  return source;
}
