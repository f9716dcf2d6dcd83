import { setTimeout as pause } from "node:timers/promises";
import { listerOf, type AdaptedSource, type EntryListing } from "../admission/adapted.ts";
import type { ListingCache } from "../admission/listing-cache.ts";
import type { CapabilityRecord } from "../admission/record.ts";
import { ADAPTED } from "../catalogue/texts.ts";
import { ListingCells, type ListingCellParts, type ListingLimits } from "./listing-cells.ts";

interface ListerLimits extends ListingLimits {
  readonly listWaitMs: number;
}

export interface ListerParts extends Omit<ListingCellParts, "limits"> {
  readonly limits: ListerLimits;
  readonly cache: ListingCache;
}

/**
 * Lists the tools of sources that have to be run for that: sealed, in cells of their own, so many at once, and once for each
 * content.
 */
export class Lister {
  readonly #parts: ListerParts;
  readonly #cells: ListingCells;
  readonly #running = new Map<string, Promise<readonly EntryListing[]>>();
  readonly #waiting: (() => void)[] = [];
  #runningCount = 0;
  /** When those who wait now have waited long enough; null where nothing is being listed. */
  #waitUntil: Promise<null> | null = null;
  readonly #closing = new AbortController();

  constructor(parts: ListerParts) {
    this.#parts = parts;
    this.#cells = new ListingCells(parts);
  }

  /**
   * What each entry lists. Null where that takes longer than anybody should wait for what else there is: it goes on, and
   * `onDone` is called once it is known.
   */
  async list(source: AdaptedSource, record: CapabilityRecord, onDone: () => void): Promise<readonly EntryListing[] | null> {
    const hash = record.bundleHash;
    if (hash === null) return source.entries.map((entry) => toFailed(record, entry.label));
    const known = this.#parts.cache.find(hash);
    if (known !== null) return known;
    let running = this.#running.get(hash);
    if (running === undefined) this.#running.set(hash, (running = this.#run(source, record, hash)));
    const result = await Promise.race([running, this.#waitLimit()]);
    if (result === null) void running.then(onDone, () => undefined);
    return result;
  }

  /** Ends what is being listed. */
  async close(): Promise<void> {
    this.#closing.abort();
    // Each begins, sees that it is over, and lets the next one begin.
    await Promise.allSettled(this.#running.values());
    await this.#cells.close();
  }

  async #run(source: AdaptedSource, record: CapabilityRecord, hash: string): Promise<readonly EntryListing[]> {
    await this.#takePlace();
    try {
      if (this.#closing.signal.aborted) return source.entries.map(() => ({ failed: ADAPTED.listForm, line: null, isPassing: true }));
      const listing = await this.#listEntries(source, record);
      if (!this.#closing.signal.aborted) await this.#parts.cache.store(hash, listing);
      return listing;
    } finally {
      this.#running.delete(hash);
      await this.#givePlace();
    }
  }

  async #listEntries(source: AdaptedSource, record: CapabilityRecord): Promise<readonly EntryListing[]> {
    const listing: EntryListing[] = [];
    const run = this.#cells.open(source.name, record, this.#closing.signal);
    for (const [index, entry] of source.entries.entries()) {
      const tool = record.tools.find(({ name }) => name === listerOf(index));
      listing.push(tool === undefined ? toFailed(record, entry.label) : await run.list(tool.name));
    }
    run.close();
    return listing;
  }

  async #takePlace(): Promise<void> {
    if (this.#runningCount >= this.#parts.limits.admitCount) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#runningCount += 1;
  }

  // Whoever waits takes the place over; with the last one the processes go.
  async #givePlace(): Promise<void> {
    const next = this.#waiting.shift();
    if (next !== undefined) return next();
    this.#runningCount -= 1;
    if (this.#runningCount > 0) return;
    this.#waitUntil = null;
    await this.#cells.close();
  }

  // One time for all who wait: a hundred modules that each take their time keep nobody a hundred times as long.
  #waitLimit(): Promise<null> {
    const { listWaitMs } = this.#parts.limits;
    this.#waitUntil ??= pause(listWaitMs, null, { ref: false, signal: this.#closing.signal }).catch(() => null);
    return this.#waitUntil;
  }
}

function toFailed({ broken, refused }: CapabilityRecord, label: string): EntryListing {
  const fault = broken.find(({ file }) => file === label);
  return { failed: fault?.reason ?? refused ?? ADAPTED.listForm, line: fault?.line ?? null };
}
