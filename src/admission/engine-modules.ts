import { readFileSync } from "node:fs";
import { builtPath } from "../built/built.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { remedyFor } from "./builtins.ts";

/*
 * Modules of ours that end up in a bundle. Their names are made here, and nothing that a stranger writes is ever looked up
 * as one.
 */

/** What `toolcell/tool` gives a tool to run with; everything else it exports is types, which are gone by then. */
const TOOL_VALUES = ["ToolError", "ToolConfigError", "getCredential"];

export const TOOL_MODULE = "toolcell/tool";
const TOOL_MODULE_SOURCE = `export const ${TOOL_VALUES.map((name) => `${name} = __toolcell.${name}`).join(", ")};\n`;

/** What a capability's own tests import; it asks the host for calls of tools, which lets nothing but tests make them. */
export const TEST_MODULE = "toolcell/test";
const TEST_FILE = builtPath("test-module.js");

/** Names that Node's packages find without importing them: each a module that is bundled where the name is used and nowhere else. */
const FREE_MODULES: ReadonlyMap<string, string> = new Map([
  ["toolcell:free/process", 'export { default as process } from "node/process.js";\n'],
  ["toolcell:free/Buffer", 'export { Buffer } from "node/buffer.js";\n'],
  ["toolcell:free/setImmediate", 'export { setImmediate } from "node/timers.js";\n'],
  ["toolcell:free/clearImmediate", 'export { clearImmediate } from "node/timers.js";\n'],
]);
/** Where such a name may stand free: not after a dot, and not inside another. */
const FREE_NAME = /(?<![.$\w])(?:process|Buffer|setImmediate|clearImmediate)(?![$\w])/g;
/** And those that are values. The files that they speak of are the ones that a tool sees. */
export const FREE_VALUES: Readonly<Record<string, string>> = {
  global: "globalThis",
  __dirname: '"/capability"',
  __filename: '"/capability/index.js"',
  "import.meta.url": '"file:///capability/index.js"',
  "import.meta.dirname": '"/capability"',
  "import.meta.filename": '"/capability/index.js"',
};

/** What stands between the guest's runtime and sources of other forms than ours. */
const ADAPTERS: ReadonlySet<string> = new Set(["adapt/module.js", "adapt/package.js"]);

/** The modules of the free names that a source may use: more of them than it needs cost a moment, and nothing at run time. */
export function listFreeModules(source: Uint8Array): string[] {
  const names = new Set(new TextDecoder().decode(source).match(FREE_NAME));
  return [...names].map((name) => `toolcell:free/${name}`);
}

/** The module that stands for one of Node's: `require` gets the thing itself, `import` a module with its names. */
export function nodeModule(builtin: string, isRequire: boolean): string {
  return `${isRequire ? "require" : "node"}/${builtin.replaceAll("/", "-")}.js`;
}

/** What one of these modules imports: another of them, or a piece that they share. */
export function siblingModule(importer: string, specifier: string): string | null {
  if (importer.startsWith("node/") && /^\.\/[\w-]+\.js$/.test(specifier)) return `node/${specifier.slice("./".length)}`;
  return /^node\/[\w-]+\.js$/.test(specifier) ? specifier : null;
}

/** A module that cannot be had, for whoever asks for it only while it runs: it says so then. */
export function refusedModule(builtin: string): string {
  return `refused/${builtin}`;
}

export function engineModuleSource(name: string): string | null {
  if (name === TOOL_MODULE) return TOOL_MODULE_SOURCE;
  if (name === TEST_MODULE) return readFileSync(TEST_FILE, "utf8");
  if (ADAPTERS.has(name)) return readFileSync(builtPath(name), "utf8");
  const free = FREE_MODULES.get(name);
  if (free !== undefined) return free;
  if (name === EMPTY_MODULE) return "module.exports = {};\n";
  if (name.startsWith("refused/")) return toRefusal(name.slice("refused/".length));
  if (name.startsWith("require/")) return `module.exports = require("node/${name.slice("require/".length)}").default;\n`;
  if (name.startsWith("node/")) return readFileSync(builtPath(name), "utf8");
  return null;
}

/** What a package says of a file or a package that it can go without. */
export const EMPTY_MODULE = "toolcell:empty";

function toRefusal(builtin: string): string {
  return `throw new Error(${JSON.stringify(ADMISSION.importBuiltin(`node:${builtin}`, null, remedyFor(builtin)))});\n`;
}
