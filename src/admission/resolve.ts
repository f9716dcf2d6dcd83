import { isBuiltin } from "node:module";
import path from "node:path";
import type { Json } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import { conditionsOf, mainOf, matchTarget, readPackageJson, type Conditions } from "./package-json.ts";
import type { SourceFile } from "./source-file.ts";
import { quotable } from "./visible-text.ts";

export interface Import {
  readonly specifier: string;
  /** The file with the import in it, relative to the folder. */
  readonly importer: string;
  readonly isRequire: boolean;
  /** Node stands behind a worker: a package gives it what it gives Node. */
  readonly isWorker: boolean;
}

/** Tried in this order after the specifier as it is written. */
const ENDINGS = [".ts", ".mts", ".js", ".mjs", ".cjs", ".cts", ".json", ".node"];
/** A TypeScript source imports what it will be compiled to: `./x.js` may be `./x.ts`. */
const COMPILED_ENDINGS: ReadonlyMap<string, string> = new Map([
  [".js", ".ts"],
  [".mjs", ".mts"],
  [".cjs", ".cts"],
]);

/**
 * The file of the folder that an import means, read and checked. Throws FileFault with the reason for everything that is
 * not there, outside the folder, or not available to a sealed tool; null where a package or a file is merely not found.
 */
export function resolveImport(inputs: Inputs, { specifier, importer, isRequire, isWorker }: Import): SourceFile | null {
  const shown = quotable(specifier);
  if (path.posix.isAbsolute(specifier) || path.win32.isAbsolute(specifier)) throw new FileFault(ADMISSION.importAbsolute(shown));
  if (specifier.startsWith("node:")) throw new FileFault(ADMISSION.importNode(shown));
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) throw new FileFault(ADMISSION.importUrl(shown));
  const folder = folderOf(importer);
  try {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) return probeFile(inputs, joinInside(folder, specifier, shown));
    const conditions = conditionsOf(isRequire, isWorker);
    if (specifier.startsWith("#")) return resolveOwn(inputs, folder, specifier, conditions);
    return resolvePackage(inputs, folder, specifier, conditions);
  } catch (error) {
    // What was wrong with the file itself reads oddly where the import stands: there, say which file.
    if (!(error instanceof FileFault) || error.isByContent) throw error;
    const isOutside = error.message === ADMISSION.fileOutside;
    throw new FileFault(isOutside ? ADMISSION.importOutside(shown) : ADMISSION.importUnreadable(shown, error.message), null, false);
  }
}

/** Why an import was not found, in the words that fit what it looks like. */
export function toNotFound(specifier: string): string {
  const shown = quotable(specifier);
  if (specifier.startsWith(".") || specifier.startsWith("#")) return ADMISSION.importNotFound(shown);
  if (isBuiltin(specifier)) return ADMISSION.importNode(shown);
  if (specifier === "toolcell" || specifier.startsWith("toolcell/")) return ADMISSION.importEngine(shown);
  return ADMISSION.importPackageMissing(shown);
}

function probeFile(inputs: Inputs, file: string): SourceFile | null {
  const exact = file === "" ? null : inputs.probe(file);
  if (exact !== null) return exact;
  const compiled = COMPILED_ENDINGS.get(path.posix.extname(file));
  if (compiled !== undefined) {
    const source = inputs.probe(file.slice(0, -path.posix.extname(file).length) + compiled);
    if (source !== null) return source;
  }
  for (const ending of ENDINGS) {
    const source = file === "" ? null : inputs.probe(file + ending);
    if (source !== null) return source;
  }
  for (const ending of ENDINGS) {
    const source = inputs.probe(file === "" ? `index${ending}` : `${file}/index${ending}`);
    if (source !== null) return source;
  }
  return null;
}

/** Packages are looked for as Node looks for them, but only up to the capability's own folder. */
function resolvePackage(inputs: Inputs, importerFolder: string, specifier: string, conditions: Conditions): SourceFile | null {
  const [first = "", second = ""] = specifier.split("/", 2);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const subpath = specifier.slice(name.length + 1);
  for (const folder of foldersUp(importerFolder)) {
    if (path.posix.basename(folder) === "node_modules") continue;
    const home = joinInside(folder, `node_modules/${name}`, quotable(specifier));
    const packageJson = readPackageJson(inputs, home);
    const exportMap = packageJson?.["exports"];
    if (exportMap !== undefined && exportMap !== null) {
      return resolveTarget(inputs, home, exportMap, subpath === "" ? "." : `./${subpath}`, specifier, conditions);
    }
    const main = packageJson === null || subpath !== "" ? undefined : mainOf(packageJson);
    const target = joinInside(home, subpath === "" ? (main ?? "") : subpath, quotable(specifier));
    const source = probeFile(inputs, target) ?? (main === undefined ? null : probeFile(inputs, home));
    if (source !== null || packageJson !== null) return source;
  }
  return null;
}

/** `#name`: what the nearest package.json above the importer says under `imports`. */
function resolveOwn(inputs: Inputs, importerFolder: string, specifier: string, conditions: Conditions): SourceFile | null {
  for (const folder of foldersUp(importerFolder)) {
    const packageJson = readPackageJson(inputs, folder);
    if (packageJson === null) continue;
    const target = matchTarget(packageJson["imports"] ?? {}, specifier, conditions);
    if (target === undefined) return null;
    if (target.startsWith("./")) return inputs.probe(joinInside(folder, target, quotable(specifier)));
    return target.startsWith("#") ? null : resolvePackage(inputs, folder, target, conditions);
  }
  return null;
}

function resolveTarget(
  inputs: Inputs,
  home: string,
  exportMap: Json,
  key: string,
  specifier: string,
  conditions: Conditions,
): SourceFile | null {
  const target = matchTarget(exportMap, key, conditions);
  if (target === undefined || !target.startsWith("./")) throw new FileFault(ADMISSION.importPackageHides(quotable(specifier)));
  return inputs.probe(joinInside(home, target, quotable(specifier)));
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === "." ? "" : folder;
}

function* foldersUp(folder: string): Generator<string> {
  for (let current = folder; current !== ""; current = folderOf(current)) yield current;
  yield "";
}

/** Joins by name alone; where the file really is, is checked when it is opened. */
function joinInside(folder: string, relative: string, shown: string): string {
  // A backslash is a separator on one system and a letter on others: it means a file of that name or nothing.
  if (relative.includes("\\") || relative.includes("\0")) throw new FileFault(ADMISSION.importNotFound(shown));
  const joined = path.posix.join(folder, relative).replace(/\/$/, "");
  if (joined === ".." || joined.startsWith("../")) throw new FileFault(ADMISSION.importOutside(shown));
  return joined === "." ? "" : joined;
}
