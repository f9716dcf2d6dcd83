import path from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import type { SourceFile } from "./source-file.ts";
import { quotable } from "./visible-text.ts";

const EXTENDS_MAX = 8;

/** `paths` of one tsconfig.json, and the folder that they start from. */
interface Paths {
  readonly base: string;
  readonly map: JsonObject;
  /** With `baseUrl`, a bare name may be a file under it. */
  readonly hasBaseUrl: boolean;
}

const parsed = new WeakMap<SourceFile, JsonObject>();

/** The places, relative to the folder, that a bare specifier may mean by the nearest tsconfig.json above its importer. */
export function listAliases(inputs: Inputs, importerFolders: Iterable<string>, specifier: string): string[] {
  for (const folder of importerFolders) {
    const file = folder === "" ? "tsconfig.json" : `${folder}/tsconfig.json`;
    if (inputs.probe(file) === null) continue;
    const paths = readPaths(inputs, file, EXTENDS_MAX);
    if (paths === null) return [];
    const aliases = matchPaths(paths, specifier);
    return paths.hasBaseUrl ? [...aliases, path.posix.join(paths.base, specifier)] : aliases;
  }
  return [];
}

function readPaths(inputs: Inputs, file: string, depth: number): Paths | null {
  const source = inputs.probe(file);
  if (source === null || depth === 0) return null;
  const config = parsed.get(source) ?? parseConfig(file, source);
  parsed.set(source, config);
  const options = isJsonObject(config["compilerOptions"] ?? null) ? (config["compilerOptions"] as JsonObject) : {};
  const { baseUrl, paths } = options;
  const folder = path.posix.dirname(file);
  if (typeof baseUrl !== "string" && !isJsonObject(paths ?? null)) return readExtended(inputs, config, folder, depth);
  const base = path.posix.join(folder, typeof baseUrl === "string" ? baseUrl : "");
  return { base, map: isJsonObject(paths ?? null) ? (paths as JsonObject) : {}, hasBaseUrl: typeof baseUrl === "string" };
}

/** One of the folder's own; a base that a package brings says nothing of where things are in here. */
function readExtended(inputs: Inputs, config: JsonObject, folder: string, depth: number): Paths | null {
  const bases = [config["extends"] ?? []].flat() as readonly Json[];
  for (const base of [...bases].reverse()) {
    if (typeof base !== "string" || !base.startsWith(".")) continue;
    const file = path.posix.join(folder, base.endsWith(".json") ? base : `${base}.json`);
    const found = file.startsWith("..") ? null : readPaths(inputs, file, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

/** An exact name first, else the pattern with the longest beginning. */
function matchPaths({ base, map }: Paths, specifier: string): string[] {
  const [best] = Object.keys(map)
    .filter((pattern) => fits(pattern, specifier))
    .sort((one, other) => Number(one.includes("*")) - Number(other.includes("*")) || other.indexOf("*") - one.indexOf("*"));
  if (best === undefined) return [];
  const star = best.indexOf("*");
  const part = star === -1 ? "" : specifier.slice(star, specifier.length - (best.length - star - 1));
  const targets = [map[best] ?? []].flat() as readonly Json[];
  return targets
    .filter((target) => typeof target === "string")
    .map((target) =>
      path.posix.join(
        base,
        target.replace("*", () => part),
      ),
    );
}

function fits(pattern: string, specifier: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === specifier;
  return (
    specifier.length >= pattern.length - 1 && specifier.startsWith(pattern.slice(0, star)) && specifier.endsWith(pattern.slice(star + 1))
  );
}

/** Strings are kept as they are; comments, and commas before a closing bracket, are TypeScript's additions to JSON. */
function parseConfig(file: string, { bytes }: SourceFile): JsonObject {
  const text = new TextDecoder().decode(bytes);
  const bare = text.replaceAll(/("(?:\\.|[^"\\])*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (_, kept?: string) => kept ?? "");
  try {
    const value: unknown = JSON.parse(bare.replaceAll(/("(?:\\.|[^"\\])*"?)|,(?=\s*[}\]])/g, (_, kept?: string) => kept ?? ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Reported below, together with JSON that is no object.
  }
  throw new FileFault(ADMISSION.tsconfigBroken(quotable(file)));
}
