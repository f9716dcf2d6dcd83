import type { GuestConfig } from "../bridge/messages.ts";
import type { Unloading } from "./call-end.ts";
import type { CellLimits } from "./limits.ts";

/** What a capability's cell is made of. */
export interface CellPlan {
  readonly capability: string;
  readonly runtime: "isolate" | "worker";
  /** Isolates of the same trust may share a process; null for one that has a process of its own. */
  readonly trust: string | null;
  /** The same for plans that may share a cell: one capability's, of the same code and the same limits. */
  id(): string;
  /** The engine's limits, lowered by the capability's own. */
  readonly limits: CellLimits;
  /** What the cell that starts now is told. */
  config(): Promise<Omit<GuestConfig, "memoryBytes" | "cpuMs" | "residentBytes">>;
  bundle(): Promise<string>;
  /** How a tool's `unload` is run before a planned end of the cell. */
  unloading(tool: string): Unloading;
}
