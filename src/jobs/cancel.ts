import { JOBS } from "../catalogue/texts.ts";
import type { JobDatabase } from "./database.ts";
import { endJob } from "./finish.ts";
import type { FailedJob, ToOutcome } from "./lost.ts";

/** Ends a job that waits, and has the worker of one that runs give it up. False where there is no such job. */
export function cancelJob(database: JobDatabase, id: string, toOutcome: ToOutcome): boolean {
  return database.change(() => {
    const row = database.get("SELECT seq, tool, capability, state FROM jobs WHERE id = ?", id);
    if (row === null) return false;
    const seq = Number(row["seq"]);
    const job: FailedJob = { tool: String(row["tool"]), capability: String(row["capability"]) };
    if (row["state"] === "pending") {
      const failure = { code: "CANCELLED", message: JOBS.cancelled, started: false, isRetrySafe: true } as const;
      endJob(database, seq, "cancelled", JSON.stringify(toOutcome(job, failure)));
    }
    if (row["state"] === "running") database.run("UPDATE jobs SET cancel_asked = 1 WHERE seq = ?", seq);
    return true;
  });
}
