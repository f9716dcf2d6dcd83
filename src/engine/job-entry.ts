import type { JobProgress, JobRecord, JobState } from "../jobs/record.ts";
import type { Outcome } from "./outcome.ts";

/** A job as `engine.jobs()` lists it: a call that is made later, by whichever process works the queue. */
export interface JobEntry extends Omit<JobRecord, "outcome"> {
  /** The whole outcome of its call; null until it has ended. A listing that would be too large with all of them leaves some out: `engine.job(id)` has it. */
  readonly outcome: Outcome | null;
}

/** The job that a submission stands for. */
export interface Submission extends JobEntry {
  /** False where the same was submitted before: this is that job. */
  readonly isNew: boolean;
}

/** What `engine.submit` takes beside the tool's name and its arguments. */
export interface SubmitOptions {
  /**
   * What makes two submissions one, for as long as the first one's job is kept: 1 to 200 characters. Without it a job that waits or
   * runs with the same tool of the same agent, arguments and workspace is not made a second time.
   */
  readonly key?: string | undefined;
  /** The whole time of its call in milliseconds. Default: the limit `jobMs`. */
  readonly timeoutMs?: number | undefined;
  /** The most characters of text that the model can take. Default null: uncut. */
  readonly resultLimit?: number | null | undefined;
  /** Who submits, for the owner's log. */
  readonly caller?: string | undefined;
}

/** Which jobs `engine.jobs` lists. */
export interface JobsFilter {
  readonly state?: JobState | readonly JobState[] | undefined;
  readonly tool?: string | undefined;
  /** How many at most, the newest first: 1 to 10000. Default 100. */
  readonly limit?: number | undefined;
}

/** What `engine.waitForJob` takes. */
export interface JobWaitOptions {
  /** Gives the waiting up, not the job: rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Each change of its progress that is seen. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** What `engine.work` takes. */
export interface WorkOptions {
  /** Ends once no job waits any more. Default: goes on until the signal or the engine's close. */
  readonly once?: boolean | undefined;
  /** Takes nothing more once it is aborted, and ends when what runs has ended. */
  readonly signal?: AbortSignal | undefined;
  /** Each job that has ended here. */
  readonly onEnd?: ((job: JobEntry) => void) | undefined;
}
