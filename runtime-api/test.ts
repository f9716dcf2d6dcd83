/**
 * What the tests of a capability import: `import { assert, call, test } from "toolcell/test"`. They stand in `*.test.ts`
 * beside the tools, or in `test/`, and run sealed: `toolcell test <folder>`.
 */
import type { ToolImage } from "./types.ts";

export { assert, type Assert } from "./assert.ts";

/** What every call ends in. */
export interface ToolOutcome {
  readonly ok: boolean;
  readonly tool: string;
  readonly capability: string | null;
  /** What the model reads. */
  readonly text: string;
  readonly summary: string | null;
  readonly payload: unknown;
  readonly images: readonly ToolImage[];
  /** What the host did for the call. */
  readonly effects: readonly { readonly power: string; readonly target: string; readonly state: "done" | "refused" | "unknown" }[];
  readonly trimmed: { readonly shown: number; readonly total: number } | null;
  readonly error: {
    /** Such as `INVALID_ARGUMENTS`, `TOOL_ERROR`, `PERMISSION_DENIED`. */
    readonly code: string;
    readonly message: string;
    readonly retrySafe: boolean;
  } | null;
}

interface Declared {
  readonly name: string;
  readonly run: () => unknown;
}

/** While a file is loaded: what it declares. */
let declaring: Declared[] | null = null;

/** Declares a test. It has passed once `run` has ended without throwing. */
export function test(name: string, run: () => unknown): void {
  if (declaring === null) throw new Error("`test` declares tests while `toolcell test` loads their file, and nowhere else");
  declaring.push({ name: String(name), run });
}

/** Calls a tool as an agent does: its arguments are checked, and it runs in the cell of its capability, with what that is granted. */
export async function call(tool: string, args: object = {}): Promise<ToolOutcome> {
  if (typeof __toolcell === "undefined") throw new Error("`call` calls tools where `toolcell test` runs it, and nowhere else");
  return await __toolcell.callTool(tool, args);
}

/** @internal The tests of a file. */
export async function loadTests(load: () => Promise<unknown>): Promise<readonly Declared[]> {
  const tests: Declared[] = (declaring = []);
  try {
    await load();
    return tests;
  } finally {
    declaring = null;
  }
}

/** The guest's runtime, in a cell. */
declare const __toolcell: { callTool(tool: string, args: object): Promise<ToolOutcome> } | undefined;
