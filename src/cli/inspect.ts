import { close, open, url, waitForDebugger } from "node:inspector";
import { CLI } from "../catalogue/texts.ts";
import type { EngineOptions } from "../engine/options.ts";
import type { ToolEntry } from "../engine/listing.ts";
import { LIMITS } from "../engine/limits.ts";
import { UsageError } from "./command-line.ts";

/** Limits under which a person may stand at a breakpoint for as long as it takes. */
export const UNHURRIED: EngineOptions["limits"] = {
  callMs: LIMITS.callMs.max,
  cpuMs: LIMITS.cpuMs.max,
  startMs: LIMITS.startMs.max,
  graceMs: LIMITS.graceMs.max,
};

/**
 * Opens a debugger's port on the loopback for a tool of the worker runtime, and waits until one is there; it sees the tool's
 * thread as a target of its own. A sealed tool has no inspector: whoever could reach that would be in the cell. Throws UsageError.
 */
export function waitForInspector(tool: ToolEntry | undefined, port: number): Disposable {
  if (tool?.runtime !== "worker") throw new UsageError(CLI.notInspected);
  open(port, "127.0.0.1");
  process.stderr.write(`${CLI.inspecting(url() ?? "")}\n`);
  waitForDebugger();
  return { [Symbol.dispose]: close };
}
