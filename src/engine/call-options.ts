import { USE } from "../catalogue/texts.ts";
import { LIMITS } from "./limits.ts";

/** What `engine.call` takes beside the tool's name and its arguments. */
export interface CallOptions {
  /** Gives the call up: the outcome is CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** Each report as it comes: `fraction` from 0 to 1 or null, `detail` one line. What it throws goes to the owner's log. */
  readonly onProgress?: ((fraction: number | null, detail: string) => void) | undefined;
  /** The whole time of the call in milliseconds, waiting and starting included. Default: `callMs` for its run alone. */
  readonly timeoutMs?: number | undefined;
  /** The longest that the tool may give no sign of life, in milliseconds; 0 for as long as it likes. Default: the limit `idleMs`. */
  readonly idleMs?: number | undefined;
  /** Called right before the tool's code may begin, once for each cell that it is sent to. Where it throws the tool is not begun, and the call rejects. */
  readonly onBegin?: (() => void) | undefined;
  /** The most characters of text that the model can take. Default null: uncut. */
  readonly resultLimit?: number | null | undefined;
  /** Who calls, for the owner's log. */
  readonly caller?: string | undefined;
}

/** Throws RangeError or TypeError for options that are the embedder's mistake: a time of NaN must not mean none. */
export function assertCallOptions({ timeoutMs, idleMs, resultLimit, signal, onProgress, onBegin }: CallOptions): void {
  const { min, max } = LIMITS.callMs;
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 1 && timeoutMs <= max))
    throw new RangeError(USE.numberOption("timeoutMs", timeoutMs, Math.min(1, min), max));
  if (idleMs !== undefined && !(typeof idleMs === "number" && idleMs >= 0 && idleMs <= LIMITS.idleMs.max))
    throw new RangeError(USE.numberOption("idleMs", idleMs, 0, LIMITS.idleMs.max));
  if (resultLimit !== undefined && resultLimit !== null && !(Number.isSafeInteger(resultLimit) && resultLimit >= 0)) {
    throw new RangeError(USE.numberOption("resultLimit", resultLimit, 0, Number.MAX_SAFE_INTEGER));
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError(USE.notSignal);
  if (onProgress !== undefined && typeof onProgress !== "function") throw new TypeError(USE.notFunction("onProgress"));
  if (onBegin !== undefined && typeof onBegin !== "function") throw new TypeError(USE.notFunction("onBegin"));
}
