import type { JsonObject } from "../catalogue/json.ts";

export const JOB_STATES = ["pending", "running", "done", "failed", "cancelled"] as const;

/** `pending` waits for a worker; `done`, `failed` and `cancelled` are ends, and stay what they are. */
export type JobState = (typeof JOB_STATES)[number];

/** Where a job is run: a workspace, and the agent whose tools it has, or none. */
export interface JobPlace {
  readonly workspace: string;
  readonly agentDir: string | null;
}

/** What a tool reported last: `fraction` from 0 to 1 or null, `detail` one line. */
export interface JobProgress {
  readonly fraction: number | null;
  readonly detail: string;
}

/** A job as it is kept, without what it was given. */
export interface JobRecord {
  readonly id: string;
  readonly tool: string;
  readonly state: JobState;
  /** Null before the first report. */
  readonly progress: JobProgress | null;
  /** The outcome of its call, whole; null until it has ended, and in a listing that would be too large with it. */
  readonly outcome: JsonObject | null;
  /** How often its tool has been begun. */
  readonly attempts: number;
  /** The folder that it works on. */
  readonly workspace: string;
  /** ISO 8601, as the clock stood. */
  readonly submittedAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** How a job's call ended. What is kept is JSON; the queue itself looks at no more than this of it. */
export interface JobOutcome {
  readonly ok: boolean;
  readonly error: { readonly code: string; readonly started: boolean } | null;
}

type Row = Readonly<Record<string, unknown>>;

/** The columns that `toRecord` reads. */
export const RECORD_COLUMNS = "seq, id, tool, state, fraction, detail, attempts, workspace, submitted_ms, started_ms, ended_ms";

export function toRecord(row: Row, outcome: string | null): JobRecord {
  const detail = row["detail"];
  return {
    id: String(row["id"]),
    tool: String(row["tool"]),
    state: row["state"] as JobState,
    progress: typeof detail === "string" ? { fraction: numberOrNull(row["fraction"]), detail } : null,
    outcome: outcome === null ? null : (JSON.parse(outcome) as JsonObject),
    attempts: Number(row["attempts"]),
    workspace: String(row["workspace"]),
    submittedAt: timeOf(row["submitted_ms"]) ?? "",
    startedAt: timeOf(row["started_ms"]),
    endedAt: timeOf(row["ended_ms"]),
  };
}

export function isEnded(state: JobState): boolean {
  return state !== "pending" && state !== "running";
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function timeOf(value: unknown): string | null {
  return typeof value === "number" ? new Date(value).toISOString() : null;
}
