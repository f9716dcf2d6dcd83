import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { quotable } from "../admission/visible-text.ts";
import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { LISTING, PLUGINS } from "../catalogue/texts.ts";
import { skip, type Finding, type FindingLimits, type FoundFolder, type Root, type Skipped } from "./found.ts";
import { readJsonFile } from "./json-file.ts";
import { isPackageName } from "./plugin-names.ts";
import { toPackage } from "./plugin-package.ts";
import { modulesFoldersOf, placeOf } from "./plugin-places.ts";

/** So many packages are looked at side by side. */
const AT_ONCE = 32;

/**
 * The packages with tools among the installed dependencies of a project. Nothing of a package is run for that: it is what
 * their package.json says. A package.json that is damaged says nothing new: what was found `before` stays.
 * Never rejects.
 */
export async function findPackages({ path: project }: Root, limits: FindingLimits, before: readonly FoundFolder[]): Promise<Finding> {
  const known = before.filter((found) => found.project === project);
  const own = await readJsonFile(join(project, "package.json"), limits.sourceBytes);
  if ("code" in own) return { folders: [], skipped: [skip(project, "package.json", own.code)] };
  if ("reason" in own) {
    const { reason } = own;
    return { folders: known.map((found) => ({ ...found, damage: reason })), skipped: [{ source: project, name: "package.json", reason }] };
  }
  const { names, skipped } = listDependencies(own.value, limits);
  const places = await modulesFoldersOf(await realpath(project).catch(() => project));
  const looked: Looked[] = [];
  for (let index = 0; index < names.length; index += AT_ONCE) {
    const batch = names.slice(index, index + AT_ONCE);
    looked.push(...(await Promise.all(batch.map((dependency) => look({ project, places, known, limits }, dependency)))));
  }
  return {
    folders: looked.flatMap(({ found }) => found),
    skipped: [...skipped, ...looked.flatMap((one) => one.skipped), ...leftOut(looked)],
  };
}

interface Dependency {
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
}

interface Search {
  readonly project: string;
  readonly places: readonly string[];
  readonly known: readonly FoundFolder[];
  readonly limits: FindingLimits;
}

interface Looked {
  readonly dependency: Dependency;
  readonly isInstalled: boolean;
  readonly found: readonly FoundFolder[];
  readonly skipped: readonly Skipped[];
}

/** Whoever stands in several of them is needed as in the first. */
const KINDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

function listDependencies(
  packageJson: JsonObject,
  { dependencyCount }: FindingLimits,
): { names: readonly Dependency[]; skipped: readonly Skipped[] } {
  const kinds = new Map<string, Dependency["kind"]>();
  const skipped: Skipped[] = [];
  for (const kind of KINDS) {
    const given = packageJson[kind] ?? null;
    for (const name of isJsonObject(given) ? Object.keys(given) : []) if (!kinds.has(name)) kinds.set(name, kind);
  }
  // A dependency that need not be there is one also where it is named among the others, as npm writes it.
  const optional = packageJson["optionalDependencies"] ?? null;
  const all = [...kinds].sort(([left], [right]) => (left < right ? -1 : 1));
  const names = all.flatMap(([name, kind]): Dependency[] => {
    if (!isPackageName(name)) {
      skipped.push({ source: "package.json", name: quotable(name), reason: PLUGINS.packageName(quotable(name)) });
      return [];
    }
    return [{ name, kind: isJsonObject(optional) && Object.hasOwn(optional, name) ? "optionalDependencies" : kind }];
  });
  if (names.length > dependencyCount)
    skipped.push({ source: "package.json", name: "dependencies", reason: PLUGINS.dependencyCount(dependencyCount) });
  return { names: names.slice(0, dependencyCount), skipped };
}

async function look({ project, places, known, limits }: Search, dependency: Dependency): Promise<Looked> {
  const { name } = dependency;
  const place = await placeOf(places, name);
  if (place === null) return { dependency, isInstalled: false, found: [], skipped: [] };
  const none = (reason: string | null): Looked => {
    return { dependency, isInstalled: true, found: [], skipped: reason === null ? [] : [{ source: name, name, reason }] };
  };
  const read = await readJsonFile(join(place.real, "package.json"), limits.sourceBytes);
  // Most dependencies are no package of tools, and a folder without a package.json is none at all.
  if ("code" in read) return none(read.code === "ENOENT" ? null : LISTING.unreadable(read.code));
  if ("reason" in read) {
    const found = known.find(({ path }) => path === place.path);
    return found === undefined ? none(read.reason) : { ...none(null), found: [{ ...found, damage: read.reason }] };
  }
  const own = Object.hasOwn(read.value, "toolcell") ? read.value["toolcell"] : undefined;
  if (own === undefined) return none(null);
  const found = await toPackage({ name, project, places, ...place, packageJson: read.value, own }, limits);
  return { dependency, isInstalled: true, found: [found], skipped: [] };
}

/** Where nothing of what is only for development is installed, it was left out on purpose. */
function leftOut(looked: readonly Looked[]): Skipped[] {
  const hasDev = looked.some(({ dependency: { kind }, isInstalled }) => kind === "devDependencies" && isInstalled);
  return looked
    .filter(({ dependency: { kind }, isInstalled }) => !isInstalled && (kind === "dependencies" || (kind === "devDependencies" && hasDev)))
    .map(({ dependency: { name } }) => ({ source: name, name, reason: PLUGINS.notInstalled }));
}
