import type { ToolContext, ToolResult } from "toolcell/tool";
import { make } from "./_maker.ts";

export const NAME = "write_tool";
export const DESCRIPTION =
  "Write a tool of your own, a TypeScript module, and use it at once.\n" +
  "The module exports getToolSchemas(), which returns [{ name, description, input_schema }] with names in the form " +
  "{tool_name}_{action}, and dispatch(name, args), which does what each of them says and returns its result. " +
  "It is checked first: nothing is saved unless it would be taken. " +
  "Its tools can be called at once.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    tool_name: { type: "string", description: "The module's name: lower-case letters, digits and _, such as my_tool." },
    code: { type: "string", description: "The whole TypeScript module." },
    overwrite: { type: "boolean", description: "True to replace a tool of yours that has this name.", default: false },
  },
  required: ["tool_name", "code"],
  additionalProperties: false,
};

export async function run(_context: ToolContext, args: { tool_name: string; code: string; overwrite: boolean }): Promise<ToolResult> {
  const made = (await make("write", args)) as { name: string; tools: string[]; replaced: boolean };
  const summary = `${made.replaced ? "Replaced" : "Wrote"} "${made.name}"`;
  return { text: `${summary}. It can be called now: ${made.tools.join(", ")}.`, summary, payload: made };
}
