import { isJsonObject, type Json } from "../catalogue/json.ts";
import type { Listed, ListedTool } from "./adapted.ts";

/** A listing as it comes out of a cell, or null where it is not in the form of one. */
export function toListed(payload: unknown): Listed | null {
  if (!isJsonObject(payload) || !Array.isArray(payload["tools"]) || !Array.isArray(payload["faults"])) return null;
  const tools: ListedTool[] = [];
  for (const tool of payload["tools"] as readonly Json[]) {
    if (!isJsonObject(tool)) return null;
    const { name, description, inputSchema, profile = null } = tool;
    if (typeof name !== "string" || typeof description !== "string" || inputSchema === undefined) return null;
    tools.push({ name, description, inputSchema, profile });
  }
  const faults = (payload["faults"] as readonly Json[]).map((fault) => (isJsonObject(fault) ? fault : {}));
  return {
    tools,
    faults: faults.map(({ name, reason }) => ({
      name: typeof name === "string" ? name : null,
      reason: typeof reason === "string" ? reason : "",
    })),
    hasCli: payload["hasCli"] === true,
  };
}
