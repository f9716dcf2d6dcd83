import { JobError } from "../catalogue/faults.ts";
import { JOBS } from "../catalogue/texts.ts";
import type { ClaimedJob } from "./claim.ts";
import type { JobEnd } from "./finish.ts";
import type { JobHost, RunEnd } from "./host.ts";

/** What is to be written down of a job whose call has ended. */
export type Verdict = { readonly kind: "return" } | ({ readonly kind: "end" } & Omit<JobEnd, "progress">);

export interface Circumstances {
  readonly isBegun: boolean;
  /** Its owner gave it up. */
  readonly isCancelled: boolean;
  /** Its worker was told to stop. */
  readonly isInterrupted: boolean;
}

const RETURN: Verdict = { kind: "return" };

// It waited behind calls that are none of the queue's, and has not been begun.
const WAITED: ReadonlySet<string> = new Set(["BUSY", "QUEUE_TIMEOUT"]);

/** What a call's end means for its job. A call that rejected, for whatever reason, is an `Error`. */
export function verdictOf(job: ClaimedJob, end: RunEnd | Error, was: Circumstances, host: JobHost, maxBytes: number): Verdict {
  if (end instanceof Error) return verdictOfError(job, end, was, host);
  const { outcome, isRepeatable } = end;
  const code = outcome.error?.code;
  if (code !== undefined && WAITED.has(code) && !was.isBegun && !was.isCancelled) return RETURN;
  if (code === "CANCELLED" && was.isCancelled) return kept("cancelled", end, host, maxBytes);
  if (code === "CANCELLED" && was.isInterrupted) {
    if (!was.isBegun || isRepeatable || host.isRetrySafe(job.tool)) return RETURN;
    return { kind: "end", state: "failed", outcomeJson: JSON.stringify(host.reworded(end, JOBS.stopped)) };
  }
  return kept(outcome.ok ? "done" : "failed", end, host, maxBytes);
}

function verdictOfError(job: ClaimedJob, error: Error, was: Circumstances, host: JobHost): Verdict {
  const { isBegun, isCancelled, isInterrupted } = was;
  if (!isBegun && isCancelled) return failed(job, host, "cancelled", { code: "CANCELLED", message: JOBS.cancelled, started: false });
  // The file could not be written, or the engine is closing: it is as it was.
  if (!isBegun && (error instanceof JobError || isInterrupted)) return RETURN;
  return failed(job, host, "failed", { code: "CELL_CRASHED", message: JOBS.threw, started: isBegun });
}

function failed(
  job: ClaimedJob,
  host: JobHost,
  state: "failed" | "cancelled",
  failure: { readonly code: "CANCELLED" | "CELL_CRASHED"; readonly message: string; readonly started: boolean },
): Verdict {
  return { kind: "end", state, outcomeJson: JSON.stringify(host.toOutcome(job, { ...failure, isRetrySafe: !failure.started })) };
}

function kept(state: JobEnd["state"], end: RunEnd, host: JobHost, maxBytes: number): Verdict {
  const outcomeJson = JSON.stringify(end.outcome);
  const bytes = Buffer.byteLength(outcomeJson);
  if (bytes <= maxBytes) return { kind: "end", state, outcomeJson };
  return { kind: "end", state: "failed", outcomeJson: JSON.stringify(host.tooLarge(end, bytes)) };
}
