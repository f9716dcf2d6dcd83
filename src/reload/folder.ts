import { join } from "node:path";
import type { Ledger } from "./ledger.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { Place, type PlaceOptions } from "./place.ts";
import { mayBeCode, toKey, toNames, toParent, type NamesByFolder } from "./relevance.ts";

export interface FolderEvents {
  /** Code of this capability may have changed. */
  onTouch(): void;
  /** The folder itself is another one, gone, or back. */
  onReplaced(): void;
}

/** One capability's folder: watched at its top, and in those of its sub-folders that hold a followed file or lead to one. */
export class CapabilityFolder {
  readonly #path: string;
  readonly #ledger: Ledger;
  readonly #events: FolderEvents;
  readonly #top: Place;
  readonly #subs = new Map<string, Place>();
  readonly #sync: () => Promise<void>;
  #names: NamesByFolder;
  #isClosed = false;

  /** `alone` where nothing is watched that this folder is in: then it says itself why it is not there. */
  constructor(path: string, followed: readonly string[], ledger: Ledger, events: FolderEvents, alone: PlaceOptions["absence"] = null) {
    this.#path = path;
    this.#ledger = ledger;
    this.#events = events;
    this.#names = toNames(followed);
    this.#sync = oneAtATime(() => this.#bringInLine());
    this.#top = this.#createPlace("", alone);
  }

  /** Which directory stands here, or why none does. */
  get identity(): string {
    return this.#top.identity;
  }

  async check(): Promise<void> {
    await this.#top.check();
    await this.#sync();
  }

  follow(files: readonly string[]): void {
    this.#names = toNames(files);
    void this.#sync();
  }

  /** For when events may have been lost. */
  touchAll(): void {
    this.#events.onTouch();
    void this.check();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#top.close();
    await this.#sync();
  }

  #createPlace(folder: string, absence: PlaceOptions["absence"] = null): Place {
    const isRelevant = (name: string): boolean => (folder === "" && mayBeCode(name)) || this.#names.get(folder)?.has(toKey(name)) === true;
    const onChange = (name: string | null): void => this.#note(folder, name);
    return new Place({ path: join(this.#path, folder), isRelevant, onChange, absence, isRoot: absence !== null }, this.#ledger);
  }

  #note(folder: string, name: string | null): void {
    if (this.#isClosed) return;
    this.#events.onTouch();
    if (name === null && folder === "") this.#events.onReplaced();
    // A sub-folder may have come, gone, or be another one.
    if (name === null || this.#leadsOn(folder, name)) void this.#sync();
  }

  #leadsOn(folder: string, name: string): boolean {
    const entry = toKey(folder === "" ? name : `${folder}/${name}`);
    return this.#names.keys().some((known) => toKey(known) === entry);
  }

  async #bringInLine(): Promise<void> {
    const wanted = new Set(this.#isClosed || !this.#top.isThere ? [] : this.#names.keys());
    wanted.delete("");
    for (const folder of this.#subs.keys()) if (!wanted.has(folder)) await this.#leave(folder);
    // A folder comes after the one it is in.
    for (const folder of [...wanted].sort()) await this.#visit(folder);
  }

  async #visit(folder: string): Promise<void> {
    const parent = toParent(folder);
    if (parent !== "" && !this.#subs.has(parent)) return this.#leave(folder);
    const known = this.#subs.get(folder);
    const place = known ?? this.#createPlace(folder);
    this.#subs.set(folder, place);
    await place.check();
    if (!place.isThere) await this.#leave(folder);
    // What was written before the watch began, and after the file was read, told nobody.
    else if (known === undefined && this.#names.has(folder)) this.#events.onTouch();
  }

  async #leave(folder: string): Promise<void> {
    const place = this.#subs.get(folder);
    this.#subs.delete(folder);
    await place?.close();
  }
}
