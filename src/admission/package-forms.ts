import path from "node:path";
import { isJsonObject, type Json } from "../catalogue/json.ts";
import type { Inputs } from "./inputs.ts";
import { readPackageJson } from "./package-json.ts";

/**
 * Folders of packages that are taken in the form that they have for elsewhere than Node: the `browser` condition of their
 * `exports` and the replacements of their `browser` field. A package is taken so only where its plain form needs something
 * that cannot be had.
 */
export type OtherForms = ReadonlySet<string>;

/** The folder of the package that a file belongs to, or "" for the capability's own files. */
export function packageOf(file: string): string {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? "";
}

/** A package's name as one imports it, or null for the capability itself. */
export function packageName(file: string): string | null {
  const home = packageOf(file);
  return home === "" ? null : home.slice(home.lastIndexOf("node_modules/") + "node_modules/".length);
}

export function hasOtherForm(inputs: Inputs, home: string): boolean {
  if (home === "") return false;
  const packageJson = readPackageJson(inputs, home);
  if (packageJson === null) return false;
  return (
    typeof packageJson["browser"] === "string" ||
    isJsonObject(packageJson["browser"] ?? null) ||
    names(packageJson["exports"] ?? null, "browser")
  );
}

/** What the package in `home` has in the place of `asked`, a specifier or a file of its own; undefined where it stays. */
export function replacementIn(inputs: Inputs, home: string, asked: string): string | false | undefined {
  const map = readPackageJson(inputs, home)?.["browser"] ?? null;
  if (!isJsonObject(map)) return undefined;
  const key = asked.startsWith(`${home}/`) ? `./${path.posix.relative(home, asked)}` : asked;
  for (const written of [key, key.replace(/\.[cm]?js$/, ""), key.replace(/^\.\//, "")]) {
    const found = Object.hasOwn(map, written) ? map[written] : undefined;
    if (found === false || typeof found === "string") return found;
  }
  return undefined;
}

function names(target: Json, condition: string): boolean {
  if (Array.isArray(target)) return (target as readonly Json[]).some((part) => names(part, condition));
  if (!isJsonObject(target)) return false;
  return Object.entries(target).some(([key, inner]) => key === condition || names(inner, condition));
}
