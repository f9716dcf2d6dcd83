import { posix } from "node:path";

/** By folder, the entries of it that matter: the folder itself is "", its sub-folders are relative to it. */
export type NamesByFolder = ReadonlyMap<string, ReadonlySet<string>>;

const CODE_FILE = /^(?:.+\.(?:ts|mts|js|mjs)|package\.json)$/;

/** Whether a file at the top of a capability may be code, by its name; what else is, was followed there. */
export function mayBeCode(name: string): boolean {
  return CODE_FILE.test(toKey(name));
}

/** Each file under the folder that holds it, and each of those under the one above: a folder may be replaced whole. */
export function toNames(files: readonly string[]): NamesByFolder {
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    let entry = posix.normalize(file);
    if (entry === "." || entry === ".." || entry.startsWith("../") || posix.isAbsolute(entry)) continue;
    while (entry !== "") {
      const folder = toParent(entry);
      const known = names.get(folder) ?? new Set();
      names.set(folder, known.add(toKey(posix.basename(entry))));
      entry = folder;
    }
  }
  return names;
}

/** The folder of an entry in the folder's terms, "" for the top. */
export function toParent(entry: string): string {
  const parent = posix.dirname(entry);
  return parent === "." ? "" : parent;
}

/** Some systems take several spellings for one name and tell another one than was asked for: a match too many is cheap. */
export function toKey(name: string): string {
  return name.normalize().toLowerCase();
}
