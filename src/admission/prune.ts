import { lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

export interface Pruned {
  readonly removedCount: number;
}

interface Stored {
  readonly file: string;
  readonly bytes: number;
  readonly usedMs: number;
}

const ENTRY = /^[0-9a-f]{64}\.(?:json|js)$/;
/** A file under another name is being written, or was when its process ended. */
const ABANDONED_MS = 3_600_000;
/** Below the limit by this share, so that not every further entry is one to remove for. */
const KEEP = 0.9;

/**
 * Holds the cache to its limits: what was used longest ago goes first, and what writers have left behind goes too. An
 * engine that misses an entry reads its folder anew. For a thread of the pool: it waits for the disk.
 */
export function pruneCache(cacheDir: string, limits: { readonly cacheBytes: number; readonly cacheCount: number }): Pruned {
  const stored: Stored[] = [];
  let removedCount = 0;
  for (const kind of ["records", "bundles"]) {
    for (const name of listNames(path.join(cacheDir, kind))) {
      const file = path.join(cacheDir, kind, name);
      const entry = look(file);
      if (entry === null) continue;
      if (ENTRY.test(name)) stored.push(entry);
      else if (Date.now() - entry.usedMs > ABANDONED_MS && remove(file)) removedCount += 1;
    }
  }
  let bytes = stored.reduce((sum, entry) => sum + entry.bytes, 0);
  let count = stored.length;
  if (bytes <= limits.cacheBytes && count <= limits.cacheCount) return { removedCount };
  for (const entry of stored.sort((left, right) => left.usedMs - right.usedMs)) {
    if (bytes <= limits.cacheBytes * KEEP && count <= limits.cacheCount * KEEP) break;
    if (!remove(entry.file)) continue;
    bytes -= entry.bytes;
    count -= 1;
    removedCount += 1;
  }
  return { removedCount };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function look(file: string): Stored | null {
  try {
    const stats = lstatSync(file);
    return stats.isFile() ? { file, bytes: stats.size, usedMs: stats.mtimeMs } : null;
  } catch {
    return null;
  }
}

function remove(file: string): boolean {
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}
