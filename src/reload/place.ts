import { lstat, realpath, stat } from "node:fs/promises";
import { WATCHING } from "../catalogue/texts.ts";
import type { Ledger } from "./ledger.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { createPrint, type TakePrint } from "./print.ts";
import { WatchError } from "./watch-error.ts";

export interface PlaceOptions {
  readonly path: string;
  /** Whether changes of an entry matter, by its name. */
  readonly isRelevant: (name: string) => boolean;
  /** An entry that matters changed; null where any may have, or the directory is another one now, or gone, or back. */
  readonly onChange: (name: string | null) => void;
  /** What to say where no directory is there; null for a place that is given up then. */
  readonly absence: ((isFile: boolean, wasThere: boolean) => string | null) | null;
  /** True where nothing else is watched that tells of the directory being moved away with all that is around it. */
  readonly isRoot: boolean;
}

/**
 * A path at which a directory is expected: watched while there is one, whichever that is, and looked at once a second
 * where it cannot be watched, has a link in its way, or is not there yet.
 */
export class Place {
  /** Brings the watch in line with what is there now. Never rejects. */
  readonly check: () => Promise<void>;
  readonly #options: PlaceOptions;
  readonly #ledger: Ledger;
  /** Which directory is there, or why none is. */
  #identity = "";
  #isThere = false;
  #isLink = false;
  /** The watch is to be made anew, though the directory is the one it was. */
  #isDead = false;
  /** There is no watch until the next look. */
  #isPaused = false;
  #isClosed = false;
  #watch: AsyncDisposable | null = null;
  #takePrint: TakePrint | null = null;
  #print = "";

  constructor(options: PlaceOptions, ledger: Ledger) {
    this.#options = options;
    this.#ledger = ledger;
    this.check = oneAtATime(() => this.#bringInLine());
    ledger.places.add(this);
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  get identity(): string {
    return this.#identity;
  }

  /** Finds out what no event tells. Costs nothing where a watch does. */
  async look(): Promise<void> {
    const { path, isRoot } = this.#options;
    if (this.#isClosed || (this.#watch !== null && !isRoot && !this.#isLink)) return;
    if ((await identify(path)).identity !== this.#identity) return this.check();
    const isPaused = this.#isPaused;
    const print = (await this.#takePrint?.()) ?? "";
    if (print === this.#print && !isPaused) return;
    // It may be one that can be watched by now.
    this.#isDead = true;
    await this.check();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#ledger.places.delete(this);
    this.#ledger.tell(this.#options.path, null);
    await this.check();
  }

  async #bringInLine(): Promise<void> {
    if (this.#isClosed) return this.#leave();
    const found = await identify(this.#options.path);
    if (found.identity === this.#identity && !this.#isDead) return;
    const isFirst = this.#identity === "";
    await this.#leave();
    this.#isDead = false;
    this.#isPaused = false;
    this.#identity = found.identity;
    if (found.isThere) await this.#enter();
    else this.#miss(found);
    this.#isThere = found.isThere;
    if (!isFirst && !this.#isClosed) this.#options.onChange(null);
    // Another one may have come meanwhile, and the watch may be that one's or nobody's.
    if (found.isThere && (await identify(this.#options.path)).identity !== found.identity) void this.check();
  }

  async #enter(): Promise<void> {
    const { path, isRelevant } = this.#options;
    const trouble = await this.#startWatch();
    this.#ledger.tell(path, trouble);
    if (this.#watch !== null) return;
    this.#takePrint = createPrint(path, isRelevant);
    this.#print = await this.#takePrint();
  }

  /** Why there is no watch, or null where there is nothing to tell of. */
  async #startWatch(): Promise<string | null> {
    const { path } = this.#options;
    if (!this.#ledger.take()) return WATCHING.tooMany(this.#ledger.watchCount);
    try {
      this.#isLink = (await lstat(path)).isSymbolicLink();
      // An engine that watches nothing has no use for chokidar.
      const { watchDirectory } = await import("./directory.ts");
      this.#watch = await watchDirectory(await realpath(path), {
        onEntry: (name) => this.#note(name),
        onSelf: () => this.#doubt(),
      });
      return null;
    } catch (error) {
      this.#ledger.give();
      return toTrouble(error);
    }
  }

  #note(name: string | null): void {
    if (this.#isClosed) return;
    if (this.#ledger.countEvent()) this.#pause();
    if (name === null || this.#options.isRelevant(name)) this.#options.onChange(name);
  }

  // A program that writes faster than events are handled would have the loop to itself for as long as it goes on.
  #pause(): void {
    this.#isPaused = true;
    void this.#leave();
  }

  #doubt(): void {
    this.#isDead = true;
    void this.check();
  }

  #miss({ isFile, code }: Found): void {
    const { path, absence } = this.#options;
    this.#ledger.tell(path, code === null ? (absence?.(isFile, this.#isThere) ?? null) : WATCHING.unreadable(code));
  }

  async #leave(): Promise<void> {
    this.#takePrint = null;
    this.#print = "";
    const watch = this.#watch;
    if (watch === null) return;
    this.#watch = null;
    this.#ledger.give();
    await watch[Symbol.asyncDispose]();
  }
}

interface Found {
  readonly identity: string;
  readonly isThere: boolean;
  readonly isFile: boolean;
  /** Why it cannot be told, or null. */
  readonly code: string | null;
}

async function identify(path: string): Promise<Found> {
  try {
    const stats = await stat(path, { bigint: true });
    if (stats.isDirectory()) return { identity: `${stats.dev} ${stats.ino}`, isThere: true, isFile: false, code: null };
    return { identity: "file", isThere: false, isFile: true, code: null };
  } catch (error) {
    const { code = "UNKNOWN" } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    return { identity: code, isThere: false, isFile: false, code: isMissing ? null : code };
  }
}

function toTrouble(error: unknown): string | null {
  const code = error instanceof WatchError ? error.code : ((error as NodeJS.ErrnoException).code ?? "UNKNOWN");
  if (code === "POLLING") return null;
  if (code === "ENOSPC") return WATCHING.noWatches;
  if (code === "EMFILE" || code === "ENFILE") return WATCHING.noHandles(code);
  return code === "EACCES" || code === "EPERM" ? WATCHING.unreadable(code) : WATCHING.failed(code);
}
