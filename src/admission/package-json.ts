import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import type { SourceFile } from "./source-file.ts";
import { quotable } from "./visible-text.ts";

export type Conditions = ReadonlySet<string>;

/**
 * A sealed tool is neither Node nor a browser: a package that asks gets its plain form, or its other one where it has to. A
 * worker is Node.
 */
export function conditionsOf(isRequire: boolean, form: "plain" | "other" | "node"): Conditions {
  const conditions = ["toolcell", "module", isRequire ? "require" : "import", "default"];
  if (form === "node") return new Set(["node", "node-addons", ...conditions]);
  return new Set(form === "other" ? ["browser", ...conditions] : conditions);
}

/** A package is asked for by each file that imports it; its package.json is parsed once. */
const parsed = new WeakMap<SourceFile, JsonObject>();

/** A folder's package.json, or null where it has none. */
export function readPackageJson(inputs: Inputs, folder: string): JsonObject | null {
  const file = folder === "" ? "package.json" : `${folder}/package.json`;
  const source = inputs.probe(file);
  if (source === null) return null;
  const packageJson = parsed.get(source) ?? parsePackageJson(file, source);
  parsed.set(source, packageJson);
  return packageJson;
}

function parsePackageJson(file: string, { bytes }: SourceFile): JsonObject {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Reported below, together with JSON that is no object.
  }
  throw new FileFault(ADMISSION.importPackageBroken(quotable(file)));
}

/**
 * The target that `exports` or `imports` names for a key ("./feature", "#internal"), as Node decides it: an exact key,
 * else the longest pattern that fits, then the first condition that holds. Undefined where nothing fits.
 */
export function matchTarget(map: Json, key: string, conditions: Conditions): string | undefined {
  const entries = isJsonObject(map) && Object.keys(map).some((name) => name.startsWith(".") || name.startsWith("#")) ? map : { ".": map };
  if (Object.hasOwn(entries, key) && !key.includes("*")) return toTarget(entries[key] ?? null, "", conditions);
  const patterns = Object.keys(entries).filter((name) => fits(name, key));
  const [best] = patterns.sort((left, right) => right.indexOf("*") - left.indexOf("*") || right.length - left.length);
  if (best === undefined) return undefined;
  const star = best.indexOf("*");
  return toTarget(entries[best] ?? null, key.slice(star, key.length - (best.length - star - 1)), conditions);
}

/** What a package without `exports` means by its bare name. */
export function mainOf(packageJson: JsonObject, isOtherForm: boolean): string | undefined {
  const { browser, module, main } = packageJson;
  if (isOtherForm && typeof browser === "string") return browser;
  return typeof module === "string" ? module : typeof main === "string" ? main : undefined;
}

function fits(pattern: string, key: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1 || key.length < pattern.length) return false;
  return key.startsWith(pattern.slice(0, star)) && key.endsWith(pattern.slice(star + 1));
}

function toTarget(target: Json, part: string, conditions: Conditions): string | undefined {
  if (typeof target === "string") return target.replaceAll("*", () => part);
  if (Array.isArray(target)) {
    for (const candidate of target as readonly Json[]) {
      const found = toTarget(candidate, part, conditions);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isJsonObject(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    if (!conditions.has(condition)) continue;
    const found = toTarget(inner, part, conditions);
    if (found !== undefined) return found;
  }
  return undefined;
}
