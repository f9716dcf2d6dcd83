import { resolve } from "node:path";
import { Ledger } from "./ledger.ts";
import type { ReloadLimits } from "./limits.ts";
import { ModuleFolder } from "./modules.ts";
import { PackagesFolder } from "./packages.ts";
import { RootFolder, type WatchedRoot } from "./root.ts";
import { Settler } from "./settler.ts";

export type { WatchedRoot } from "./root.ts";

export interface WatchEvents {
  /** Code of this capability folder, or of some module of this root, may have changed or be gone: everything written has settled. */
  onFolder(folder: string): void;
  /** The list of folders under this root is another one. */
  onRoot(root: string): void;
  /** Something that is not watched as it should be, as a sentence, once; the rest is. */
  onTrouble(path: string, message: string): void;
}

export interface Watcher extends AsyncDisposable {
  /** Settles once everything is watched. What changes before is not told of: read the folders afterwards. Never rejects. */
  readonly ready: Promise<void>;
  /**
   * The files that a capability's record was made from, and those that were looked for in vain, relative to the folder
   * with `/` between: helpers in sub-folders and packages count from now on. A file behind a link within the folder is
   * followed by both paths. Where that begins a new watch, `onFolder` is called once for what was written meanwhile.
   */
  follow(folder: string, files: readonly string[]): void;
  forget(folder: string): void;
  /** Looks at once for what no event tells, such as a root that is there by now. Settles once all is watched; never rejects. */
  refresh(): Promise<void>;
  /** Idempotent. No handle, timer or watch is left once it settles, and no event comes once it is called. */
  close(): Promise<void>;
}

/** Between two looks at what cannot be watched, may be moved unseen, or is not there yet. */
const LOOK_MS = 1000;

/**
 * Watches the capability folders of all roots for code that may have changed. An event too many is cheap, since what
 * counts is the hash of the code; one too few is a fault. Nothing here keeps the process alive.
 *
 *     const watcher = watchFolders([{ path: "capabilities", isOptional: true }], limits, {
 *       onFolder: (folder) => void readAgain(folder),
 *       onRoot: () => void findFoldersAgain(),
 *       onTrouble: (path, message) => log.warn(`${path}: ${message}`),
 *     });
 *     await watcher.ready;
 */
export function watchFolders(roots: readonly WatchedRoot[], limits: ReloadLimits, events: WatchEvents): Watcher {
  let isClosed = false;
  const followed = new Map<string, readonly string[]>();
  const folderSettler = new Settler(limits, (folder) => events.onFolder(folder));
  const rootSettler = new Settler(limits, (path) => void rootFolders.get(path)?.sync());
  const ledger = new Ledger(
    limits.watchCount,
    (path, message) => isClosed || events.onTrouble(path, message),
    () => rootFolders.forEach((root) => root.touchAll()),
  );
  const rootFolders = new Map(
    roots.map((root) => {
      const path = resolve(root.path);
      return [path, createRoot({ ...root, path })];
    }),
  );
  const ready = syncAll();
  let closing: Promise<void> | null = null;
  let looking: Promise<void> = Promise.resolve();
  let timer = setTimeout(startLook, LOOK_MS).unref();

  function createRoot(root: WatchedRoot): RootFolder | ModuleFolder | PackagesFolder {
    const Watched = { capabilities: RootFolder, modules: ModuleFolder, packages: PackagesFolder }[root.holds ?? "capabilities"];
    return new Watched(root, ledger, {
      onTouch: () => isClosed || rootSettler.touch(root.path),
      onFolderTouch: (folder) => isClosed || folderSettler.touch(folder),
      onChanged: () => isClosed || events.onRoot(root.path),
      followedIn: (folder) => followed.get(folder) ?? [],
    });
  }

  async function syncAll(): Promise<void> {
    await Promise.all([...rootFolders.values()].map((root) => root.sync()));
  }

  function startLook(): void {
    looking = look();
  }

  // The next one waits for this one, so that looking at many places takes longer, and not more of the machine.
  async function look(): Promise<void> {
    for (const looked of [...ledger.places, ...rootFolders.values()]) {
      if (isClosed) return;
      await looked.look();
    }
    timer = setTimeout(startLook, LOOK_MS).unref();
  }

  async function closeAll(): Promise<void> {
    isClosed = true;
    folderSettler.close();
    rootSettler.close();
    clearTimeout(timer);
    await Promise.all([ready, looking]);
    clearTimeout(timer);
    await Promise.all([...rootFolders.values()].map((root) => root.close()));
  }

  function close(): Promise<void> {
    closing ??= closeAll();
    return closing;
  }

  return {
    ready,
    follow(folder, files) {
      const path = resolve(folder);
      followed.set(path, files);
      for (const root of rootFolders.values()) root.folder(path)?.follow(files);
    },
    forget(folder) {
      const path = resolve(folder);
      followed.delete(path);
      folderSettler.drop(path);
      for (const root of rootFolders.values()) root.folder(path)?.follow([]);
    },
    refresh: syncAll,
    close,
    [Symbol.asyncDispose]: close,
  };
}
