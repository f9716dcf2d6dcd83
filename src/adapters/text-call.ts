import { OUTCOME, PROTOCOL } from "../catalogue/texts.ts";
import type { CallOptions } from "../engine/call-options.ts";
import { cleanLine } from "../engine/clean.ts";

/** What the calls of a set of definitions have in common. */
export type DefinitionOptions = Pick<CallOptions, "timeoutMs" | "idleMs" | "resultLimit" | "caller">;

/** Calls a tool for a library: resolves with what the model reads, whatever became of it. Never rejects. */
export type TextCall = (tool: string, args: unknown, options: CallOptions) => Promise<string>;

/** `engine.call` as a library may have it: a rejection of its own would end the library's loop instead of reaching the model. */
export function toTextCall(
  call: (tool: string, args: unknown, options: CallOptions) => Promise<{ readonly text: string }>,
  shared: DefinitionOptions,
): TextCall {
  return async (tool, args, options) => {
    try {
      const { text } = await call(tool, args, { ...shared, ...definedOf(options) });
      return text;
    } catch (error) {
      // A closed engine and options that are none are said in our words; anything else may name what a model must not read.
      const isOurs = error instanceof TypeError || error instanceof RangeError;
      return OUTCOME.failed(tool, isOurs ? cleanLine(error.message, 200) : PROTOCOL.notCalled, false);
    }
  };
}

// What a library leaves out must not undo what the embedder has set.
function definedOf(options: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
