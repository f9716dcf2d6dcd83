import { OUTCOME } from "../catalogue/texts.ts";
import { StartError } from "../cell/call-end.ts";
import type { CallTarget } from "./call-target.ts";
import type { MetLimit } from "./end-failure.ts";

/** The end of a wait, on the monotonic clock, and the limit that sets it. */
export interface Bound {
  readonly at: number;
  readonly limit: MetLimit;
}

/** What ends the wait that begins now: the engine's own limit, or the whole time that the caller gives the call. */
export function boundBy(
  name: "queueMs" | "startMs" | "callMs",
  { limits, found }: CallTarget,
  { begunAt, timeoutMs }: { readonly begunAt: number; readonly timeoutMs: number | undefined },
): Bound {
  const value = limits[name];
  const now = name === "queueMs" ? begunAt : performance.now();
  const own = { at: now + value, limit: { name, value } };
  if (timeoutMs === undefined) return own;
  const given = { at: begunAt + timeoutMs, limit: { name: "timeoutMs", value: timeoutMs } };
  // A caller may ask for more than the default, never for more than the capability says it takes.
  const isDefault = name === "callMs" && found.capability.record.limits.callMs === undefined;
  return isDefault || given.at < own.at ? given : own;
}

/** What `starting` comes to, or StartError where the bound or the caller's signal comes first. */
export function startedWithin<T>(
  starting: Promise<T>,
  { at, limit }: Bound,
  {
    capability,
    signal,
    onOverdue,
  }: { readonly capability: string; readonly signal: AbortSignal | undefined; readonly onOverdue: () => void },
): Promise<T> {
  const ms = Math.max(1, at - performance.now());
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(new StartError("CANCELLED", OUTCOME.cancelled));
    const overdue = setTimeout(() => {
      // A cell that takes longer than one caller has goes on starting, for the others and for the next call.
      if (limit.name === "startMs") onOverdue();
      reject(new StartError("START_TIMEOUT", OUTCOME.startTimeout(Math.round(ms), capability)));
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    starting.then(resolve, reject).finally(() => {
      clearTimeout(overdue);
      signal?.removeEventListener("abort", onAbort);
    });
  });
}
