import { hash } from "node:crypto";
import { posix } from "node:path";
import type { AdaptedEntry, AdaptedSource } from "../admission/adapted.ts";
import type { Fault } from "../admission/record.ts";
import { isToolName } from "../admission/tool-name.ts";
import { quotable } from "../admission/visible-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { PLUGINS } from "../catalogue/texts.ts";
import type { FindingLimits, FoundFolder } from "./found.ts";
import { isPackageName, toCapabilityName } from "./plugin-names.ts";
import { commonFolder, fenceOf, toRelative, type PackagePlace } from "./plugin-places.ts";

export interface PackageFile extends PackagePlace {
  /** As it is installed; what it calls itself is its own word. */
  readonly name: string;
  readonly project: string;
  readonly places: readonly string[];
  readonly packageJson: JsonObject;
  /** What stands under `toolcell`. */
  readonly own: Json | undefined;
}

/** A package that wants to be one of tools, with all that keeps it from being one. */
export async function toPackage(file: PackageFile, limits: FindingLimits): Promise<FoundFolder> {
  const { name, path, real, project, places, packageJson, own } = file;
  const said = readOwn(own, limits);
  const dependencies = said.refused === null ? dependenciesOf(packageJson) : [];
  const fence = await fenceOf(real, places, dependencies);
  const root = commonFolder(fence);
  const home = toRelative(root, real);
  const adapted: AdaptedSource = {
    kind: "package",
    name: toCapabilityName(name),
    root,
    fence: fence.map((folder) => toRelative(root, folder)),
    home,
    entries: said.entries.map((entry) => ({ ...entry, file: `${home}/${entry.file}` })),
    faults: said.faults,
    manifest: toManifest(name, packageJson, isJsonObject(own ?? null) ? (own as JsonObject) : {}),
  };
  const identity = hash("sha256", JSON.stringify([real, adapted]));
  return { path, isShipped: false, identity, source: name, adapted, refused: said.refused, project };
}

interface Said {
  readonly entries: readonly AdaptedEntry[];
  readonly faults: readonly Fault[];
  readonly refused: string | null;
}

const KEYS = ["tools", "label", "description", "homepage", "permissions", "limits"];

function readOwn(own: Json | undefined, { toolCount }: FindingLimits): Said {
  const refuse = (refused: string): Said => ({ entries: [], faults: [], refused });
  if (!isJsonObject(own ?? null)) return refuse(PLUGINS.ownShape);
  const { tools = null, ...others } = own as JsonObject;
  if ("runtime" in others) return refuse(PLUGINS.sealed);
  const unknown = Object.keys(others).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return refuse(PLUGINS.ownUnknown(quotable(unknown), KEYS.join(", ")));
  if (!isJsonObject(tools)) return refuse(PLUGINS.toolsShape);
  const keys = Object.keys(tools);
  if (keys.length === 0) return refuse(PLUGINS.noTools);
  if (keys.length > toolCount) return refuse(PLUGINS.toolCount(toolCount));
  const read = keys.map((key) => readEntry(key, tools[key] ?? null));
  const entries = read.filter((entry) => "key" in entry);
  const faults = read.filter((entry) => "reason" in entry);
  const [first] = faults;
  return entries.length === 0 && first !== undefined ? refuse(PLUGINS.noTool(first.reason)) : { entries, faults, refused: null };
}

const FILE = /\.(?:ts|mts|cts|js|mjs|cjs)$/u;

function readEntry(key: string, value: Json): AdaptedEntry | Fault {
  const fault = (reason: string): Fault => ({ file: `package.json#${quotable(key)}`, line: null, reason });
  if (!isToolName(key)) return fault(PLUGINS.toolName(quotable(key)));
  if (typeof value !== "string") return fault(PLUGINS.entryShape(key));
  const [, written = "", exportName = null] = /^([^#]*)(?:#(.+))?$/su.exec(value) ?? [];
  const file = posix.normalize(written);
  const isRelative = written.startsWith("./") && !/[\\\0]/u.test(written) && file !== "." && !file.startsWith("../") && !file.endsWith("/");
  if (!isRelative || file.split("/").includes("node_modules")) return fault(PLUGINS.entryPlace(quotable(value)));
  if (!FILE.test(file)) return fault(PLUGINS.entryKind(quotable(value)));
  return { file, label: `${file}#${key}`, exportName, key };
}

/** What an npm package says of itself anyway stands in for what it does not say to us; what is in no form of ours is left out. */
function toManifest(name: string, packageJson: JsonObject, own: JsonObject): JsonObject {
  const { description, version, license, homepage } = packageJson;
  const { tools: _tools, ...said } = own;
  return {
    label: name,
    ...(typeof description === "string" && description.trim() !== "" ? { description } : {}),
    ...(typeof version === "string" && version.trim() !== "" ? { version } : {}),
    ...(typeof license === "string" && license.trim() !== "" ? { license } : {}),
    ...(typeof homepage === "string" && /^https?:\/\//u.test(homepage) && URL.canParse(homepage) ? { homepage } : {}),
    ...said,
  };
}

const DEPENDENCY_COUNT = 256;

function dependenciesOf(packageJson: JsonObject): readonly string[] {
  const names = ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((kind) => {
    const given = packageJson[kind] ?? null;
    return isJsonObject(given) ? Object.keys(given) : [];
  });
  return names.filter(isPackageName).slice(0, DEPENDENCY_COUNT);
}
