import type { AnswerBody, FailureBody, LogLevel, Meter, PowerBody, ResultHead } from "../bridge/messages.ts";
import type { Code } from "../catalogue/codes.ts";
import { DEATH } from "../catalogue/texts.ts";

/** One call as a cell takes it. */
export interface CellCall {
  readonly tool: string;
  /** CALL's body, ready for the bridge. */
  readonly body: string;
  /** On the monotonic clock, in milliseconds. */
  readonly deadlineAt: number;
  /** The longest that the call may be without a sign of life, in milliseconds; 0 for no such end. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
  onProgress(fraction: number | null, detail: string): void;
  onLog(level: LogLevel, message: string): void;
  /** Does what the guest asks for, within what is granted. Never rejects. */
  onPower(request: PowerRequest): Promise<PowerReply>;
}

export type PowerRequest = PowerBody & { readonly bytes: Buffer | null };

export interface PowerReply {
  readonly answer: AnswerBody;
  readonly bytes: Buffer | null;
}

/** How a call ended in its cell. */
export type CallEnd =
  | { readonly kind: "result"; readonly head: ResultHead; readonly payload: unknown; readonly meter: Meter; readonly bytesOut: number }
  | { readonly kind: "failure"; readonly failure: FailureBody; readonly meter: Meter; readonly bytesOut: number }
  | {
      readonly kind: "ended";
      readonly code: Code;
      readonly message: string;
      readonly started: boolean;
      readonly meter: Meter;
      readonly detail: string | null;
      /** Where the end is not the deadline that its code stands for. */
      readonly limit?: "idleMs";
    }
  /** The call had not begun: it can run on the next cell. `isCrash` where its cell died, and did not just make room for another. */
  | { readonly kind: "unstarted"; readonly isCrash: boolean };

/** What a module's `unload` may do, and who hears of its end. */
export interface Unloading {
  readonly call: CellCall;
  /** Called once, however it ended. */
  onEnd(): void;
  /** Called before that, where it threw or did not end. */
  onFault(message: string, detail: string | null): void;
}

/** Throws StartError for a LOAD, BUNDLE or PREPARE that did not end well. */
export function assertLoaded(end: CallEnd, cpuMs: number): void {
  if (end.kind === "result") return;
  if (end.kind === "failure") throw new StartError("LOAD_FAILED", end.failure.message, end.failure.stack);
  // The cell went away before it got to this tool: the next one will.
  if (end.kind === "unstarted") throw new StartError("CELL_CRASHED", DEATH.neighbour, null, end.isCrash ? "after-crash" : "at-once");
  if (end.code === "CANCELLED" || end.code === "START_TIMEOUT") throw new StartError(end.code, end.message, end.detail);
  const message = end.code === "MEMORY_LIMIT" ? DEATH.loadMemory : end.code === "CPU_LIMIT" ? DEATH.loadCpu(cpuMs) : end.message;
  throw new StartError("LOAD_FAILED", message, end.detail);
}

/** A cell that could not be made ready for a call. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly code: Code;
  /** For the owner's log. */
  readonly detail: string | null;
  /** Whether the next cell may well do what this one could not: a crash is no reason to try for ever. */
  readonly retry: "never" | "after-crash" | "at-once";

  constructor(code: Code, message: string, detail: string | null = null, retry: StartError["retry"] = "never") {
    super(message);
    this.code = code;
    this.detail = detail;
    this.retry = retry;
  }
}
