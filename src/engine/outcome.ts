import { CODES, type Code, type Phase } from "../catalogue/codes.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import type { OutcomeImage } from "./images.ts";

/** What every call ends in. */
export interface Outcome {
  readonly ok: boolean;
  readonly tool: string;
  /** Null where no tool of that name is known. */
  readonly capability: string | null;
  readonly callId: string;
  /** What the model reads, on success as on failure. */
  readonly text: string;
  readonly summary: string | null;
  /** The whole evidence, for the owner. */
  readonly payload: unknown;
  readonly images: readonly OutcomeImage[];
  /** What the host did for the call, in order. */
  readonly effects: readonly Effect[];
  readonly trimmed: { readonly shown: number; readonly total: number } | null;
  readonly error: OutcomeError | null;
  readonly usage: Usage;
}

export interface Effect {
  readonly power: string;
  readonly target: string;
  readonly state: "done" | "refused" | "unknown";
}

export interface OutcomeError {
  readonly code: Code;
  readonly phase: Phase;
  readonly message: string;
  /** Whether the tool's own code had begun. */
  readonly started: boolean;
  /** Whether the same call may be made again without doing anything twice. */
  readonly retrySafe: boolean;
  /** The limit that was met, by its name and its value. */
  readonly limit?: { readonly name: string; readonly value: number };
}

/** Times in milliseconds, sizes in bytes. */
export interface Usage {
  readonly wallMs: number;
  readonly queueMs: number;
  readonly startMs: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
  readonly powerCalls: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Who called what: the same in every outcome of a call. */
export interface CallIdentity {
  readonly tool: string;
  readonly capability: string | null;
  readonly callId: string;
}

export interface Failure {
  readonly code: Code;
  readonly message: string;
  /** A sentence of ours that the model's text has after the message. */
  readonly advice?: string;
  readonly started: boolean;
  readonly phase?: Phase;
  readonly limit?: { readonly name: string; readonly value: number };
}

/** What the host did for a call before it ended. */
export interface Done {
  readonly effects: readonly Effect[];
  readonly isRetrySafe: boolean;
}

export const NOTHING_DONE: Done = { effects: [], isRetrySafe: true };

/** The outcome of a call that failed. Its text names the tool, says what happened and what to do. */
export function failedOutcome(identity: CallIdentity, failure: Failure, usage: Usage, done: Done = NOTHING_DONE): Outcome {
  const { code, message, started, limit } = failure;
  const phase = failure.phase ?? CODES[code].phase;
  return {
    ok: false,
    ...identity,
    text: OUTCOME.failed(identity.tool, message, started, failure.advice),
    summary: OUTCOME.summary(code),
    payload: null,
    images: [],
    effects: done.effects,
    trimmed: null,
    error: { code, phase, message, started, retrySafe: done.isRetrySafe, ...(limit === undefined ? {} : { limit }) },
    usage,
  };
}
