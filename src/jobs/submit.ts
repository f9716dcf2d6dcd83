import { createHash, randomBytes } from "node:crypto";
import { JobError } from "../catalogue/faults.ts";
import { isJsonObject } from "../catalogue/json.ts";
import { JOBS } from "../catalogue/texts.ts";
import type { JobDatabase } from "./database.ts";
import type { JobLimits } from "./limits.ts";
import { removeOldest } from "./retention.ts";

/** What a job is: a call that somebody makes later. */
export interface JobRequest {
  readonly tool: string;
  readonly capability: string;
  /** Tells the tool from others of its name: two agents may have one of the same, and neither runs the other's jobs. */
  readonly owner: string;
  readonly workspace: string;
  /** The folder of the agent that submits it, or null. */
  readonly agentDir: string | null;
  readonly argsJson: string;
  readonly optionsJson: string;
  /** What makes two submissions one, whenever the second comes. Null: a job that waits or runs is never there twice. */
  readonly key: string | null;
}

export interface Submitted {
  readonly id: string;
  /** False where the same was submitted before, and that job is the answer. */
  readonly isNew: boolean;
}

/** Puts a job into the queue. Throws JobError where it has no room, and for a key that stands for something else. */
export function submitJob(database: JobDatabase, request: JobRequest, limits: JobLimits): Submitted {
  const fingerprint = fingerprintOf(request);
  const bytes = Buffer.byteLength(request.argsJson);
  return database.change(() => {
    const known = request.key === null ? findAlive(database, fingerprint) : findByKey(database, request.key, fingerprint);
    if (known !== null) return { id: known, isNew: false };
    assertRoom(database, bytes, limits);
    const id = randomBytes(6).toString("hex");
    const { tool, capability, workspace, agentDir, key, optionsJson, argsJson } = request;
    database.run(
      `INSERT INTO jobs (id, tool, capability, workspace, agent, state, fingerprint, key, options, bytes, submitted_ms)
       VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?)`,
      id,
      tool,
      capability,
      workspace,
      agentDir,
      fingerprint,
      key,
      optionsJson,
      bytes,
      Date.now(),
    );
    database.run("INSERT INTO bodies (seq, args) SELECT seq, ? FROM jobs WHERE id = ?", argsJson, id);
    return { id, isNew: true };
  });
}

// The same properties in another order are the same arguments.
function fingerprintOf({ tool, owner, workspace, argsJson }: JobRequest): string {
  const args = JSON.stringify(JSON.parse(argsJson), (_key, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value,
  );
  return createHash("sha256")
    .update(JSON.stringify([tool, owner, workspace, args]))
    .digest("hex");
}

// One that is being cancelled is as good as gone: whoever submits now wants it done.
function findAlive(database: JobDatabase, fingerprint: string): string | null {
  const row = database.get(
    "SELECT id FROM jobs WHERE fingerprint = ? AND state IN ('pending', 'running') AND cancel_asked = 0 ORDER BY seq LIMIT 1",
    fingerprint,
  );
  return row === null ? null : String(row["id"]);
}

function findByKey(database: JobDatabase, key: string, fingerprint: string): string | null {
  const row = database.get("SELECT id, fingerprint FROM jobs WHERE key = ?", key);
  if (row !== null && row["fingerprint"] !== fingerprint) throw new JobError("JOB_KEY_TAKEN", JOBS.keyTaken(key));
  return row === null ? null : String(row["id"]);
}

function assertRoom(database: JobDatabase, bytes: number, limits: JobLimits): void {
  const pending = Number(database.get("SELECT count(*) AS count FROM jobs WHERE state = 'pending'")?.["count"]);
  if (pending >= limits.jobQueueCount) throw new JobError("JOBS_FULL", JOBS.full(limits.jobQueueCount));
  if (!removeOldest(database, bytes, limits.jobBytes)) throw new JobError("JOBS_FULL", JOBS.bytesFull(limits.jobBytes));
}
