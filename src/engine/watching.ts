import { OUTCOME } from "../catalogue/texts.ts";
import type { Sources } from "../registry/sources.ts";
import { watchFolders, type Watcher } from "../reload/watcher.ts";
import type { Trouble } from "./cell-events.ts";
import type { Settings } from "./options.ts";
import { capabilityRoots } from "./places.ts";

/** Watches whatever capabilities are read from, once it is told to begin. */
export class Watching {
  readonly #settings: Settings;
  readonly #trouble: Trouble;
  #watcher: Watcher | null = null;

  constructor(settings: Settings, trouble: Trouble) {
    this.#settings = settings;
    this.#trouble = trouble;
  }

  get hasBegun(): boolean {
    return this.#watcher !== null;
  }

  begin(sources: Sources): void {
    // What is shipped changes with the engine alone.
    const roots = capabilityRoots(this.#settings).filter(({ isShipped }) => !isShipped);
    const report = (error: unknown): void => this.#trouble(OUTCOME.reloadFailed, error);
    this.#watcher = watchFolders(roots, this.#settings.limits, {
      onFolder: (folder) => void sources.touched(folder).catch(report),
      onRoot: () => void sources.scan("new").catch(report),
      onTrouble: (_path, message) => this.#trouble(message),
    });
    // What was written before all was watched is told by nobody.
    void this.#watcher.ready.then(() => sources.scan("all")).catch(report);
  }

  follow(folder: string, files: readonly string[]): void {
    this.#watcher?.follow(folder, files);
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }
}
