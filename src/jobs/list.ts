import type { JobDatabase, Row } from "./database.ts";
import { isEnded, RECORD_COLUMNS, toRecord, type JobPlace, type JobRecord, type JobState } from "./record.ts";

export interface JobFilter {
  readonly states: readonly JobState[];
  readonly tool: string | null;
  readonly count: number;
}

// What a listing of a thousand jobs may hold of their outcomes in memory: past it they come without, and one by one with.
const LISTED_BYTES = 32 * 1024 * 1024;

/** Jobs, the newest first. */
export function listJobs(database: JobDatabase, { states, tool, count }: JobFilter): readonly JobRecord[] {
  const rows = database.all(
    `SELECT ${RECORD_COLUMNS}, bytes FROM jobs
     WHERE state IN (SELECT value FROM json_each(?)) AND (?2 IS NULL OR tool = ?2) ORDER BY seq DESC LIMIT ?3`,
    JSON.stringify(states),
    tool,
    count,
  );
  let left = LISTED_BYTES;
  return rows.map((row) => {
    const isShown = isEnded(row["state"] as JobState) && Number(row["bytes"]) <= left;
    if (isShown) left -= Number(row["bytes"]);
    return toRecord(row, isShown ? outcomeOf(database, row) : null);
  });
}

/** One job with its outcome, or null where there is none of that id. */
export function findJob(database: JobDatabase, id: string): JobRecord | null {
  const row = database.get(`SELECT ${RECORD_COLUMNS}, outcome FROM jobs JOIN bodies USING (seq) WHERE id = ?`, id);
  return row === null ? null : toRecord(row, textOrNull(row["outcome"]));
}

/** Where jobs wait for a worker. */
export function waitingPlaces(database: JobDatabase): readonly JobPlace[] {
  const rows = database.all("SELECT DISTINCT workspace, agent FROM jobs WHERE state = 'pending'");
  return rows.map(({ workspace, agent }) => ({ workspace: String(workspace), agentDir: textOrNull(agent) }));
}

function outcomeOf(database: JobDatabase, { seq }: Row): string | null {
  return textOrNull(database.get("SELECT outcome FROM bodies WHERE seq = ?", Number(seq))?.["outcome"]);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
