import { tool } from "@langchain/core/tools";
import { z } from "zod";

const SERVICE = "http://127.0.0.1:8767/counters";

/** An ordinary LangChain tool: nothing in it knows of toolcell. */
export const read_fabric_counters = tool(
  async ({ node }) => {
    const response = await fetch(`${SERVICE}?node=${encodeURIComponent(node)}`, { signal: AbortSignal.timeout(30_000) });
    // An error that a model can act on is a text and no exception.
    if (!response.ok) return `Error: no node "${node}" can be reached. Name it as it stands in the list of runs.`;
    const counters = await response.json();
    return Object.entries(counters)
      .map(([name, value]) => `${name}=${value}`)
      .join("\n");
  },
  {
    name: "read_fabric_counters",
    description:
      "Read the fabric performance counters for one node.\n\n" +
      "Returns one counter per line as `name=value`, or a line beginning with `Error:` if the node is unreachable.",
    schema: z.object({
      node: z.string().min(1).describe("Hostname of the node to read, as it appears in the list of runs."),
    }),
  },
);
