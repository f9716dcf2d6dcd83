import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

// A server as the SDK's own pages write one: a tool with a schema, which gives its text back, and one that computes.
const server = new McpServer({ name: "bench", version: "1.0.0" });
const toResult = (text) => ({ content: [{ type: "text", text }] });
server.registerTool("echo", { description: "Gives its text back.", inputSchema: { text: z.string() } }, async ({ text }) => toResult(text));
server.registerTool("spin", { description: "Computes.", inputSchema: { ms: z.number() } }, async ({ ms }) => {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return toResult("done");
});
await server.connect(new StdioServerTransport());
