import type { FailureKind, GuestLimits } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import { ToolError } from "../tool-error.ts";
import { isArray, slice, symbolText, toJson, toText } from "./intrinsics.ts";
import { NotJson } from "./payload.ts";
import { shown } from "./paths.ts";
import { PowerError } from "./powers.ts";

// How many of an AggregateError's errors, and how long a chain of causes, are told.
const TOLD = 3;

/** The body of a FAILURE for whatever a tool threw. Reads each property once and survives getters that throw. */
export function thrownBody(thrown: unknown, limits: GuestLimits): string {
  const told = ToolError.told(thrown);
  if (told !== null) return failureBody(told.isOfArguments ? "arguments" : "tool-error", told.message, limits, told.retryable, null);
  const refused = PowerError.told(thrown);
  if (refused !== null) return failureBody(refused.code === "POWER_LIMIT" ? "power-limit" : "denied", refused.message, limits);
  return failureBody("exception", describe(thrown, TOLD), limits, false, stackOf(thrown));
}

/** The body of a FAILURE whose message is ours. */
export function failureBody(
  kind: FailureKind,
  message: string,
  limits: GuestLimits,
  retryable = false,
  stack: string | null = null,
): string {
  const trace = stack === null ? "null" : toJson(slice(stack, 0, limits.messageChars));
  return `{"kind":"${kind}","message":${toJson(cap(shown(message), limits.messageChars))},"retryable":${retryable},"stack":${trace}}`;
}

/** The body of a FAILURE for a value that can be no result. */
export function badResultBody(thrown: unknown, limits: GuestLimits): string {
  const message = thrown instanceof NotJson ? thrown.message : GUEST.readingThrew(describe(thrown, TOLD));
  return failureBody("result", message, limits, false, thrown instanceof NotJson ? null : stackOf(thrown));
}

/** Words for whatever was thrown: never throws, calls nothing but the getters of `name` and `message`. */
export function describe(thrown: unknown, depth: number): string {
  if (typeof thrown === "symbol") return symbolText(thrown);
  if (typeof thrown === "string") return thrown === "" ? GUEST.threwNothing : thrown;
  if (typeof thrown === "bigint") return GUEST.threwNothing;
  if (typeof thrown !== "object" && typeof thrown !== "function") return toText(thrown);
  if (thrown === null) return "null";
  try {
    return describeObject(thrown as Record<string, unknown>, depth);
  } catch {
    return GUEST.unreadableError;
  }
}

function describeObject(thrown: Record<string, unknown>, depth: number): string {
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  if (typeof message !== "string") return GUEST.threwNothing;
  let text = typeof name === "string" && name !== "" ? `${slice(name, 0, 100)}: ${slice(message, 0, CAP)}` : slice(message, 0, CAP);
  if (depth <= 0) return text;
  const { errors, cause } = thrown as { errors?: unknown; cause?: unknown };
  if (isArray(errors)) {
    for (let index = 0; index < errors.length && index < TOLD; index += 1) text += `; ${describe(errors[index], 0)}`;
  }
  if (cause !== undefined) text += `; because of ${describe(cause, depth - 1)}`;
  return text;
}

/** The stack of what was thrown, for the owner's log, or null. */
export function stackOf(thrown: unknown): string | null {
  if (typeof thrown !== "object" || thrown === null) return null;
  try {
    const { stack } = thrown as { stack?: unknown };
    return typeof stack === "string" ? slice(stack, 0, CAP) : null;
  } catch {
    return null;
  }
}

// Longer texts are never flattened whole, whatever the limit says.
const CAP = 100_000;

function cap(text: string, chars: number): string {
  return text.length <= chars ? text : `${slice(text, 0, chars)}…`;
}
