import { createServer, type Server } from "node:http";

// Stands for what reads a node's counters: knows one node.
const COUNTERS: Readonly<Record<string, object>> = {
  node7: { link_0_tx_bytes: 1_048_576, link_0_rx_bytes: 524_288, link_0_crc_errors: 0 },
};

/** Listens on loopback; resolves once it does. */
export async function startFabricService(port = 8767): Promise<Server> {
  const server = createServer((request, response) => {
    const node = new URL(request.url ?? "/", "http://localhost").searchParams.get("node") ?? "";
    const counters = Object.hasOwn(COUNTERS, node) ? COUNTERS[node] : undefined;
    response
      .writeHead(counters === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(counters ?? { node }));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
