import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { NetworkLimits } from "../../../src/powers/network/limits.ts";
import { LIMIT_VALUES, makeNetwork, serve, serveRaw } from "./a-network.ts";

const limitError = (name: keyof NetworkLimits): { code: string; message: RegExp } => ({
  code: "POWER_LIMIT",
  message: new RegExp(name, "u"),
});

test("fetchMs ends a server that answers a byte at a time, one that never answers, and one that never ends its head", async () => {
  await using server = await serveRaw((socket) => {
    socket.once("data", (data) => {
      if (data.includes("/silent")) return;
      socket.write(data.includes("/head") ? "HTTP/1.1 200 OK\r\nA: b\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
  });
  await using network = makeNetwork({ limits: { fetchMs: 150 } });
  const call = network.call([server.entry]);
  for (const path of ["body", "head", "silent"]) await assert.rejects(call.text(server.url + path), limitError("fetchMs"), path);
  await server.idle();
});

test("fetchMs ends a name server and a connection that do not answer", async () => {
  await using network = makeNetwork({ limits: { fetchMs: 100 }, resolve: () => new Promise(() => undefined) });
  await assert.rejects(network.call(["slow.example"]).fetch("https://slow.example/"), limitError("fetchMs"));
});

test("fetchBytes bounds what an answer unpacks to, at the limit and over it", async () => {
  const bomb = gzipSync(Buffer.alloc(50 << 20));
  const brotli = brotliCompressSync(Buffer.alloc(50 << 20));
  await using server = await serve((request, response) => {
    const size = Number(request.url?.slice(1));
    if (request.url === "/gzip") response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    else if (request.url === "/br") response.writeHead(200, { "content-encoding": "br" }).end(brotli);
    else response.end(Buffer.alloc(size));
  });
  await using network = makeNetwork({ limits: { fetchBytes: 100_000 } });
  const call = network.call([server.entry]);
  assert.equal((await call.text(`${server.url}100000`)).body.length, 100_000);
  for (const path of ["100001", "gzip", "br"]) await assert.rejects(call.text(server.url + path), limitError("fetchBytes"), path);
  call.end();
  await server.idle();
});

test("fetchBytes ends a compressed body that never yields a byte", async () => {
  // A gzip stream of empty stored blocks.
  const empty = Buffer.from("0000ffff".repeat(4096).replaceAll("0000ffff", "000000ffff"), "hex");
  await using server = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.write(Buffer.from("1f8b08000000000000ff", "hex"));
    const more = (): void => {
      while (response.write(empty));
      response.once("drain", more);
    };
    more();
  });
  await using network = makeNetwork({ limits: { fetchBytes: 1 << 20 } });
  await assert.rejects(network.call([server.entry]).text(server.url), limitError("fetchBytes"));
});

test("fetchBodyBytes bounds a request's body, at the limit and over it", async () => {
  await using server = await serve((request, response) => void request.resume().on("end", () => response.end()));
  await using network = makeNetwork({ limits: { fetchBodyBytes: 100 } });
  const call = network.call([server.entry]);
  assert.equal((await call.fetch(server.url, { method: "POST", body: Buffer.alloc(100) })).head.status, 200);
  await assert.rejects(call.fetch(server.url, { method: "POST", body: Buffer.alloc(101) }), limitError("fetchBodyBytes"));
  assert.equal(server.requests.length, 1);
});

test("fetchCount bounds a call's requests, for each call anew", async () => {
  await using server = await serve((_request, response) => response.end());
  await using network = makeNetwork({ limits: { fetchCount: 2 } });
  for (const call of [network.call([server.entry]), network.call([server.entry])]) {
    for (let count = 0; count < 2; count += 1) await call.text(server.url);
    await assert.rejects(call.fetch(server.url), limitError("fetchCount"));
  }
});

test("fetchInFlightCount bounds a capability's open answers over all its calls, and reading one makes room", async () => {
  await using server = await serve((_request, response) => {
    response.write("begun");
    response.end(Buffer.alloc(200_000));
  });
  await using network = makeNetwork({ limits: { fetchInFlightCount: 2 } });
  const [one, two, other] = [network.call([server.entry]), network.call([server.entry]), network.call([server.entry], "other")];
  const { head } = await one.fetch(server.url);
  await two.fetch(server.url);
  await assert.rejects(one.fetch(server.url), limitError("fetchInFlightCount"));
  assert.equal((await other.fetch(server.url)).head.status, 200);
  await one.readAll(head.id);
  assert.equal((await one.fetch(server.url)).head.status, 200);
  two.end();
  assert.equal((await one.fetch(server.url)).head.status, 200);
});

test("ten thousand parallel requests are refused past the limit, and the rest are answered", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  await using network = makeNetwork({ limits: { fetchCount: 100_000 } });
  const call = network.call([server.entry]);
  const settled = await Promise.allSettled(Array.from({ length: 10_000 }, () => call.text(server.url)));
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, LIMIT_VALUES.fetchInFlightCount);
  call.end();
  await server.idle();
});

test("fetchRatePerMinuteCount bounds a capability over all its calls, redirects counted, and no other capability", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/on") response.writeHead(302, { location: "/" }).end();
    else response.end();
  });
  await using network = makeNetwork({ limits: { fetchRatePerMinuteCount: 3 } });
  await network.call([server.entry]).text(`${server.url}on`);
  const call = network.call([server.entry]);
  await call.text(server.url);
  await assert.rejects(call.fetch(server.url), limitError("fetchRatePerMinuteCount"));
  assert.equal((await network.call([server.entry], "other").fetch(server.url)).head.status, 200);
});

test("fetchRedirectCount, fetchUrlChars and the counts of headers bound at their value and over it", async () => {
  await using server = await serve((request, response) => {
    const left = Number(/^\/hop(\d+)/u.exec(request.url ?? "")?.[1] ?? 0);
    if (left > 0) response.writeHead(302, { location: `/hop${left - 1}` });
    response.end();
  });
  await using network = makeNetwork({ limits: { fetchRedirectCount: 2, fetchUrlChars: 100, fetchHeaderCount: 5, fetchHeaderBytes: 600 } });
  const call = network.call([server.entry]);
  assert.equal((await call.fetch(`${server.url}hop2`)).head.redirected, true);
  await assert.rejects(call.fetch(`${server.url}hop3`), { code: "ERR_TOO_MANY_REDIRECTS", message: /fetchRedirectCount/u });
  assert.equal((await call.fetch(server.url.padEnd(100, "x"))).head.status, 200);
  await assert.rejects(call.fetch(server.url.padEnd(101, "x")), { code: "ERR_INVALID_URL", message: /fetchUrlChars/u });
  const headers = (count: number): [string, string][] => Array.from({ length: count }, (_, at) => [`x-${at}`, "1"]);
  assert.equal((await call.fetch(server.url, { headers: headers(5) })).head.status, 200);
  await assert.rejects(call.fetch(server.url, { headers: headers(6) }), limitError("fetchHeaderCount"));
  assert.equal((await call.fetch(server.url, { headers: [["x", "y".repeat(599)]] })).head.status, 200);
  await assert.rejects(call.fetch(server.url, { headers: [["x", "y".repeat(600)]] }), limitError("fetchHeaderBytes"));
});

test("an answer with a hundred kilobytes of headers, or with ten thousand cookies, is refused", async () => {
  await using server = await serveRaw((socket) => {
    socket.once("data", (data) => {
      const lines = data.includes("/cookies") ? "Set-Cookie: a\r\n".repeat(1500) : `X: ${"y".repeat(100_000)}\r\n`;
      socket.end(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`);
    });
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  await assert.rejects(call.text(`${server.url}cookies`), limitError("fetchHeaderCount"));
  await assert.rejects(call.text(`${server.url}large`), limitError("fetchHeaderBytes"));
});
