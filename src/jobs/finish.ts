import type { JobDatabase } from "./database.ts";
import type { JobLimits } from "./limits.ts";
import type { JobProgress, JobState } from "./record.ts";
import { removeOldest } from "./retention.ts";

export interface JobEnd {
  readonly state: Extract<JobState, "done" | "failed" | "cancelled">;
  readonly outcomeJson: string;
  /** The last report, where it has not been written yet. */
  readonly progress: JobProgress | null;
}

/** Writes down how a worker's job ended. False where it is not that worker's any more: what it says does not count. */
export function finishJob(database: JobDatabase, worker: string, seq: number, end: JobEnd, limits: JobLimits): boolean {
  return database.change(() => {
    if (database.get("SELECT 1 FROM jobs WHERE seq = ? AND worker = ?", seq, worker) === null) return false;
    if (end.progress !== null)
      database.run("UPDATE jobs SET fraction = ?, detail = ? WHERE seq = ?", end.progress.fraction, end.progress.detail, seq);
    endJob(database, seq, end.state, end.outcomeJson);
    removeOldest(database, 0, limits.jobBytes);
    return true;
  });
}

/** Inside a change. What the job was given goes: nobody runs it again. */
export function endJob(database: JobDatabase, seq: number, state: JobEnd["state"], outcomeJson: string): void {
  const bytes = Buffer.byteLength(outcomeJson);
  database.run("UPDATE jobs SET state = ?, worker = NULL, bytes = ?, ended_ms = ? WHERE seq = ?", state, bytes, Date.now(), seq);
  database.run("UPDATE bodies SET args = NULL, outcome = ? WHERE seq = ?", outcomeJson, seq);
}
