import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** The `node_modules` folders in which Node looks for what a file of this folder imports, the nearest first, as real paths. */
export async function modulesFoldersOf(folder: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (let current = folder; ; current = dirname(current)) {
    if (basename(current) !== "node_modules") {
      const place = join(current, "node_modules");
      if (await isFolder(place)) places.push(await realpath(place).catch(() => place));
    }
    if (current === dirname(current)) return places;
  }
}

export interface PackagePlace {
  /** As it is found. */
  readonly path: string;
  /** Where that leads: package managers link what is kept elsewhere. */
  readonly real: string;
}

/** Where a package is installed, or null. */
export async function placeOf(places: readonly string[], name: string): Promise<PackagePlace | null> {
  for (const place of places) {
    const path = join(place, name);
    if (await isFolder(path)) return { path, real: await realpath(path) };
  }
  return null;
}

/**
 * The folders that a package's files may lie in: its own, those that Node would look for its imports in, the project's, and,
 * where one of its dependencies is linked in from elsewhere, that one's. Each is where the owner's package manager has put code.
 */
export async function fenceOf(real: string, places: readonly string[], dependencies: readonly string[]): Promise<readonly string[]> {
  const fence = outermost([real, ...places, ...(await modulesFoldersOf(real))]);
  for (const name of dependencies) {
    const link = await linkOf(places, name);
    if (link !== null && !isWithin(fence, link)) fence.push(link, ...(await modulesFoldersOf(link)));
  }
  return outermost(fence);
}

/** The one folder above all of these. */
export function commonFolder(folders: readonly string[]): string {
  let [common = sep] = folders.map((folder) => dirname(folder));
  while (!folders.every((folder) => isWithin([common], folder)) && common !== dirname(common)) common = dirname(common);
  return common;
}

/** A path under a folder with "/" between. */
export function toRelative(root: string, path: string): string {
  return relative(root, path).split(sep).join("/");
}

// Only what stands in the project's own folders, where the owner's package manager writes: a link in a package is the package's.
async function linkOf(places: readonly string[], name: string): Promise<string | null> {
  const place = await placeOf(places, name).catch(() => null);
  return place === null || place.path === place.real ? null : place.real;
}

function outermost(folders: readonly string[]): string[] {
  const all = [...new Set(folders)];
  return all.filter((folder) => !all.some((other) => other !== folder && isWithin([other], folder)));
}

function isWithin(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => {
    const between = relative(folder, path);
    return between !== ".." && !between.startsWith(`..${sep}`) && !isAbsolute(between);
  });
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
