import { FSWatcher } from "chokidar";
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { WatchError } from "./watch-error.ts";

export interface DirectoryEvents {
  /** An entry was made, written, moved or removed, as it happens; null where the system does not say which. */
  readonly onEntry: (name: string | null) => void;
  /** The directory may be gone, or another one may stand in its place: what is watched here is then a dead one. */
  readonly onSelf: () => void;
}

/** What chokidar is used for: to hold one directory's watch. */
class EntryWatcher extends FSWatcher {
  readonly #directory: string;

  constructor(directory: string) {
    super({ depth: 0, persistent: false, ignoreInitial: true, atomic: false });
    this.#directory = directory;
  }

  // Events carry their names, so there is nothing to list first: for 100,000 files that takes four seconds and 50 MB.
  override createScanStream(): undefined {
    return undefined;
  }

  // Nor is there anything to look at after each event: under a flood of them that takes all of the loop's time.
  override isUnwatched(path: string): boolean {
    return path.length > this.#directory.length;
  }
}

/**
 * Watches the entries of one existing directory, given by its real path, with one watch of the system. Chokidar keeps
 * the watch alive; its own events of files come late and merged (it looks at each file, holds empty ones back and lets
 * one change in 50 ms through), so the system's are taken as they come. Rejects with WatchError.
 */
export async function watchDirectory(path: string, events: DirectoryEvents): Promise<AsyncDisposable> {
  const watcher = new EntryWatcher(path);
  // CHOKIDAR_USEPOLLING may say so: its polling goes by the time of day, and what is here looked at each second does not.
  if (watcher.options.usePolling) throw new WatchError("POLLING");
  const code = await whenReady(watcher, path);
  if (code !== null) {
    await watcher.close();
    throw new WatchError(code);
  }
  watcher.on("raw", (event, name) => {
    if (event === "rename" && name === basename(path)) void doubt(path, events);
    events.onEntry(name);
  });
  watcher.on("unlinkDir", () => events.onSelf());
  watcher.on("error", () => events.onSelf());
  return { [Symbol.asyncDispose]: () => watcher.close() };
}

// What happens to the directory itself is told under its own name, and it may hold an entry of that name.
async function doubt(path: string, { onSelf }: DirectoryEvents): Promise<void> {
  await lstat(join(path, basename(path))).catch(onSelf);
}

/** Why it does not watch, or null. */
async function whenReady(watcher: FSWatcher, path: string): Promise<string | null> {
  const errors: unknown[] = [];
  const noteError = (error: unknown): unknown => errors.push(error);
  watcher.on("error", noteError);
  watcher.add(path);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  watcher.off("error", noteError);
  if (errors.length > 0) return (errors[0] as NodeJS.ErrnoException).code ?? "UNKNOWN";
  // Where the folder is gone by now, or its name is one that chokidar cannot spell, it waits at a folder above.
  return Object.hasOwn(watcher.getWatched(), path) ? null : "ENOENT";
}
