import { randomUUID } from "node:crypto";
import type { JsonObject } from "../catalogue/json.ts";
import { JOBS, OUTCOME } from "../catalogue/texts.ts";
import type { RunEnd } from "../jobs/host.ts";
import type { FailedJob, JobFailure } from "../jobs/lost.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";

const NOTHING_USED = { wallMs: 0, queueMs: 0, startMs: 0, cpuMs: 0, heapBytes: 0, powerCalls: 0, bytesIn: 0, bytesOut: 0 };

/** The outcome of a job that no call's outcome is known of. */
export function lostOutcome({ tool, capability }: FailedJob, { code, message, started, isRetrySafe }: JobFailure): JsonObject {
  return asJson(
    failedOutcome({ tool, capability, callId: randomUUID() }, { code, message, started }, NOTHING_USED, { effects: [], isRetrySafe }),
  );
}

/** The outcome of a job whose tool is not any more what it was submitted for, and is not begun. */
export function refusedOutcome({ tool, capability }: FailedJob, message: string): Outcome {
  const failure = { code: "PERMISSION_DENIED", message, started: false, phase: "lookup" } as const;
  return failedOutcome({ tool, capability, callId: randomUUID() }, failure, NOTHING_USED);
}

/** The same failure, said in the words of a job. */
export function rewordedOutcome({ outcome }: RunEnd, message: string): JsonObject {
  const call = asOutcome(outcome);
  if (call.error === null) return outcome;
  return asJson({ ...call, text: OUTCOME.failed(call.tool, message, call.error.started), error: { ...call.error, message } });
}

/** What is kept of an outcome that is too large: what was done, and that its result is not there. */
export function tooLargeOutcome({ outcome, isRepeatable }: RunEnd, bytes: number, limit: number): JsonObject {
  const { tool, capability, callId, usage, effects } = asOutcome(outcome);
  const failure = {
    code: "BAD_RESULT",
    message: JOBS.outcomeBytes(bytes, limit),
    started: true,
    limit: { name: "jobOutcomeBytes", value: limit },
  } as const;
  return asJson(failedOutcome({ tool, capability, callId }, failure, usage, { effects, isRetrySafe: isRepeatable }));
}

/** An outcome is JSON but for its type. */
export function asJson(outcome: Outcome): JsonObject & Pick<Outcome, "ok" | "error"> {
  return outcome as unknown as JsonObject & Pick<Outcome, "ok" | "error">;
}

export function asOutcome(json: JsonObject): Outcome {
  return json as unknown as Outcome;
}
