import { statfs } from "node:fs/promises";
import { failure, outside } from "./errors.ts";
import { openEntry, type Entry } from "./entry.ts";
import type { Root } from "./root.ts";
import { endsAsFolder, splitPath, type GuestPath } from "./path.ts";
import { identityOf, readlink } from "./system.ts";

/** Where a path has led: a name in an opened folder, and what is there. */
export interface Spot extends AsyncDisposable {
  readonly root: Root;
  /** The folder that holds it; null where the path is the mount itself. */
  readonly parent: Entry | null;
  /** From the mount on, every link resolved; empty for the mount itself. */
  readonly names: readonly string[];
  readonly found: Entry | null;
  /** The last name was a link. */
  readonly isThroughLink: boolean;
  readonly isFolder: boolean;
  /** It stands in a folder from which code is loaded. */
  readonly isInCode: boolean;
  readonly shown: string;
}

const LINK_COUNT = 40;
// Links and `..` make a walk longer than its path: this ends the ones that were made to.
const STEP_COUNT = 2048;
const PSEUDO_SYSTEMS: ReadonlySet<number> = new Set([
  0x9fa0 /* proc */, 0x62656572 /* sysfs */, 0x64626720 /* debugfs */, 0x74726163 /* tracefs */, 0x27e0eb /* cgroup */,
  0x63677270 /* cgroup2 */, 0x1cd1 /* devpts */, 0x73636673 /* securityfs */, 0x6e736673 /* nsfs */, 0x19800202 /* mqueue */,
]);

/**
 * Goes along a path one name at a time, each opened in the folder opened before it, and reads every link itself: what a link
 * says is a path within the mount or it is refused, and the system follows none for us.
 */
export async function walk(root: Root, path: GuestPath, { followLast }: { readonly followLast: boolean }): Promise<Spot> {
  const todo = path.parts.toReversed();
  const seen = { links: 0, steps: 0 };
  let { isFolder } = path;
  let isThroughLink = false;
  let isInCode = root.isCode;
  let names: string[] = [];
  let folder: Entry = root.folder;
  let found: Entry | null = null;

  async function enter(next: Entry | null): Promise<void> {
    const left = folder;
    folder = next ?? root.folder;
    if (left !== root.folder && left !== folder) await left[Symbol.asyncDispose]();
  }
  async function restart(parts: readonly string[]): Promise<void> {
    await enter(null);
    names = [];
    isInCode = root.isCode;
    todo.push(...parts.toReversed());
  }

  try {
    for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
      seen.steps += 1;
      if (seen.steps > STEP_COUNT) throw failure("ELOOP", path.shown);
      if (name === "..") {
        // The folder above may have changed since: it is walked to again, not asked of the one below.
        if (names.length === 0) throw outside();
        await restart(names.slice(0, -1));
        continue;
      }
      const isLast = todo.length === 0;
      found = await openEntry(`${folder.path}/${name}`, root.way);
      await folder.verify();
      if (found === null && !isLast) throw failure("ENOENT", path.shown);
      if (found?.stats.isSymbolicLink() === true && (!isLast || followLast || isFolder)) {
        const target = await readTarget(`${folder.path}/${name}`, path.shown);
        seen.links += 1;
        if (seen.links > LINK_COUNT) throw failure("ELOOP", path.shown);
        await found[Symbol.asyncDispose]();
        found = null;
        isThroughLink ||= isLast;
        if (isLast) isFolder ||= endsAsFolder(target);
        if (!target.startsWith("/")) todo.push(...splitPath(target).toReversed());
        else await restart(splitPath(root.within(target)));
        continue;
      }
      if (found?.stats.isDirectory() === true && (await isKept(found, root))) throw outside();
      // A file may be guarded by itself.
      if (found !== null) isInCode ||= root.guarded.isCode(identityOf(found.stats));
      names.push(name);
      if (isLast) {
        const spot = { root, parent: folder, names, found, isThroughLink, isFolder, isInCode, shown: path.shown };
        return { ...spot, [Symbol.asyncDispose]: () => closeAll(root, spot.parent, spot.found) };
      }
      if (found?.stats.isDirectory() !== true) throw failure("ENOTDIR", path.shown);
      await enter(found);
      found = null;
    }
    await enter(null);
    const spot = { root, parent: null, names: [], found: root.folder, isThroughLink, isFolder: true, isInCode, shown: path.shown };
    return { ...spot, [Symbol.asyncDispose]: () => Promise.resolve() };
  } catch (error) {
    await closeAll(root, folder, found);
    throw error;
  }
}

async function closeAll(root: Root, ...entries: readonly (Entry | null)[]): Promise<void> {
  for (const entry of entries) if (entry !== null && entry !== root.folder) await entry[Symbol.asyncDispose]();
}

async function readTarget(path: string, shown: string): Promise<string> {
  try {
    return await readlink(path);
  } catch {
    // It was a link a moment ago.
    throw failure("EAGAIN", shown);
  }
}

// Folders that no mount shows: the engine's own, other capabilities' private ones, and what is no file system of files.
async function isKept(folder: Entry, root: Root): Promise<boolean> {
  if (root.guarded.isPrivate(identityOf(folder.stats))) return true;
  if (root.way !== "descriptors" || folder.stats.dev === root.folder.stats.dev) return false;
  return PSEUDO_SYSTEMS.has((await statfs(folder.path)).type);
}
