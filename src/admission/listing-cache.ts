import path from "node:path";
import { ENGINE_VERSION } from "../built/built.ts";
import type { EntryListing } from "./adapted.ts";
import { noteUse } from "./cache-use.ts";
import { formatVouched, readVouched, toHash } from "./vouched-file.ts";
import { writeWhole } from "./write-whole.ts";

/** Listings by the code that gave them: what has been listed once is not run for that again. */
export interface ListingCache {
  find(bundleHash: string): readonly EntryListing[] | null;
  store(bundleHash: string, listing: readonly EntryListing[]): Promise<void>;
}

/** Raised when a listing of old would mean something else now, within one version of the engine. */
const FORMAT = 1;
/** A failure may have been the machine's: after so long it is tried again. */
const FAILURE_MS = 600_000;

interface Kept {
  readonly listing: readonly EntryListing[];
  /** By the time of day; null for one that stays. */
  readonly untilMs: number | null;
}

/** Beside the records of that cache, and pruned with them. `limits` are those that a listing depends on. */
export function createListingCache(cacheDir: string, limits: Readonly<Record<string, number>>): ListingCache {
  const kept = new Map<string, Kept>();

  function toFile(bundleHash: string): string {
    return path.join(cacheDir, "records", `${toHash(JSON.stringify(["listing", FORMAT, ENGINE_VERSION, limits, bundleHash]))}.json`);
  }

  function find(bundleHash: string): readonly EntryListing[] | null {
    const file = toFile(bundleHash);
    const found = kept.get(bundleHash) ?? (readVouched(file) as Kept | null);
    if (found === null || !isFresh(found)) return null;
    noteUse(file);
    return found.listing;
  }

  async function store(bundleHash: string, listing: readonly EntryListing[]): Promise<void> {
    if (listing.some((listed) => "failed" in listed && listed.isPassing === true)) return;
    const hasFailed = listing.some((listed) => "failed" in listed);
    const entry: Kept = { listing, untilMs: hasFailed ? Date.now() + FAILURE_MS : null };
    // Where the disk takes nothing, this engine remembers all the same.
    if (!(await writeWhole(toFile(bundleHash), formatVouched(entry)))) kept.set(bundleHash, entry);
  }

  return { find, store };
}

// A time far ahead is that of a clock that was set back since.
function isFresh({ untilMs }: Kept): boolean {
  if (untilMs === null) return true;
  const leftMs = untilMs - Date.now();
  return leftMs > 0 && leftMs <= FAILURE_MS;
}
