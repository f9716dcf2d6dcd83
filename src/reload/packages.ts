import { dirname, join } from "node:path";
import { CapabilityFolder } from "./folder.ts";
import type { Ledger } from "./ledger.ts";
import { Place } from "./place.ts";
import { whyAbsent, type Follower, type RootEvents, type WatchedRoot } from "./root.ts";

/** What a package manager writes when it has put other packages, or other versions of them, into their places. */
const LOCKS: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
]);
const MODULES_LOCKS: ReadonlySet<string> = new Set([".package-lock.json", ".modules.yaml", ".yarn-state.yml"]);

/**
 * A project whose dependencies may be packages of tools. Its `node_modules` is not watched but for what package managers note
 * there: of it only the packages of tools are, each at its own files.
 */
export class PackagesFolder {
  readonly #path: string;
  readonly #ledger: Ledger;
  readonly #events: Pick<RootEvents, "onFolderTouch">;
  readonly #places: readonly Place[];
  readonly #packages = new Map<string, CapabilityFolder>();

  constructor({ path }: WatchedRoot, ledger: Ledger, events: Pick<RootEvents, "onFolderTouch">) {
    const onChange = (): void => events.onFolderTouch(path);
    const options = { onChange, isRoot: true };
    this.#path = path;
    this.#ledger = ledger;
    this.#events = events;
    this.#places = [
      new Place(
        { ...options, path, isRelevant: (name) => LOCKS.has(name), absence: (isFile, wasThere) => whyAbsent(isFile, wasThere, false) },
        ledger,
      ),
      new Place(
        { ...options, path: join(path, "node_modules"), isRelevant: (name) => MODULES_LOCKS.has(name), absence: () => null },
        ledger,
      ),
    ];
  }

  /** Never rejects. */
  async sync(): Promise<void> {
    await Promise.all([...this.#places, ...this.#packages.values()].map((place) => place.check()));
  }

  /** Its places are looked at like any others. */
  async look(): Promise<void> {}

  touchAll(): void {
    this.#events.onFolderTouch(this.#path);
    for (const folder of this.#packages.values()) folder.touchAll();
  }

  /** Undefined for what is no package of this project. */
  folder(path: string): Follower | undefined {
    if (!this.#isOfProject(path)) return undefined;
    return {
      follow: (files) => {
        const known = this.#packages.get(path);
        if (files.length === 0) {
          this.#packages.delete(path);
          void known?.close();
        } else if (known === undefined) this.#begin(path, files);
        else known.follow(files);
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#places, ...this.#packages.values()].map((place) => place.close()));
  }

  #begin(path: string, files: readonly string[]): void {
    const onTouch = (): void => this.#events.onFolderTouch(path);
    const folder = new CapabilityFolder(path, files, this.#ledger, { onTouch, onReplaced: onTouch }, () => null);
    this.#packages.set(path, folder);
    // What was written between the reading and the watch is told by nobody.
    void folder.check().then(onTouch);
  }

  /** In a `node_modules` of the project or of a folder that it is in. */
  #isOfProject(path: string): boolean {
    for (let current = this.#path; ; current = dirname(current)) {
      const place = join(current, "node_modules");
      if (dirname(path) === place || dirname(dirname(path)) === place) return true;
      if (current === dirname(current)) return false;
    }
  }
}
