import type { CallOptions, Engine, Outcome } from "toolcell";

export interface StartedCall {
  /** Resolves at the call's first report of progress, or when it has ended without one. */
  readonly begun: Promise<unknown>;
  readonly outcome: Promise<Outcome>;
  cancel(): void;
}

/** Starts a call that may be given up later. */
export function startCall(engine: Engine, tool: string, args: unknown = {}, options: CallOptions = {}): StartedCall {
  const controller = new AbortController();
  const reported = Promise.withResolvers<void>();
  const outcome = engine.call(tool, args, { signal: controller.signal, onProgress: () => reported.resolve(), ...options });
  return { begun: Promise.race([reported.promise, outcome]), outcome, cancel: () => controller.abort() };
}

/** Source of a `run` that reports that it has begun and ends when its call is given up. */
export const HOLD = `const run = (context) => new Promise((resolve) => {
  context.signal.addEventListener("abort", () => resolve("let go"));
  context.progress(null, "begun");
});`;
