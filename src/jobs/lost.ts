import type { JsonObject } from "../catalogue/json.ts";
import { JOBS } from "../catalogue/texts.ts";
import type { JobDatabase, Row } from "./database.ts";
import { endJob } from "./finish.ts";
import type { JobLimits } from "./limits.ts";
import type { WorkerWatch } from "./worker-watch.ts";

export interface FailedJob {
  readonly tool: string;
  readonly capability: string;
}

/** Why a job ended without an outcome of its call. */
export interface JobFailure {
  readonly code: "CELL_CRASHED" | "CANCELLED";
  readonly message: string;
  readonly started: boolean;
  readonly isRetrySafe: boolean;
}

/** Makes the outcome that such a job is kept with. */
export type ToOutcome = (job: FailedJob, failure: JobFailure) => JsonObject;

// A worker that is gone before the job was begun need not have gone because of it.
const MISSES_A_TRY = 10;

/**
 * Finds the jobs of workers that are gone. One that had not been begun, or may be begun twice, waits again in its old place;
 * any other has failed. Safe to be done by every process at once.
 */
export function recoverLost(database: JobDatabase, watch: WorkerWatch, limits: JobLimits, toOutcome: ToOutcome): void {
  const gone = watch.gone(database.all("SELECT id, mark, beat FROM workers"), limits.jobLeaseMs);
  for (const worker of gone) {
    database.change(() => {
      const jobs = database.all(
        "SELECT seq, tool, capability, losses, misses, begun, retry_safe, cancel_asked FROM jobs WHERE worker = ?",
        worker,
      );
      for (const job of jobs) settle(database, job, limits.jobTryCount, toOutcome);
      database.run("DELETE FROM workers WHERE id = ?", worker);
    });
  }
}

function settle(database: JobDatabase, job: Row, tries: number, toOutcome: ToOutcome): void {
  const seq = Number(job["seq"]);
  const [isBegun, isSafe] = [job["begun"] === 1, job["retry_safe"] === 1];
  const fail = (state: "failed" | "cancelled", code: JobFailure["code"], message: string): void => {
    const about = { tool: String(job["tool"]), capability: String(job["capability"]) };
    const outcome = toOutcome(about, { code, message, started: isBegun, isRetrySafe: !isBegun || isSafe });
    endJob(database, seq, state, JSON.stringify(outcome));
  };
  if (job["cancel_asked"] === 1) return fail("cancelled", "CANCELLED", JOBS.lostCancelled);
  if (isBegun && !isSafe) return fail("failed", "CELL_CRASHED", JOBS.lost);
  const [losses, misses] = [Number(job["losses"]) + (isBegun ? 1 : 0), Number(job["misses"]) + (isBegun ? 0 : 1)];
  if (losses >= tries || misses >= tries * MISSES_A_TRY) return fail("failed", "CELL_CRASHED", JOBS.lostAgain(isBegun ? losses : misses));
  database.run("UPDATE jobs SET state = 'pending', worker = NULL, begun = 0, losses = ?, misses = ? WHERE seq = ?", losses, misses, seq);
}
