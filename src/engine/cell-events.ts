import { OUTCOME } from "../catalogue/texts.ts";
import type { CellsEvents } from "../cell/cells-events.ts";
import type { Death } from "../cell/cell-process.ts";
import { cleanLine } from "./clean.ts";
import type { Listeners } from "./events.ts";
import type { Log } from "./log.ts";

/** Tells the owner's log and whoever listens of something that does not work as it should. */
export type Trouble = (message: string, error?: unknown) => void;

export function createTrouble(log: Log, listeners: Listeners): Trouble {
  return (message, error) => {
    log("warn", message, error instanceof Error ? { detail: error.stack ?? error.message } : {});
    listeners.emit("trouble", { message });
  };
}

/** What becomes of cells, for the owner's log and for whoever listens. */
export function createCellEvents(log: Log, listeners: Listeners, trouble: Trouble, logChars: number): CellsEvents {
  function onDeath(capability: string, { killedFor, signal, exitCode, stderr }: Death): void {
    if (killedFor === "closed") return;
    if (killedFor === "done") return listeners.emit("stopped", { capability });
    const how = killedFor ?? signal ?? `exit code ${exitCode ?? "unknown"}`;
    log("warn", OUTCOME.cellEnded(capability, how), { capability, detail: stderr });
    listeners.emit("crashed", { capability, how });
  }

  return {
    onStart: (capability) => listeners.emit("started", { capability }),
    onDeath,
    onQuarantine: (capability, ms) => {
      log("warn", OUTCOME.quarantined(capability, ms), { capability });
      listeners.emit("quarantined", { capability, ms });
    },
    onLine: (capability, level, line) => log(level, cleanLine(line, logChars), { capability }),
    // A way around a cell that stopped working is told, never taken in silence.
    onWeaker: (message) => trouble(message),
  };
}
