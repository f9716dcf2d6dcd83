/**
 * Every code an outcome can carry, once. Callers branch on these, never on text; a code is never given
 * another meaning and never reused. `docs/errors.md` is held to this table by a test.
 */
export const CODES = {
  UNKNOWN_TOOL: { phase: "lookup", means: "No enabled capability has a tool of this name", act: "Call one of the tools listed" },
  INVALID_ARGUMENTS: {
    phase: "validate",
    means: "The arguments do not fit the tool's INPUT_SCHEMA, or are no JSON object",
    act: "Correct every fault listed and call again",
  },
  BUSY: { phase: "queue", means: "The capability's queue is full", act: "Call again later" },
  QUEUE_TIMEOUT: {
    phase: "queue",
    means: "The call waited its whole time behind others and was never sent to the cell",
    act: "Call again later",
  },
  QUARANTINED: {
    phase: "start",
    means: "The capability crashed too often and is kept off for a while",
    act: "Wait, or repair the capability",
  },
  START_TIMEOUT: {
    phase: "start",
    means: "The cell did not start, or did not load the tool, in time",
    act: "Call again; if it stays so, look at the owner's log",
  },
  LOAD_FAILED: { phase: "start", means: "The tool's code could not be bundled or loaded", act: "Repair the capability" },
  TOOL_ERROR: { phase: "run", means: "The tool refused with a ToolError: its own words", act: "Do as the message says" },
  TOOL_EXCEPTION: {
    phase: "run",
    means: "The tool threw something it did not mean to",
    act: "Try other arguments; the owner's log has the stack",
  },
  CALL_TIMEOUT: { phase: "run", means: "The call's deadline passed", act: "Ask for less, or allow more time" },
  CPU_LIMIT: { phase: "run", means: "One turn of the tool computed longer than `cpuMs`", act: "Ask for less at a time" },
  MEMORY_LIMIT: { phase: "run", means: "The cell outgrew `memoryBytes`", act: "Ask for less at a time" },
  POWER_LIMIT: { phase: "run", means: "A power was used past its limit", act: "Ask for less at a time" },
  PERMISSION_DENIED: { phase: "run", means: "A power was used that the owner has not granted", act: "Ask the owner for the grant" },
  CELL_CRASHED: {
    phase: "run",
    means: "The cell's process ended without having reached a limit",
    act: "Call again; if it stays so, repair the capability",
  },
  CANCELLED: { phase: "run", means: "The caller gave up the call", act: "Nothing, if it was meant" },
  BAD_RESULT: {
    phase: "result",
    means: "What the tool returned is no result: too large, too deep, or not JSON",
    act: "Return less, in pages, or a plain value",
  },
} as const satisfies Record<string, { phase: Phase; means: string; act: string }>;

export type Code = keyof typeof CODES;

/** Where in its path a call ended. */
export type Phase = "lookup" | "validate" | "queue" | "start" | "run" | "result";
