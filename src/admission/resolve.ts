import path from "node:path";
import type { Json } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { builtinOf, isNativeLoader, isProvided } from "./builtins.ts";
import { FileFault } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import { packageOf, replacementIn, type OtherForms } from "./package-forms.ts";
import { conditionsOf, mainOf, matchTarget, readPackageJson, type Conditions } from "./package-json.ts";
import type { SourceFile } from "./source-file.ts";
import { listAliases } from "./tsconfig-paths.ts";
import { quotable } from "./visible-text.ts";

export interface Import {
  readonly specifier: string;
  /** The file with the import in it, relative to the folder. */
  readonly importer: string;
  readonly isRequire: boolean;
  /** Node stands behind a worker: a package gives it what it gives Node. */
  readonly isWorker: boolean;
}

/** What an import means: a file of the folder, a module of Node's that is there or one that cannot be, or nothing at all. */
export type Meaning =
  | { readonly kind: "file"; readonly source: SourceFile }
  | { readonly kind: "builtin"; readonly name: string }
  | { readonly kind: "refused"; readonly name: string }
  | { readonly kind: "empty" };

interface Place {
  readonly inputs: Inputs;
  readonly forms: OtherForms;
  readonly isRequire: boolean;
  readonly isWorker: boolean;
  /** As it may stand in a sentence. */
  readonly shown: string;
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
 * What an import means. A file is read and checked. Throws FileFault with the reason for everything that is outside the
 * folder or not available to a sealed tool; null where a package or a file is merely not found.
 */
export function resolveImport(inputs: Inputs, forms: OtherForms, { specifier, importer, isRequire, isWorker }: Import): Meaning | null {
  const place: Place = { inputs, forms, isRequire, isWorker, shown: quotable(specifier) };
  if (path.posix.isAbsolute(specifier) || path.win32.isAbsolute(specifier)) throw new FileFault(ADMISSION.importAbsolute(place.shown));
  const builtin = builtinOf(specifier);
  if (builtin === null && /^[a-z][a-z0-9+.-]*:/i.test(specifier)) throw new FileFault(ADMISSION.importUrl(place.shown));
  const folder = folderOf(importer);
  try {
    if (/^\.{1,2}(?:\/|$)/.test(specifier))
      return replaced(place, importer, toFile(probeFile(inputs, joinRelative(inputs, importer, specifier, place.shown))));
    if (specifier.startsWith("#")) return resolveOwn(place, folder, specifier);
    return resolveBare(place, importer, specifier);
  } catch (error) {
    // What was wrong with the file itself reads oddly where the import stands: there, say which file.
    if (!(error instanceof FileFault) || error.isByContent) throw error;
    const isOutside = error.message === ADMISSION.fileOutside;
    throw new FileFault(
      isOutside ? ADMISSION.importOutside(place.shown) : ADMISSION.importUnreadable(place.shown, error.message),
      null,
      false,
    );
  }
}

/**
 * A bare name: what the importer's own package puts in its place, what a tsconfig.json says, Node's module, else a package.
 * A package of the folder that has the name of a module that cannot be had is taken for it, unless "node:" stands before it.
 */
function resolveBare(place: Place, importer: string, specifier: string): Meaning | null {
  const { inputs, forms, shown } = place;
  const home = packageOf(importer);
  const replacement = forms.has(home) ? replacementIn(inputs, home, specifier.replace(/^node:/, "")) : undefined;
  if (replacement === false) return { kind: "empty" };
  if (replacement !== undefined && replacement !== specifier) return resolveReplacement(place, home, replacement);
  if (home === "") {
    for (const alias of listAliases(inputs, foldersUp(folderOf(importer)), specifier)) {
      const source = probeFile(inputs, joinInside("", alias, shown));
      if (source !== null) return { kind: "file", source };
    }
  }
  const builtin = builtinOf(specifier);
  if (builtin !== null && isProvided(builtin)) return { kind: "builtin", name: builtin };
  if (!place.isWorker && isNativeLoader(specifier)) throw new FileFault(ADMISSION.importAddon(shown));
  const found = specifier.startsWith("node:") ? null : resolvePackage(place, folderOf(importer), specifier);
  return found ?? (builtin === null ? null : { kind: "refused", name: builtin });
}

function resolveReplacement(place: Place, home: string, replacement: string): Meaning | null {
  if (!replacement.startsWith(".")) return resolveBuiltinOrPackage(place, home, replacement);
  return toFile(probeFile(place.inputs, joinInside(home, replacement, place.shown)));
}

function resolveBuiltinOrPackage(place: Place, folder: string, specifier: string): Meaning | null {
  const builtin = builtinOf(specifier);
  if (builtin !== null) return { kind: isProvided(builtin) ? "builtin" : "refused", name: builtin };
  return resolvePackage(place, folder, specifier);
}

/** A file, or what its package has in its place where the package is taken in its other form. */
function replaced(place: Place, importer: string, meaning: Meaning | null): Meaning | null {
  const home = packageOf(importer);
  if (meaning?.kind !== "file" || !place.forms.has(home)) return meaning;
  const replacement = replacementIn(place.inputs, home, meaning.source.file);
  if (replacement === false) return { kind: "empty" };
  return replacement === undefined ? meaning : resolveReplacement(place, home, replacement);
}

function toFile(source: SourceFile | null): Meaning | null {
  return source === null ? null : { kind: "file", source };
}

/** Why an import was not found, in the words that fit what it looks like. */
export function toNotFound(specifier: string): string {
  const shown = quotable(specifier);
  if (specifier.startsWith(".") || specifier.startsWith("#")) return ADMISSION.importNotFound(shown);
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
function resolvePackage(place: Place, importerFolder: string, specifier: string): Meaning | null {
  const { inputs, shown } = place;
  const [first = "", second = ""] = specifier.split("/", 2);
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const subpath = specifier.slice(name.length + 1);
  for (const folder of foldersUp(importerFolder)) {
    if (path.posix.basename(folder) === "node_modules") continue;
    const home = joinInside(folder, `node_modules/${name}`, shown);
    const packageJson = readPackageJson(inputs, home);
    const isOther = place.forms.has(home);
    const exportMap = packageJson?.["exports"];
    if (exportMap !== undefined && exportMap !== null) {
      return replacedIn(place, home, resolveTarget(place, home, exportMap, subpath === "" ? "." : `./${subpath}`));
    }
    const main = packageJson === null || subpath !== "" ? undefined : mainOf(packageJson, isOther);
    const target = joinInside(home, subpath === "" ? (main ?? "") : subpath, shown);
    const source = probeFile(inputs, target) ?? (main === undefined ? null : probeFile(inputs, home));
    if (source !== null || packageJson !== null) return replacedIn(place, home, source);
  }
  return null;
}

function replacedIn(place: Place, home: string, source: SourceFile | null): Meaning | null {
  return replaced(place, `${home}/package.json`, toFile(source));
}

/** `#name`: what the nearest package.json above the importer says under `imports`. */
function resolveOwn(place: Place, importerFolder: string, specifier: string): Meaning | null {
  for (const folder of foldersUp(importerFolder)) {
    const packageJson = readPackageJson(place.inputs, folder);
    if (packageJson === null) continue;
    const target = firstTarget(packageJson["imports"] ?? {}, specifier, conditionsAt(place, folder));
    if (target === undefined || target.startsWith("#")) return null;
    if (target.startsWith("./")) return toFile(place.inputs.probe(joinInside(folder, target, place.shown)));
    return resolveBuiltinOrPackage(place, folder, target);
  }
  return null;
}

function resolveTarget(place: Place, home: string, exportMap: Json, key: string): SourceFile | null {
  const target = firstTarget(exportMap, key, conditionsAt(place, home));
  if (target === undefined || !target.startsWith("./")) throw new FileFault(ADMISSION.importPackageHides(place.shown));
  return place.inputs.probe(joinInside(home, target, place.shown));
}

/** A package that knows only Node and browsers has nothing plain: what it has for Node comes nearest. */
function firstTarget(map: Json, key: string, conditions: Conditions): string | undefined {
  return (
    matchTarget(map, key, conditions) ??
    matchTarget(map, key, new Set([...conditions, "node"])) ??
    matchTarget(map, key, new Set([...conditions, "browser"]))
  );
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === "." ? "" : folder;
}

function* foldersUp(folder: string): Generator<string> {
  for (let current = folder; current !== ""; current = folderOf(current)) yield current;
  yield "";
}

/** Where files lie behind a fence, a package's own imports stay in that package. */
function joinRelative({ fence }: Inputs, importer: string, specifier: string, shown: string): string {
  const joined = joinInside(folderOf(importer), specifier, shown);
  const home = packageOf(importer);
  const allowed = home === "" ? fence?.filter((folder) => importer.startsWith(`${folder}/`)) : [home];
  const isWithin = fence === null || allowed?.some((folder) => joined === folder || joined.startsWith(`${folder}/`)) === true;
  if (!isWithin) throw new FileFault(ADMISSION.importOutside(shown));
  return joined;
}

/** Joins by name alone; where the file really is, is checked when it is opened. */
function joinInside(folder: string, relative: string, shown: string): string {
  // A backslash is a separator on one system and a letter on others: it means a file of that name or nothing.
  if (relative.includes("\\") || relative.includes("\0")) throw new FileFault(ADMISSION.importNotFound(shown));
  const joined = path.posix.join(folder, relative).replace(/\/$/, "");
  if (joined === ".." || joined.startsWith("../")) throw new FileFault(ADMISSION.importOutside(shown));
  return joined === "." ? "" : joined;
}

function conditionsAt({ isRequire, isWorker, forms }: Place, home: string): Conditions {
  return conditionsOf(isRequire, isWorker ? "node" : forms.has(home) ? "other" : "plain");
}
