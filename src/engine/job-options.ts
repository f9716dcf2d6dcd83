import { JOBS, USE } from "../catalogue/texts.ts";
import type { JobFilter } from "../jobs/list.ts";
import { JOB_STATES, type JobState } from "../jobs/record.ts";
import { assertCallOptions } from "./call-options.ts";
import type { JobsFilter, JobWaitOptions, SubmitOptions, WorkOptions } from "./job-entry.ts";

const KEY_CHARS = 200;
const LISTED_COUNT = { usual: 100, max: 10_000 };

/** Throws TypeError or RangeError: a key that is misspelt must not let a job be made twice. */
export function assertSubmitOptions(options: SubmitOptions): void {
  assertNames("submit", options, ["key", "timeoutMs", "resultLimit", "caller"]);
  const { key, timeoutMs, resultLimit, caller } = options;
  if (key !== undefined && !(typeof key === "string" && key.length >= 1 && key.length <= KEY_CHARS && key.isWellFormed()))
    throw new TypeError(JOBS.key(KEY_CHARS));
  if (caller !== undefined && typeof caller !== "string") throw new TypeError(USE.notString("caller"));
  assertCallOptions({ timeoutMs, resultLimit });
}

/** A listing's filter with its defaults. Throws TypeError or RangeError. */
export function readFilter(filter: JobsFilter): JobFilter {
  assertNames("jobs", filter, ["state", "tool", "limit"]);
  const { state = JOB_STATES, tool, limit = LISTED_COUNT.usual } = filter;
  const states: readonly unknown[] = Array.isArray(state) ? state : [state];
  for (const name of states) if (!isState(name)) throw new TypeError(JOBS.unknownState(String(name), JOB_STATES));
  if (tool !== undefined && typeof tool !== "string") throw new TypeError(USE.notString("tool"));
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > LISTED_COUNT.max)
    throw new RangeError(USE.numberOption("limit", limit, 1, LISTED_COUNT.max));
  return { states: states.filter(isState), tool: tool ?? null, count: limit };
}

export function assertWaitOptions(options: JobWaitOptions): void {
  assertNames("waitForJob", options, ["signal", "onProgress"]);
  assertCallOptions({ signal: options.signal });
  assertFunction("onProgress", options.onProgress);
}

export function assertWorkOptions(options: WorkOptions): void {
  assertNames("work", options, ["once", "signal", "onEnd"]);
  if (options.once !== undefined && typeof options.once !== "boolean") throw new TypeError(USE.notBoolean("once"));
  assertCallOptions({ signal: options.signal });
  assertFunction("onEnd", options.onEnd);
}

function assertNames(of: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null) throw new TypeError(JOBS.notObject(of));
  for (const name of Object.keys(options)) if (!known.includes(name)) throw new TypeError(JOBS.unknownOption(of, name, known));
}

function assertFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== "function") throw new TypeError(USE.notFunction(name));
}

function isState(value: unknown): value is JobState {
  return JOB_STATES.some((state) => state === value);
}
