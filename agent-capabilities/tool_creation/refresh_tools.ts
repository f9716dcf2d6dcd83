import type { ToolResult } from "toolcell/tool";
import { make } from "./_maker.ts";

interface Refreshed {
  readonly tools: readonly { readonly name: string; readonly source: string }[];
  readonly skipped: readonly { readonly source: string; readonly name: string; readonly reason: string }[];
}

export const NAME = "refresh_tools";
export const DESCRIPTION =
  "Read the folders of your own and of shared tools again, and list what can be called now and what was not taken, with its reason. " +
  "It takes no arguments.";
export const INPUT_SCHEMA = { type: "object", properties: {}, additionalProperties: false };

export async function run(): Promise<ToolResult> {
  const { tools, skipped } = (await make("refresh", {})) as Refreshed;
  const summary = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  const lines = [
    tools.length === 0 ? "There are no tools of your own, and no shared ones." : `There ${tools.length === 1 ? "is" : "are"} ${summary}:`,
    ...tools.map(({ name, source }) => `${name}  [${source}]`),
    ...(skipped.length === 0 ? [] : ["Not taken:", ...skipped.map(({ source, name, reason }) => `${source}/${name}: ${reason}`)]),
  ];
  return { text: lines.join("\n"), summary, payload: { tools, skipped } };
}
