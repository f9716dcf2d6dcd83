import { DEATH } from "../catalogue/texts.ts";
import type { CallEnd, CellCall, Unloading } from "./call-end.ts";
import type { Pending } from "./in-flight.ts";

/** What unloading needs of the cell that it happens in. */
interface UnloadParts {
  readonly unloadMs: number;
  unloading(tool: string): Unloading;
  /** Asks the cell to run a tool's `unload`; `settle` is called once, however that ends. */
  ask(tool: string, call: CellCall, settle: (end: CallEnd) => void): Pending;
  settle(pending: Pending, end: CallEnd): void;
}

/** Runs the `unload` of every one of these tools, all at once. Resolves when each has ended, at the latest after `unloadMs`. */
export async function unloadTools(tools: readonly string[], parts: UnloadParts): Promise<void> {
  if (tools.length === 0) return;
  const unloads = tools.map((tool) => unloadTool(tool, parts));
  const overdue = setTimeout(() => {
    for (const { pending } of unloads) parts.settle(pending, toOverdue(parts.unloadMs));
  }, parts.unloadMs);
  await Promise.all(unloads.map(({ done }) => done));
  clearTimeout(overdue);
}

function unloadTool(tool: string, parts: UnloadParts): { readonly pending: Pending; readonly done: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unloading = parts.unloading(tool);
  const pending = parts.ask(tool, unloading.call, (end) => {
    if (end.kind === "failure") unloading.onFault(end.failure.message, end.failure.stack);
    else if (end.kind === "ended") unloading.onFault(end.message, end.detail);
    else if (end.kind === "unstarted") unloading.onFault(DEATH.unloadUnheard, null);
    unloading.onEnd();
    resolve();
  });
  return { pending, done: promise };
}

function toOverdue(ms: number): CallEnd {
  const meter = { cpuMicros: 0, heapBytes: 0 };
  return { kind: "ended", code: "CALL_TIMEOUT", message: DEATH.unloadOverdue(ms), started: true, meter, detail: null };
}
