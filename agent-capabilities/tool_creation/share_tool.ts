import type { ToolContext, ToolResult } from "toolcell/tool";
import { make } from "./_maker.ts";

export const NAME = "share_tool";
export const DESCRIPTION =
  "Share one of your own tools with every other agent: its module is copied to where all of them find it. " +
  "Give the module's name. A shared tool is never replaced.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: { tool_name: { type: "string", description: "The module's name, such as my_tool." } },
  required: ["tool_name"],
  additionalProperties: false,
};

export async function run(_context: ToolContext, args: { tool_name: string }): Promise<ToolResult> {
  const made = (await make("share", args)) as { name: string; tools: string[] };
  const summary = `Shared "${made.name}"`;
  return { text: `${summary}. Other agents can call ${made.tools.join(", ")} now.`, summary, payload: made };
}
