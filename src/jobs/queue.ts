import { setTimeout } from "node:timers/promises";
import { JobError } from "../catalogue/faults.ts";
import { JOBS } from "../catalogue/texts.ts";
import { cancelJob } from "./cancel.ts";
import { JobDatabase } from "./database.ts";
import type { JobHost } from "./host.ts";
import type { JobLimits } from "./limits.ts";
import { findJob, listJobs, waitingPlaces, type JobFilter } from "./list.ts";
import { recoverLost, type ToOutcome } from "./lost.ts";
import { isEnded, type JobPlace, type JobProgress, type JobRecord } from "./record.ts";
import { removeOld } from "./retention.ts";
import { submitJob, type JobRequest, type Submitted } from "./submit.ts";
import { JobWorker, type WorkerParts } from "./worker.ts";
import { WorkerWatch } from "./worker-watch.ts";

export interface QueueParts {
  readonly home: string;
  readonly limits: JobLimits;
  readonly toOutcome: ToOutcome;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

/** The jobs of a home. Nothing is opened before the first use. Everything throws JobError where the file cannot be used. */
export class JobQueue {
  readonly #parts: QueueParts;
  readonly #database: JobDatabase;
  readonly #watch = new WorkerWatch();
  readonly #workers = new Set<JobWorker>();

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#database = new JobDatabase(parts.home);
  }

  submit(request: JobRequest): JobRecord & Pick<Submitted, "isNew"> {
    this.#tidy();
    const { id, isNew } = submitJob(this.#database, request, this.#parts.limits);
    for (const worker of this.#workers) worker.wake();
    return { ...this.#known(id), isNew };
  }

  list(filter: JobFilter): readonly JobRecord[] {
    this.#tidy();
    return listJobs(this.#database, filter);
  }

  find(id: string): JobRecord | null {
    this.#tidy();
    return findJob(this.#database, id);
  }

  cancel(id: string): JobRecord {
    this.#tidy();
    if (!cancelJob(this.#database, id, this.#parts.toOutcome)) throw unknown(id);
    for (const worker of this.#workers) worker.wake();
    return this.#known(id);
  }

  /** Resolves with the job once it has ended. Rejects with the signal's reason where that comes first. */
  async waitFor(id: string, { signal, onProgress }: WaitOptions): Promise<JobRecord> {
    let told = JSON.stringify(null);
    for (;;) {
      signal?.throwIfAborted();
      const job = this.find(id);
      if (job === null) throw unknown(id);
      const progress = JSON.stringify(job.progress);
      if (job.progress !== null && progress !== told) onProgress?.(job.progress);
      told = progress;
      if (isEnded(job.state)) return job;
      await setTimeout(this.#parts.limits.jobPollMs, undefined, signal === undefined ? {} : { signal });
    }
  }

  /** Where jobs wait for a worker. */
  waitingPlaces(): readonly JobPlace[] {
    return waitingPlaces(this.#database);
  }

  work(host: JobHost, own: Pick<WorkerParts, "place" | "onEnd" | "isHolding">): JobWorker {
    const { limits } = this.#parts;
    const worker = new JobWorker({ database: this.#database, watch: this.#watch, limits, host, ...own });
    this.#workers.add(worker);
    void worker.ended.then(() => this.#workers.delete(worker));
    return worker;
  }

  /** Gives up what its workers run, and lets go of the file. */
  async close(): Promise<void> {
    for (const worker of this.#workers) worker.interrupt();
    await Promise.all([...this.#workers].map(({ ended }) => ended));
    this.#database.close();
  }

  // Also where nobody works, what a worker has lost is told, and what is old goes.
  #tidy(): void {
    recoverLost(this.#database, this.#watch, this.#parts.limits, this.#parts.toOutcome);
    removeOld(this.#database, this.#parts.limits);
  }

  #known(id: string): JobRecord {
    const job = findJob(this.#database, id);
    if (job === null) throw unknown(id);
    return job;
  }
}

function unknown(id: string): JobError {
  return new JobError("UNKNOWN_JOB", JOBS.unknown(id));
}
