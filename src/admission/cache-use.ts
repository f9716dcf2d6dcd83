import { lstatSync, utimesSync } from "node:fs";

/** Use is told apart by days: a file that is used all the time is written to no oftener. */
const DAY_MS = 86_400_000;

/** Notes that a file of the cache was used, and says whether it is there. The system's own note of it is often switched off. */
export function noteUse(file: string): boolean {
  try {
    const stats = lstatSync(file);
    const now = Date.now();
    if (now - stats.mtimeMs > DAY_MS) utimesSync(file, now / 1000, now / 1000);
    return stats.isFile();
  } catch {
    // It is not there, was removed just now, or the cache cannot be written to.
    return false;
  }
}
