import type { JobDatabase } from "./database.ts";
import type { JobLimits } from "./limits.ts";

/** Removes ended jobs that have been kept long enough, and those past the number that is kept. */
export function removeOld(database: JobDatabase, { jobKeepMs, jobKeepCount }: JobLimits): void {
  const before = Date.now() - jobKeepMs;
  // Most looks find nothing, and one that only reads waits for nobody.
  const found = database.get(
    "SELECT count(*) AS count, coalesce(min(ended_ms), ?) AS oldest FROM jobs WHERE ended_ms IS NOT NULL",
    before + 1,
  );
  if (Number(found?.["count"]) <= jobKeepCount && Number(found?.["oldest"]) > before) return;
  database.change(() => {
    remove(database, "SELECT seq FROM jobs WHERE ended_ms IS NOT NULL AND ended_ms <= ?", before);
    remove(database, "SELECT seq FROM jobs WHERE ended_ms IS NOT NULL ORDER BY ended_ms DESC, seq DESC LIMIT -1 OFFSET ?", jobKeepCount);
  });
}

/** Makes room for so many bytes by removing the oldest ended jobs. False where even that is not enough. Inside a change. */
export function removeOldest(database: JobDatabase, bytes: number, limit: number): boolean {
  for (;;) {
    const total = Number(database.get("SELECT coalesce(sum(bytes), 0) AS total FROM jobs")?.["total"]);
    if (total + bytes <= limit) return true;
    const removed = remove(database, "SELECT seq FROM jobs WHERE ended_ms IS NOT NULL AND bytes > ? ORDER BY ended_ms, seq LIMIT 1", 0);
    if (removed === 0) return false;
  }
}

// Its body goes with it.
function remove(database: JobDatabase, which: string, value: number): number {
  return database.run(`DELETE FROM jobs WHERE seq IN (${which})`, value);
}
