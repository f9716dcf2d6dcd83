import { randomUUID } from "node:crypto";
import { JobError } from "../catalogue/faults.ts";
import { JOBS } from "../catalogue/texts.ts";
import { beginJob, cancelledJobs, claimJob, isEmpty, keepProgress, returnJob, type ClaimedJob } from "./claim.ts";
import type { JobDatabase } from "./database.ts";
import { finishJob } from "./finish.ts";
import type { JobHost, RunEnd } from "./host.ts";
import type { JobLimits } from "./limits.ts";
import { recoverLost } from "./lost.ts";
import { ownMark } from "./process-mark.ts";
import type { JobPlace, JobProgress } from "./record.ts";
import { removeOld } from "./retention.ts";
import { verdictOf, type Verdict } from "./verdict.ts";
import type { WorkerWatch } from "./worker-watch.ts";

export interface WorkerParts {
  readonly database: JobDatabase;
  readonly watch: WorkerWatch;
  readonly limits: JobLimits;
  readonly host: JobHost;
  /** Whose jobs it takes. */
  readonly place: JobPlace;
  readonly onEnd: (id: string) => void;
  /** Whether its looks hold the process open. */
  readonly isHolding: boolean;
}

interface Running {
  readonly job: ClaimedJob;
  /** The name under which it was taken. */
  readonly worker: string;
  readonly giveUp: AbortController;
  isBegun: boolean;
  isCancelled: boolean;
  /** The last report that is not written down yet. */
  progress: JobProgress | null;
  /** Set once its call has ended: what is still to be written down. */
  verdict: Verdict | null;
}

// A file that cannot be used is tried again, and not without a pause.
const TROUBLE_MS = 1000;

/** Takes jobs and runs them, beside any number of others in this process and in others. */
export class JobWorker {
  readonly #parts: WorkerParts;
  readonly #running = new Map<number, Running>();
  readonly #ended = Promise.withResolvers<void>();
  #id: string | null = null;
  #beatAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;
  #trouble = "";
  #ends: "never" | "empty" | "now" = "never";
  #isInterrupted = false;
  #isEnded = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#lookIn(0);
  }

  /** Settles once it has ended. Never rejects. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Ends once nothing waits any more. */
  endWhenEmpty(): void {
    if (this.#ends === "never") this.#ends = "empty";
  }

  /** Takes nothing more, and ends once what runs has ended. */
  end(): void {
    this.#ends = "now";
    this.#lookIn(0);
  }

  /** As `end`, and gives up what runs: what may be run again waits again, the rest has failed. */
  interrupt(): void {
    this.#isInterrupted = true;
    for (const { giveUp } of this.#running.values()) giveUp.abort();
    this.end();
  }

  wake(): void {
    if (this.#trouble === "") this.#lookIn(0);
  }

  #lookIn(ms: number): void {
    if (this.#isEnded) return;
    clearTimeout(this.#timer ?? undefined);
    this.#timer = setTimeout(() => this.#look(), ms);
    if (!this.#parts.isHolding && this.#running.size === 0 && this.#ends === "never") this.#timer.unref();
  }

  #look(): void {
    const { jobPollMs } = this.#parts.limits;
    try {
      const hasNothing = this.#work();
      this.#trouble = "";
      if (hasNothing && this.#running.size === 0) return this.#end();
    } catch (error) {
      this.#onTrouble(error);
      // Whoever wants an end gets one: what is written nowhere is found as lost.
      if (this.#ends === "now" && this.#isAllEnded()) return this.#end();
    }
    this.#lookIn(this.#trouble === "" ? jobPollMs : TROUBLE_MS);
  }

  /** Whether there is nothing to wait for. */
  #work(): boolean {
    const { database, watch, limits, host } = this.#parts;
    const id = this.#beat();
    this.#settle();
    for (const seq of cancelledJobs(database, id)) this.#cancel(seq);
    this.#keepProgress(id);
    recoverLost(database, watch, limits, host.toOutcome);
    removeOld(database, limits);
    if (this.#ends === "now") return true;
    const hasNothing = this.#claim(id);
    return hasNothing && this.#ends === "empty";
  }

  // A worker that was taken for gone has another name from then on, and nothing of what it had under the old one.
  #beat(): string {
    const { database, limits } = this.#parts;
    const now = performance.now();
    if (this.#id !== null && now - this.#beatAt < limits.jobLeaseMs / 4) return this.#id;
    const isKnown = this.#id !== null && database.run("UPDATE workers SET beat = beat + 1 WHERE id = ?", this.#id) > 0;
    if (!isKnown || this.#id === null) {
      for (const { giveUp } of this.#running.values()) giveUp.abort();
      this.#id = randomUUID();
      database.run("INSERT INTO workers (id, mark, beat) VALUES (?, ?, 0)", this.#id, JSON.stringify(ownMark()));
    }
    this.#beatAt = now;
    return this.#id;
  }

  #claim(id: string): boolean {
    const { database, place, limits, host } = this.#parts;
    const rules = { ...place, runCount: limits.jobRunCount, roomOf: (capability: string) => host.roomOf(capability) };
    for (let job = claimJob(database, id, rules); job !== null; job = claimJob(database, id, rules)) void this.#run(job, id);
    return isEmpty(database, place);
  }

  async #run(job: ClaimedJob, worker: string): Promise<void> {
    const { database, host, limits } = this.#parts;
    const giveUp = new AbortController();
    const running: Running = { job, worker, giveUp, isBegun: false, isCancelled: false, progress: null, verdict: null };
    this.#running.set(job.seq, running);
    const end = await host
      .run(job, {
        signal: giveUp.signal,
        onBegin: () => {
          beginJob(database, worker, job, host.isRetrySafe(job.tool));
          running.isBegun = true;
        },
        onProgress: (progress) => void (running.progress = progress),
      })
      .catch((error: unknown): RunEnd | Error => (error instanceof Error ? error : new Error(String(error))));
    if (end instanceof Error && !(end instanceof JobError) && !this.#isInterrupted) host.report(JOBS.threw, end);
    const { isBegun, isCancelled } = running;
    running.verdict = verdictOf(job, end, { isBegun, isCancelled, isInterrupted: this.#isInterrupted }, host, limits.jobOutcomeBytes);
    // What was put back is not to be taken at once by whoever put it back.
    this.#lookIn(running.verdict.kind === "return" && this.#ends !== "now" ? limits.jobPollMs : 0);
  }

  // Writes down what has ended. What cannot be written now is written at the next look.
  #settle(): void {
    const { database, limits, onEnd } = this.#parts;
    for (const [seq, { job, worker, progress, verdict }] of this.#running) {
      if (verdict === null) continue;
      if (verdict.kind === "return") returnJob(database, worker, job);
      else if (finishJob(database, worker, seq, { ...verdict, progress }, limits)) onEnd(job.id);
      this.#running.delete(seq);
    }
  }

  #cancel(seq: number): void {
    const running = this.#running.get(seq);
    if (running === undefined) return;
    running.isCancelled = true;
    running.giveUp.abort();
  }

  #keepProgress(id: string): void {
    const reports = new Map<number, JobProgress>();
    for (const [seq, running] of this.#running) {
      if (running.progress !== null && running.worker === id) reports.set(seq, running.progress);
      running.progress = null;
    }
    keepProgress(this.#parts.database, id, reports);
  }

  #isAllEnded(): boolean {
    return [...this.#running.values()].every(({ verdict }) => verdict !== null);
  }

  #onTrouble(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#trouble) this.#parts.host.report(JOBS.workerTrouble(message), error);
    this.#trouble = message;
  }

  #end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer ?? undefined);
    try {
      const forget = "DELETE FROM workers WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE worker = ?1)";
      if (this.#id !== null) this.#parts.database.run(forget, this.#id);
    } catch (error) {
      this.#onTrouble(error);
    }
    this.#ended.resolve();
  }
}
