import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { LISTING } from "../catalogue/texts.ts";
import type { Skipped } from "./registry.ts";

/** A folder whose folders are capabilities. */
export interface Root {
  readonly path: string;
  readonly isShipped: boolean;
  /** True where it need not exist, such as the home's before anything was installed. */
  readonly isOptional: boolean;
}

export interface FoundFolder {
  readonly path: string;
  readonly isShipped: boolean;
  /** Another where another folder stands under the same path; null where nobody has looked. */
  readonly identity: string | null;
}

interface Finding {
  readonly folders: readonly FoundFolder[];
  readonly skipped: readonly Skipped[];
}

/** The capability folders of every root, in the order of the roots and then by name. Never rejects. */
export async function findFolders(roots: readonly Root[]): Promise<Finding> {
  const findings = await Promise.all(roots.map(readRoot));
  return { folders: findings.flatMap(({ folders }) => folders), skipped: findings.flatMap(({ skipped }) => skipped) };
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
    if ("identity" in found) folders.push({ path, isShipped: root.isShipped, identity: found.identity });
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

function skip(source: string, name: string, code: string | undefined): Skipped {
  if (code === "ENOENT") return { source, name, reason: LISTING.missing };
  return { source, name, reason: code === "ENOTDIR" ? LISTING.notFolder : LISTING.unreadable(code) };
}
