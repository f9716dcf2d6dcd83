import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";

// Stands for the service of `myapi` on this machine: wants a key, finds titles, and keeps what it is sent.
const KEY = "a-key-for-the-example";
const TITLES = ["Search terms and how to choose them", "A search term a day", "Searching without terms"];

/** Listens on loopback; resolves once it does. */
export async function startMyApiService(port = 8766): Promise<Server> {
  const kept: unknown[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (request.headers.authorization !== `Bearer ${KEY}`) return answer(401, { status: 401 });
    if (pathname === "/search") {
      const found = TITLES.filter((title) => title.toLowerCase().includes((searchParams.get("q") ?? "").toLowerCase()));
      return answer(200, { results: found.slice(0, Number(searchParams.get("limit"))).map((title) => ({ title })) });
    }
    if (pathname !== "/data" || request.method !== "POST") return answer(404, { status: 404 });
    json(request).then(
      (body) => answer(200, { id: kept.push(body) }),
      () => answer(400, { status: 400 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}
