import { createHash } from "node:crypto";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { WATCHING } from "../catalogue/texts.ts";
import { CapabilityFolder } from "./folder.ts";
import type { Ledger } from "./ledger.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { Place } from "./place.ts";

/** A folder whose folders are capabilities. */
export interface WatchedRoot {
  readonly path: string;
  /** True where it need not exist, such as the home's before anything was installed. */
  readonly isOptional: boolean;
  /** Folders that are capabilities each, files that are modules, or a project with packages. Default: folders. */
  readonly holds?: "capabilities" | "modules" | "packages";
}

/** What a source's files are followed by. */
export interface Follower {
  follow(files: readonly string[]): void;
}

export interface RootEvents {
  /** Something was made, moved or removed in this root: `sync` finds out what. */
  onTouch(): void;
  onFolderTouch(folder: string): void;
  /** The list of folders is another one. */
  onChanged(): void;
  followedIn(folder: string): readonly string[];
}

/** A root with what is in it. Folders come and go by `sync`, which listens to nothing: its owner says when. */
export class RootFolder {
  /** Watches the folders that are there now, and tells whether they are others than before. Never rejects. */
  readonly sync: () => Promise<void>;
  readonly #path: string;
  readonly #ledger: Ledger;
  readonly #events: RootEvents;
  readonly #place: Place;
  readonly #folders = new Map<string, CapabilityFolder>();
  #print: string | null = null;
  #isUnlisted = false;
  #isClosed = false;

  constructor({ path, isOptional }: WatchedRoot, ledger: Ledger, events: RootEvents) {
    this.#path = path;
    this.#ledger = ledger;
    this.#events = events;
    this.sync = oneAtATime(() => this.#bringInLine());
    this.#place = new Place(
      {
        path,
        isRelevant: mayBeCapability,
        onChange: (name) => this.#note(name),
        absence: (isFile, wasThere) => whyAbsent(isFile, wasThere, isOptional),
        isRoot: true,
      },
      ledger,
    );
  }

  /** Undefined where it is in another root, or in none. */
  folder(path: string): Follower | undefined {
    return this.#folders.get(path);
  }

  /** For when events may have been lost. */
  touchAll(): void {
    this.#events.onTouch();
    for (const folder of this.#folders.values()) folder.touchAll();
  }

  /** Tries again to list what could not be listed. */
  async look(): Promise<void> {
    if (this.#isUnlisted) await this.sync();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#place.close();
    await this.sync();
  }

  #note(name: string | null): void {
    this.#events.onTouch();
    if (name === null) return;
    // Its name is told when it is moved, made or removed, or when who may read it changes.
    const path = join(this.#path, name);
    if (this.#folders.has(path)) this.#events.onFolderTouch(path);
  }

  async #bringInLine(): Promise<void> {
    if (!this.#isClosed) await this.#place.check();
    const listing = this.#isClosed || !this.#place.isThere ? NOTHING : await list(this.#path);
    if (typeof listing === "string") {
      // What was there before most likely still is, as when no more files can be opened.
      this.#isUnlisted = true;
      this.#print ??= "";
      return this.#ledger.tell(this.#path, WATCHING.unreadable(listing));
    }
    if (this.#isUnlisted) this.#ledger.tell(this.#path, null);
    this.#isUnlisted = false;
    const { folders, others } = listing;
    await Promise.all([...this.#folders.keys()].filter((path) => !folders.has(path)).map((path) => this.#leave(path)));
    await Promise.all([...folders].map((path) => this.#visit(path)));
    const standing = [...this.#folders].map(([path, { identity }]) => `${path}\n${identity}`).sort();
    const print = createHash("sha256")
      .update([this.#place.identity, ...standing, ...others.sort()].join("\n"))
      .digest("hex");
    const isChanged = this.#print !== null && this.#print !== print;
    this.#print = print;
    if (isChanged && !this.#isClosed) this.#events.onChanged();
  }

  async #visit(path: string): Promise<void> {
    const folder = this.#folders.get(path) ?? this.#createFolder(path);
    this.#folders.set(path, folder);
    await folder.check();
  }

  #createFolder(path: string): CapabilityFolder {
    return new CapabilityFolder(path, this.#events.followedIn(path), this.#ledger, {
      onTouch: () => this.#events.onFolderTouch(path),
      onReplaced: () => this.#events.onTouch(),
    });
  }

  async #leave(path: string): Promise<void> {
    const folder = this.#folders.get(path);
    this.#folders.delete(path);
    await folder?.close();
  }
}

interface Listing {
  /** Folders, and links: what those lead to may be one later. */
  readonly folders: ReadonlySet<string>;
  readonly others: string[];
}

const NOTHING: Listing = { folders: new Set(), others: [] };

function mayBeCapability(name: string): boolean {
  return !name.startsWith(".") && !name.startsWith("_");
}

export function whyAbsent(isFile: boolean, wasThere: boolean, isOptional: boolean): string | null {
  if (isFile) return WATCHING.notFolder;
  if (wasThere) return WATCHING.gone;
  return isOptional ? null : WATCHING.missing;
}

/** The system's code where it cannot be listed. */
async function list(path: string): Promise<Listing | string> {
  const folders = new Set<string>();
  const others: string[] = [];
  try {
    for await (const entry of await opendir(path, { bufferSize: 1024 })) {
      if (!mayBeCapability(entry.name)) continue;
      if (entry.isDirectory() || entry.isSymbolicLink()) folders.add(join(path, entry.name));
      else others.push(entry.name);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "UNKNOWN";
  }
  return { folders, others };
}
