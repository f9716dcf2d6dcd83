import { DEATH } from "../catalogue/texts.ts";
import type { Cause, Death } from "./cell-process.ts";

// What V8 writes before it gives a process up for want of memory, in each of its ways. (A heap or a single object that
// cannot grow, an array or a string of an impossible length, a table that cannot be resized.)
const MEMORY_SIGNS =
  /out of memory|OOM|heap limit|invalid (?:size|array|table|string) |Allocation failed|Fatal JavaScript invalid|bad_alloc/i;

// A process that dies of itself with a heap this full has died of that, whatever it had time to say.
const FULL_HEAP_SHARE = 0.75;

/** What a cell's end means for the calls that it took with it. Told from who killed it, its signal, its last words and its heap. */
export function causeOf(death: Death, heapShare: number): Cause {
  switch (death.killedFor) {
    case "memory":
      return { code: "MEMORY_LIMIT", message: DEATH.memory };
    case "stuck":
      return { code: "CELL_CRASHED", message: DEATH.neighbour };
    case "protocol":
      return { code: "CELL_CRASHED", message: DEATH.protocol };
    case "shared":
      return { code: "CELL_CRASHED", message: DEATH.shared };
    case "closed":
    case "done":
      return { code: "CANCELLED", message: DEATH.closed };
    case "start":
      return { code: "START_TIMEOUT", message: DEATH.start };
    case null:
      if (death.known !== undefined) return death.known;
      return MEMORY_SIGNS.test(death.stderr) || (heapShare >= FULL_HEAP_SHARE && death.signal !== "SIGKILL")
        ? { code: "MEMORY_LIMIT", message: DEATH.memory }
        : { code: "CELL_CRASHED", message: DEATH.crash(death.signal ?? `exit code ${death.exitCode ?? "unknown"}`) };
  }
}

// Between the end of a process and the host's hearing of it.
const DEAD_ALREADY_MS = 100;

/**
 * Whether a process was ended from outside before anything was heard of a call that had just been sent to it. What a cell does,
 * it does through the host: such a call has done nothing. Where it was ended for what another capability did, nor has a module
 * that was being loaded.
 */
export function hadNotBegun(
  { call, frames, since }: { readonly call: unknown; readonly frames: number; readonly since: number },
  { killedFor, signal, at = performance.now() }: Death,
): boolean {
  if (killedFor === "shared" && call === null) return true;
  const isFromOutside = killedFor === "shared" || (killedFor === null && signal === "SIGKILL");
  return isFromOutside && frames === 0 && at - since < DEAD_ALREADY_MS;
}
