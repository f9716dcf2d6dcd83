import { readFileSync } from "node:fs";
import { builtPath } from "../built/built.ts";
import { CHECK_PREFIX } from "./schema-checks.ts";

const CHECK = new RegExp(`^${CHECK_PREFIX}([a-z-]+)$`);
const REQUIRED = /\brequire\("([^"\\]+)"\)/g;

/** What the package's code requires of its own, in place of which it gets ours. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  ["ajv/dist/runtime/equal", `exports.default = require("${CHECK_PREFIX}equal").isEqual;\n`],
  ["ajv/dist/runtime/ucs2length", `exports.default = require("${CHECK_PREFIX}text-length").textLength;\n`],
]);

const sources = new Map<string, string>();

/** The source of one CommonJS module that a compiled schema requires, or null where it has no business with it. */
function readSchemaModule(name: string): string | null {
  const known = STAND_INS.get(name) ?? sources.get(name);
  if (known !== undefined) return known;
  const file = CHECK.exec(name)?.[1];
  if (file === undefined) return null;
  const source = readFileSync(builtPath(`checks/${file}.js`), "utf8");
  sources.set(name, source);
  return source;
}

/** The modules that this code requires, and those that they do: their names as they are asked for, and their sources. */
export function schemaRuntimeOf(code: string): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const waiting = [code];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, name = ""] of text.matchAll(REQUIRED)) {
      const source = modules.has(name) ? null : readSchemaModule(name);
      if (source === null) continue;
      modules.set(name, source);
      waiting.push(source);
    }
  }
  return modules;
}
