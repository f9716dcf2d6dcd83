import { join } from "node:path";
import type { Side, Starter } from "../side.ts";
import { needBaselines } from "./install.ts";

// As far as it is used here; the SDK itself may not be installed.
interface Client {
  connect(transport: Transport): Promise<void>;
  callTool(request: { name: string; arguments: object }): Promise<{ content: { text: string }[] }>;
  close(): Promise<void>;
}
interface Transport {
  readonly pid: number | null;
}
interface Sdk {
  readonly Client: new (info: { name: string; version: string }) => Client;
  readonly StdioClientTransport: new (server: { command: string; args: string[] }) => Transport;
}

/** A client and a server of the official SDK, over stdio. */
export const mcp: Starter = { name: "MCP over stdio", start: startMcp };

export interface McpSide extends Side {
  spin(ms: number): Promise<void>;
}

export async function startMcp(): Promise<McpSide> {
  needBaselines();
  const sdk = {
    ...((await import(SDK + "client/index.js")) as object),
    ...((await import(SDK + "client/stdio.js")) as object),
  } as Sdk;
  const transport = new sdk.StdioClientTransport({ command: process.execPath, args: [join(import.meta.dirname, "mcp-server.js")] });
  const client = new sdk.Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return {
    name: mcp.name,
    echo: async (args) => (await client.callTool({ name: "echo", arguments: args })).content[0]?.text ?? "",
    spin: async (ms) => void (await client.callTool({ name: "spin", arguments: { ms } })),
    pids: () => (transport.pid === null ? [] : [transport.pid]),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const SDK = "@modelcontextprotocol/sdk/";
