import { JobError } from "../catalogue/faults.ts";
import { JOBS, OUTCOME } from "../catalogue/texts.ts";
import type { ClaimedJob } from "../jobs/claim.ts";
import type { JobHost, RunEnd, RunHooks } from "../jobs/host.ts";
import { JobQueue } from "../jobs/queue.ts";
import type { JobRecord } from "../jobs/record.ts";
import type { JobWorker } from "../jobs/worker.ts";
import type { Capability, Found } from "../registry/registry.ts";
import { encodeArguments } from "./arguments.ts";
import type { CallOptions } from "./call-options.ts";
import type { JobEntry, JobsFilter, JobWaitOptions, Submission, SubmitOptions, WorkOptions } from "./job-entry.ts";
import { assertSubmitOptions, assertWaitOptions, assertWorkOptions, readFilter } from "./job-options.ts";
import { asJson, asOutcome, lostOutcome, refusedOutcome, rewordedOutcome, tooLargeOutcome } from "./job-outcomes.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./options.ts";
import type { Outcome } from "./outcome.ts";

export interface EngineJobsParts {
  readonly settings: Settings;
  readonly log: Log;
  find(tool: string): Found | null;
  capability(name: string): Capability | null;
  /** The outcome of a call of a tool that there is none of. */
  unknownTool(tool: string): Outcome;
  call(tool: string, args: unknown, options: CallOptions): Promise<Outcome>;
}

/** The queue of a home, for whoever only looks at it: no engine needs to be made for that. */
export function openQueue({ home, limits }: Settings): JobQueue {
  return new JobQueue({ home, limits, toOutcome: lostOutcome });
}

export function toJobEntry(job: JobRecord): JobEntry {
  return { ...job, outcome: job.outcome === null ? null : asOutcome(job.outcome) };
}

/** An engine's part in the queue of its home: it submits, looks, and runs what is submitted. */
export class EngineJobs {
  readonly #parts: EngineJobsParts;
  readonly #queue: JobQueue;
  #isBeside = false;

  constructor(parts: EngineJobsParts) {
    this.#parts = parts;
    this.#queue = openQueue(parts.settings);
  }

  submit(tool: string, args: unknown, options: SubmitOptions): Submission {
    assertSubmitOptions(options);
    const { settings } = this.#parts;
    const found = this.#parts.find(tool);
    if (found === null) throw new JobError("UNKNOWN_TOOL", this.#parts.unknownTool(tool).error?.message ?? "");
    if (!found.tool.profile.backgroundEligible) throw new JobError("NOT_BACKGROUND", JOBS.notBackground(found.tool.name));
    const encoded = encodeArguments(args, settings.limits);
    if ("fault" in encoded) throw new JobError("INVALID_ARGUMENTS", encoded.fault);
    const { key = null, timeoutMs, resultLimit, caller } = options;
    const { name, grantedAs } = found.capability.record;
    const job = this.#queue.submit({
      tool: found.tool.name,
      capability: name,
      owner: grantedAs,
      workspace: settings.workspace,
      agentDir: settings.agentDir,
      argsJson: encoded.json,
      optionsJson: JSON.stringify({ timeoutMs, resultLimit, caller, owner: grantedAs } satisfies KeptOptions),
      key,
    });
    return { ...toJobEntry(job), isNew: job.isNew };
  }

  list(filter: JobsFilter): readonly JobEntry[] {
    return this.#queue.list(readFilter(filter)).map(toJobEntry);
  }

  find(id: string): JobEntry | null {
    const job = this.#queue.find(String(id));
    return job === null ? null : toJobEntry(job);
  }

  cancel(id: string): JobEntry {
    return toJobEntry(this.#queue.cancel(String(id)));
  }

  async waitFor(id: string, options: JobWaitOptions): Promise<JobEntry> {
    assertWaitOptions(options);
    return toJobEntry(await this.#queue.waitFor(String(id), options));
  }

  async work(options: WorkOptions): Promise<void> {
    assertWorkOptions(options);
    const { signal, onEnd } = options;
    const worker = this.#worker(true, onEnd);
    const stop = (): void => worker.end();
    if (options.once === true) worker.endWhenEmpty();
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    await worker.ended;
    signal?.removeEventListener("abort", stop);
  }

  /** Works for as long as the engine is open, and holds no process open. */
  workBeside(): void {
    if (this.#isBeside) return;
    this.#isBeside = true;
    this.#worker(false, undefined);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  #worker(isHolding: boolean, onEnd: WorkOptions["onEnd"]): JobWorker {
    const { workspace, agentDir } = this.#parts.settings;
    return this.#queue.work(this.#host(), { place: { workspace, agentDir }, isHolding, onEnd: (id) => this.#tell(id, onEnd) });
  }

  #tell(id: string, onEnd: WorkOptions["onEnd"]): void {
    if (onEnd === undefined) return;
    try {
      const job = this.find(id);
      if (job !== null) onEnd(job);
    } catch (error) {
      this.#report(OUTCOME.listenerThrew("onEnd"), error);
    }
  }

  #host(): JobHost {
    const parts = this.#parts;
    const { limits } = parts.settings;
    return {
      toOutcome: lostOutcome,
      isRetrySafe: (tool) => parts.find(tool)?.tool.profile.retrySafe === true,
      roomOf: (name) => Math.min(limits.concurrency, parts.capability(name)?.record.limits.concurrency ?? Infinity),
      run: (job, hooks) => this.#run(job, hooks),
      reworded: rewordedOutcome,
      tooLarge: (end, bytes) => tooLargeOutcome(end, bytes, limits.jobOutcomeBytes),
      report: (message, error) => this.#report(message, error),
    };
  }

  // As the tool is now: what went away, was switched off or lost its grants ends as any call of it does.
  async #run(job: ClaimedJob, { signal, onBegin, onProgress }: RunHooks): Promise<RunEnd> {
    const { limits } = this.#parts.settings;
    const found = this.#parts.find(job.tool);
    const kept = JSON.parse(job.optionsJson) as KeptOptions;
    const { timeoutMs = limits.jobMs, resultLimit = null, caller = `job ${job.id}` } = kept;
    // What it was given was meant for the one tool, and not for whoever's tool has that name here.
    if (found !== null && found.capability.record.grantedAs !== kept.owner)
      return toRunEnd(refusedOutcome(job, JOBS.otherOwner(job.tool)), true);
    if (found?.tool.profile.backgroundEligible === false) return toRunEnd(refusedOutcome(job, JOBS.notBackground(job.tool)), true);
    const outcome = await this.#parts.call(job.tool, JSON.parse(job.argsJson), {
      signal,
      timeoutMs,
      resultLimit,
      caller,
      onBegin,
      onProgress: (fraction, detail) => onProgress({ fraction, detail }),
    });
    // A worker of Node's does what nobody sees.
    return toRunEnd(outcome, found?.capability.record.runtime !== "worker" && isRepeatable(outcome));
  }

  #report(message: string, error: unknown): void {
    this.#parts.log("error", message, error instanceof Error ? { detail: error.stack ?? error.message } : {});
  }
}

/** What a job keeps beside its arguments. */
type KeptOptions = Pick<SubmitOptions, "timeoutMs" | "resultLimit" | "caller"> & { readonly owner: string };

function toRunEnd(outcome: Outcome, isSafe: boolean): RunEnd {
  return { outcome: asJson(outcome), isRepeatable: isSafe };
}

function isRepeatable({ error, effects }: Outcome): boolean {
  return error === null ? effects.every(({ state }) => state === "refused") : error.retrySafe;
}
