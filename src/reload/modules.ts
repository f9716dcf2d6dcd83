import { dirname } from "node:path";
import { CapabilityFolder } from "./folder.ts";
import type { Ledger } from "./ledger.ts";
import { whyAbsent, type Follower, type RootEvents, type WatchedRoot } from "./root.ts";

/**
 * A folder whose files are modules. They may share files, and any may come or go, so that the folder is told of as a whole;
 * whoever reads them knows by content which of them is another.
 */
export class ModuleFolder {
  readonly #path: string;
  readonly #folder: CapabilityFolder;
  /** By module, the files that had a part in it. */
  readonly #followed = new Map<string, readonly string[]>();

  constructor({ path, isOptional }: WatchedRoot, ledger: Ledger, events: Pick<RootEvents, "onFolderTouch">) {
    const onTouch = (): void => events.onFolderTouch(path);
    this.#path = path;
    this.#folder = new CapabilityFolder(path, [], ledger, { onTouch, onReplaced: onTouch }, (isFile, wasThere) =>
      whyAbsent(isFile, wasThere, isOptional),
    );
  }

  /** Never rejects. */
  async sync(): Promise<void> {
    await this.#folder.check();
  }

  /** Its places are looked at like any others. */
  async look(): Promise<void> {}

  touchAll(): void {
    this.#folder.touchAll();
  }

  /** Undefined for what is no file of this folder. */
  folder(module: string): Follower | undefined {
    if (dirname(module) !== this.#path) return undefined;
    return {
      follow: (files) => {
        if (files.length === 0) this.#followed.delete(module);
        else this.#followed.set(module, files);
        this.#folder.follow([...this.#followed.values()].flat());
      },
    };
  }

  async close(): Promise<void> {
    await this.#folder.close();
  }
}
