import type { JsonObject } from "../catalogue/json.ts";
import type { ClaimedJob } from "./claim.ts";
import type { ToOutcome } from "./lost.ts";
import type { JobOutcome, JobProgress } from "./record.ts";

export interface RunHooks {
  /** Gives the call up. */
  readonly signal: AbortSignal;
  /** Called right before the tool may do something. Throws where it must not. */
  readonly onBegin: () => void;
  readonly onProgress: (progress: JobProgress) => void;
}

/** How a job's call ended. */
export interface RunEnd {
  readonly outcome: JobOutcome & JsonObject;
  /** Whether it may be run again without doing anything twice, as far as the host saw what it did. */
  readonly isRepeatable: boolean;
}

/** What a worker asks of the engine whose tools it runs. */
export interface JobHost {
  readonly toOutcome: ToOutcome;
  /** What the tool says of itself now, or null where there is no such tool. */
  isRetrySafe(tool: string): boolean;
  /** How many calls of a capability may run at once. */
  roomOf(capability: string): number;
  /** One call. Rejects where the engine itself failed, or `onBegin` threw: then the tool was not begun. */
  run(job: ClaimedJob, hooks: RunHooks): Promise<RunEnd>;
  /** The same outcome with another sentence in it. */
  reworded(end: RunEnd, message: string): JsonObject;
  /** For an outcome that is too large to be kept: what is left of it, as a failure. */
  tooLarge(end: RunEnd, bytes: number): JsonObject;
  /** For the owner's log. */
  report(message: string, error?: unknown): void;
}
