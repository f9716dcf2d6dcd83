import type { FailureKind } from "../bridge/messages.ts";
import type { Code } from "../catalogue/codes.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import type { CallEnd } from "../cell/call-end.ts";
import { cleanText } from "./clean.ts";
import type { Limits } from "./limits.ts";
import type { Failure } from "./outcome.ts";

export interface MetLimit {
  readonly name: string;
  readonly value: number;
}

type FailedEnd = Extract<CallEnd, { readonly kind: "failure" | "ended" }>;

/** What an end in the cell means to the model, and what the owner's log keeps of it. */
export function endFailure(
  end: FailedEnd,
  limits: Limits,
  deadline: MetLimit,
  hasActed: boolean,
): { readonly failure: Failure; readonly detail: string | null } {
  if (end.kind === "failure") {
    const { kind, message, retryable, stack } = end.failure;
    const text = cleanText(message);
    return {
      failure: {
        code: codeOf(kind),
        message: textOf(kind, text),
        ...(retryable ? { advice: OUTCOME.retryable } : {}),
        // A tool may refuse arguments too: one that used a power before that has begun, whatever it says.
        started: (kind !== "arguments" && kind !== "load") || hasActed,
      },
      detail: stack,
    };
  }
  const { code, message, started, detail } = end;
  const timeout = end.limit === undefined ? OUTCOME.callTimeout : OUTCOME.silent;
  const limit = limitOf(code, limits, deadline);
  const text = code === "CALL_TIMEOUT" ? timeout(deadline.value) : message;
  return { failure: { code, message: text, started, ...(limit === undefined ? {} : { limit }) }, detail };
}

function codeOf(kind: FailureKind): Code {
  switch (kind) {
    case "arguments":
      return "INVALID_ARGUMENTS";
    case "tool-error":
      return "TOOL_ERROR";
    case "exception":
      return "TOOL_EXCEPTION";
    case "result":
      return "BAD_RESULT";
    case "load":
      return "LOAD_FAILED";
    case "denied":
      return "PERMISSION_DENIED";
    case "power-limit":
      return "POWER_LIMIT";
  }
}

function textOf(kind: FailureKind, text: string): string {
  switch (kind) {
    case "exception":
      return OUTCOME.exception(text);
    case "load":
      return OUTCOME.loadFailed(text);
    case "denied":
    case "power-limit":
    case "arguments":
    case "tool-error":
    case "result":
      return text;
  }
}

function limitOf(code: Code, limits: Limits, deadline: MetLimit): MetLimit | undefined {
  switch (code) {
    case "CALL_TIMEOUT":
      return deadline;
    case "CPU_LIMIT":
      return { name: "cpuMs", value: limits.cpuMs };
    case "MEMORY_LIMIT":
      return { name: "memoryBytes", value: limits.memoryBytes };
    default:
      return undefined;
  }
}
