import type { Death } from "./cell-process.ts";

/** What an engine is told of its cells. */
export interface CellsEvents {
  onStart?(capability: string): void;
  onDeath(capability: string, death: Death): void;
  /** A wall that is there and does not work, and that no policy requires: cells start without it. */
  onWeaker?(message: string): void;
  /** What a trusted capability writes to its stdout and stderr. */
  onLine?(capability: string, level: "info" | "warn", line: string): void;
  /** A capability that crashed too often is kept off for so long. */
  onQuarantine?(capability: string, ms: number): void;
}
