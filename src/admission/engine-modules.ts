import type { CapabilityRecord } from "./record.ts";

/** What `toolcell/tool` gives a tool to run with; everything else it exports is types, which are gone by then. */
const TOOL_VALUES = ["ToolError"];

const TOOL_MODULE = "toolcell/tool";
const TOOL_MODULE_SOURCE = `export const ${TOOL_VALUES.map((name) => `${name} = __toolcell.${name}`).join(", ")};\n`;

/** Functions of `fs/promises` that a sealed tool has; the guest's runtime makes them. */
const FILE_FUNCTIONS = [
  "access appendFile copyFile lstat mkdir mkdtemp readFile readdir rename rm rmdir stat truncate unlink writeFile",
].flatMap((names) => names.split(" "));
/** And those that it has not: each is there by its name, and says so when it is called. */
const MISSING_FILE_FUNCTIONS = [
  "chmod chown cp glob lchmod lchown link lutimes open opendir readlink realpath statfs symlink utimes watch",
].flatMap((names) => names.split(" "));
const MISSING_FS_FUNCTIONS = [
  "createReadStream createWriteStream close closeSync exists existsSync fchmod fchown fstat fstatSync fsync",
  "fsyncSync futimes mkdtempSync openAsBlob read readSync readv unwatchFile watchFile write writeSync writev",
].flatMap((names) => names.split(" "));

const FILES_SOURCE = `const { fs, missing } = __toolcell;
${exportsOf(FILE_FUNCTIONS, (name) => `fs.${name}`)}
${exportsOf(MISSING_FILE_FUNCTIONS, (name) => `missing("${name}", true)`)}
export const constants = fs.constants;
export default { ${[...FILE_FUNCTIONS, ...MISSING_FILE_FUNCTIONS, "constants"].join(", ")} };
`;
const FS_SOURCE = `import promises from "fs/promises";
const { missing } = __toolcell;
${exportsOf(callbackNames(), (name) => `missing("${name}", false)`)}
export const constants = promises.constants;
export { promises };
export default { ${[...callbackNames(), "constants", "promises"].join(", ")} };
`;

const ENGINE_MODULES: ReadonlyMap<string, string> = new Map([
  [TOOL_MODULE, TOOL_MODULE_SOURCE],
  ["fs/promises", FILES_SOURCE],
  ["fs", FS_SOURCE],
]);

/** The name under which a module of ours is bundled that a package may import, or null for any other. */
export function engineModuleOf(specifier: string, runtime: CapabilityRecord["runtime"]): string | null {
  // A worker has Node's own file modules.
  if (runtime === "worker") return specifier === TOOL_MODULE ? specifier : null;
  const name = specifier.replace(/^node:/, "");
  return ENGINE_MODULES.has(name) && (name !== TOOL_MODULE || specifier === TOOL_MODULE) ? name : null;
}

export function engineModuleSource(name: string): string | null {
  return ENGINE_MODULES.get(name) ?? null;
}

function callbackNames(): string[] {
  const ofBoth = [...FILE_FUNCTIONS, ...MISSING_FILE_FUNCTIONS];
  const sync = ofBoth.filter((name) => name !== "watch").map((name) => `${name}Sync`);
  return [...new Set([...ofBoth, ...sync, ...MISSING_FS_FUNCTIONS])].sort();
}

function exportsOf(names: readonly string[], source: (name: string) => string): string {
  return `export const ${names.map((name) => `${name} = ${source(name)}`).join(", ")};`;
}
