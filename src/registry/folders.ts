import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ADAPTED, LISTING } from "../catalogue/texts.ts";
import { nameOf, skip, type Finding, type FindingLimits, type FindingOfAll, type FoundFolder, type Root, type Skipped } from "./found.ts";
import { findModules } from "./modules.ts";
import { findPackages } from "./plugins.ts";

export type { FindingLimits, FoundFolder, Root, SourceKind } from "./found.ts";

/**
 * What stands in every root, in the order of the roots and then by name, each name of a module once; `before` is what was
 * found the last time. Never rejects.
 */
export async function findFolders(
  roots: readonly Root[],
  limits: FindingLimits,
  before: readonly FoundFolder[] = [],
): Promise<FindingOfAll> {
  const findings = await Promise.all(roots.map(async (root) => ({ ...(await findIn(root, limits, before)), holds: root.holds })));
  const { folders, shadowed } = withoutShadowed(findings.flatMap((finding) => finding.folders));
  const modules = findings.filter(({ holds }) => holds === "modules");
  return {
    folders,
    skipped: [...findings.flatMap(({ skipped }) => skipped), ...shadowed],
    skippedModules: [...modules.flatMap(({ skipped }) => skipped), ...shadowed],
  };
}

function findIn(root: Root, limits: FindingLimits, before: readonly FoundFolder[]): Promise<Finding> {
  switch (root.holds) {
    case "capabilities":
      return readRoot(root);
    case "modules":
      return findModules(root, limits);
    case "packages":
      return findPackages(root, limits, before);
  }
}

/** A module whose name is another's that comes before it is not run at all, so that what serves does not depend on who is well. */
function withoutShadowed(all: readonly FoundFolder[]): { readonly folders: readonly FoundFolder[]; readonly shadowed: readonly Skipped[] } {
  const first = new Map<string, FoundFolder>();
  const shadowed: Skipped[] = [];
  const folders = all.filter((found) => {
    const name = nameOf(found);
    const owner = first.get(name);
    if (owner === undefined) first.set(name, found);
    if (owner === undefined || found.adapted?.kind !== "module") return true;
    shadowed.push({ source: found.source ?? name, name, reason: ADAPTED.shadowed(name, ownerOf(owner)) });
    return false;
  });
  return { folders, shadowed };
}

function ownerOf({ isShipped, adapted, source }: FoundFolder): string {
  const { owner } = ADAPTED;
  if (adapted?.kind === "package") return owner.package;
  if (adapted === null) return isShipped ? owner.shipped : owner.other;
  return source === "core" || source === "personal" ? owner[source] : owner.shared;
}

async function readRoot(root: Root): Promise<Finding> {
  let names: string[];
  try {
    names = (await readdir(root.path)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (root.isOptional && code === "ENOENT") return { folders: [], skipped: [] };
    return { folders: [], skipped: [skip(root.path, root.path, code)] };
  }
  const folders: FoundFolder[] = [];
  const skipped: Skipped[] = [];
  for (const name of names) {
    if (name.startsWith(".") || name.startsWith("_")) continue;
    const path = join(root.path, name);
    const found = await lookAt(path);
    if ("identity" in found)
      folders.push({ path, isShipped: root.isShipped, identity: found.identity, source: null, adapted: null, refused: null });
    else skipped.push({ source: basename(root.path), name, reason: found.reason });
  }
  return { folders, skipped };
}

// Through links: a capability that is being written at home is often linked in.
async function lookAt(path: string): Promise<{ readonly identity: string } | { readonly reason: string }> {
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isDirectory() ? { identity: `${stats.dev} ${stats.ino} ${stats.birthtimeNs}` } : { reason: LISTING.notFolder };
  } catch (error) {
    return { reason: LISTING.unreadable((error as NodeJS.ErrnoException).code) };
  }
}
