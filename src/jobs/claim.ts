import { JobError } from "../catalogue/faults.ts";
import { JOBS } from "../catalogue/texts.ts";
import type { JobDatabase } from "./database.ts";
import type { JobPlace, JobProgress } from "./record.ts";

/** A job in the hands of one worker. */
export interface ClaimedJob {
  readonly seq: number;
  readonly id: string;
  readonly tool: string;
  readonly capability: string;
  readonly argsJson: string;
  readonly optionsJson: string;
}

export interface ClaimRules extends JobPlace {
  /** How many jobs may run at once, all workers of the home together. */
  readonly runCount: number;
  /** How many of a capability's. */
  readonly roomOf: (capability: string) => number;
}

/** Whether no job waits there. */
export function isEmpty(database: JobDatabase, { workspace, agentDir }: JobPlace): boolean {
  const sql = "SELECT 1 FROM jobs WHERE state = 'pending' AND workspace = ? AND agent IS ? LIMIT 1";
  return database.get(sql, workspace, agentDir) === null;
}

/** Takes the job that has waited longest among those that there is room for, for this worker alone; null where there is none. */
export function claimJob(database: JobDatabase, worker: string, { workspace, agentDir, runCount, roomOf }: ClaimRules): ClaimedJob | null {
  // Most looks find nothing, and one that only reads waits for nobody.
  if (isEmpty(database, { workspace, agentDir })) return null;
  return database.change(() => {
    // One that was taken for gone has to look first.
    if (database.get("SELECT 1 FROM workers WHERE id = ?", worker) === null) return null;
    if (countRunning(database) >= runCount) return null;
    // One that waits for its capability's turn must not hold a place that another's could have.
    const next = database
      .all(
        `SELECT min(seq) AS seq, capability FROM jobs WHERE state = 'pending' AND workspace = ? AND agent IS ? GROUP BY capability ORDER BY 1`,
        workspace,
        agentDir,
      )
      .find(({ capability }) => countRunning(database, String(capability)) < roomOf(String(capability)));
    if (next === undefined) return null;
    const seq = Number(next["seq"]);
    database.run(
      `UPDATE jobs SET state = 'running', worker = ?, begun = 0, fraction = NULL, detail = NULL, started_ms = ?
       WHERE seq = ?`,
      worker,
      Date.now(),
      seq,
    );
    const row = database.get("SELECT id, tool, options, args FROM jobs JOIN bodies USING (seq) WHERE seq = ?", seq);
    return {
      seq,
      id: String(row?.["id"]),
      tool: String(row?.["tool"]),
      capability: String(next["capability"]),
      argsJson: String(row?.["args"]),
      optionsJson: String(row?.["options"]),
    };
  });
}

/**
 * Writes down that the tool may do something from now on. Throws JobError where the job is not this worker's any more, or has
 * been cancelled: then it must not be begun.
 */
export function beginJob(database: JobDatabase, worker: string, { seq }: ClaimedJob, isRetrySafe: boolean): void {
  const changed = database.run(
    `UPDATE jobs SET begun = 1, retry_safe = ?, attempts = attempts + (begun = 0)
     WHERE seq = ? AND worker = ? AND state = 'running' AND cancel_asked = 0`,
    isRetrySafe ? 1 : 0,
    seq,
    worker,
  );
  if (changed === 0) throw new JobError("UNKNOWN_JOB", JOBS.leaseLost);
}

/** Puts it back where it stood: it has not been begun, or may be begun again. */
export function returnJob(database: JobDatabase, worker: string, { seq }: ClaimedJob): boolean {
  const sql = `UPDATE jobs SET state = 'pending', worker = NULL, begun = 0 WHERE seq = ? AND worker = ? AND state = 'running'`;
  return database.run(sql, seq, worker) > 0;
}

/** Which of a worker's jobs are to be given up. */
export function cancelledJobs(database: JobDatabase, worker: string): readonly number[] {
  return database.all("SELECT seq FROM jobs WHERE worker = ? AND cancel_asked = 1", worker).map(({ seq }) => Number(seq));
}

export function keepProgress(database: JobDatabase, worker: string, reports: ReadonlyMap<number, JobProgress>): void {
  if (reports.size === 0) return;
  database.change(() => {
    for (const [seq, { fraction, detail }] of reports)
      database.run("UPDATE jobs SET fraction = ?, detail = ? WHERE seq = ? AND worker = ?", fraction, detail, seq, worker);
  });
}

function countRunning(database: JobDatabase, capability: string | null = null): number {
  const row =
    capability === null
      ? database.get("SELECT count(*) AS count FROM jobs WHERE state = 'running'")
      : database.get("SELECT count(*) AS count FROM jobs WHERE state = 'running' AND capability = ?", capability);
  return Number(row?.["count"]);
}
