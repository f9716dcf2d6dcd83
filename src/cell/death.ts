import type { Code } from "../catalogue/codes.ts";
import { DEATH } from "../catalogue/texts.ts";
import type { Death } from "./keeper-process.ts";

export interface Cause {
  readonly code: Code;
  readonly message: string;
}

// What V8 writes before it gives a process up for want of memory, in each of its ways. (A heap or a single object that
// cannot grow, an array or a string of an impossible length, a table that cannot be resized.)
const MEMORY_SIGNS =
  /out of memory|OOM|heap limit|invalid (?:size|array|table|string) |Allocation failed|Fatal JavaScript invalid|bad_alloc/i;

/** What a cell's end means for the calls that it took with it. Told from who killed it, its signal and its last words. */
export function causeOf(death: Death): Cause {
  switch (death.killedFor) {
    case "memory":
      return { code: "MEMORY_LIMIT", message: DEATH.memory };
    case "stuck":
      return { code: "CELL_CRASHED", message: DEATH.neighbour };
    case "protocol":
      return { code: "CELL_CRASHED", message: DEATH.protocol };
    case "closed":
    case "done":
      return { code: "CANCELLED", message: DEATH.closed };
    case "start":
      return { code: "START_TIMEOUT", message: DEATH.start };
    case null:
      return MEMORY_SIGNS.test(death.stderr)
        ? { code: "MEMORY_LIMIT", message: DEATH.memory }
        : { code: "CELL_CRASHED", message: DEATH.crash(death.signal ?? `exit code ${death.exitCode ?? "unknown"}`) };
  }
}
