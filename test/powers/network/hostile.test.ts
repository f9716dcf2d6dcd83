import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "../../../src/catalogue/json.ts";
import { makeNetwork, serve, serveRaw } from "./a-network.ts";

test("only http: and https: are fetched", async () => {
  await using network = makeNetwork();
  const call = network.call(["public", "etc", "localhost"]);
  for (const url of [
    "file:///etc/passwd",
    "data:text/plain,x",
    "blob:https://a/b",
    "ftp://a.com/",
    "gopher://a.com/",
    "ws://a.com/",
    "wss://a.com/",
    "unix:/run/docker.sock",
    "javascript:1",
  ])
    await assert.rejects(call.fetch(url), { code: "PERMISSION_DENIED" }, url);
  for (const url of ["", "/path", "http://", "https://[::1", "http://a.com:99999/", "nonsense"])
    await assert.rejects(call.fetch(url), { code: "ERR_INVALID_URL" }, url);
});

test("line breaks and NUL in a URL, a method, a header's name or value are refused", async () => {
  await using server = await serve((_request, response) => response.end());
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  for (const url of [`${server.url}\r\nHost: evil`, `${server.url}a\tb`, `${server.url}\u0000`, `\n${server.url}`])
    await assert.rejects(call.fetch(url), { code: "PERMISSION_DENIED" });
  for (const header of [
    ["x\r\ny", "1"],
    ["x y", "1"],
    ["", "1"],
    ["x:", "1"],
    ["x", "a\r\nb"],
    ["x", "a\u0000"],
    ["x", "a\nb"],
    ["x", "\u0100"],
  ] as const)
    await assert.rejects(call.fetch(server.url, { headers: [header] }), { code: "PERMISSION_DENIED" }, JSON.stringify(header));
  for (const method of ["CONNECT", "TRACE", "TRACK", "get", "GET\r\n", "PROPFIND", "", "GET /x HTTP/1.1"])
    await assert.rejects(call.fetch(server.url, { method }), { code: "PERMISSION_DENIED" }, method);
  assert.equal(server.requests.length, 0);
});

test("headers of the connection, of proxies and of cookies are not a tool's to set, in any case of letters", async () => {
  await using server = await serve((_request, response) => response.end());
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const names =
    "Host CONNECTION transfer-encoding Content-Length content-LENGTH keep-alive TE trailer upgrade Proxy-Authorization proxy-x Cookie set-cookie expect";
  for (const name of names.split(" ")) {
    await assert.rejects(call.fetch(server.url, { headers: [[name, "1"]] }), {
      message: `The header \`${name.toLowerCase()}\` is not a tool's to set: leave it out`,
    });
  }
  await assert.rejects(call.fetch(server.url, { body: Buffer.from("x") }), { code: "PERMISSION_DENIED" });
  assert.equal(server.requests.length, 0);
});

test("arguments of the wrong type are refused and none is coerced", async () => {
  await using network = makeNetwork();
  const call = network.call(["public"]);
  const right: JsonObject = { id: 1, url: "https://a.com/", method: "GET", headers: [], redirect: "follow" };
  const wrong: JsonObject[] = [
    { id: "1" },
    { id: -1 },
    { id: 0.5 },
    { id: null },
    { url: 1 },
    { url: ["https://a.com/"] },
    { url: { href: "x" } },
    { method: 1 },
    { method: ["GET"] },
    { headers: {} },
    { headers: ["a"] },
    { headers: [["a"]] },
    { headers: [["a", 1]] },
    { headers: [["a", "b", "c"]] },
    { headers: [[["a"], "b"]] },
    { headers: null },
    { redirect: "no" },
    { redirect: 1 },
    { redirect: null },
  ];
  for (const part of wrong)
    await assert.rejects(call.perform("fetch", { ...right, ...part }), { code: "ERR_INVALID_ARG_VALUE" }, JSON.stringify(part));
  for (const op of ["__proto__", "constructor", "then", "toString", ""])
    await assert.rejects(call.perform(op, right), { code: "POWER_FAILED" }, op);
  await assert.rejects(call.perform("read", { id: "1" }), { code: "ERR_INVALID_ARG_VALUE" });
});

test("a body that ends before its length, before its last chunk or inside its compression is truncated, not short", async () => {
  const zipped = gzipSync("x".repeat(10_000)).subarray(0, 30);
  const answers: Readonly<Record<string, string | Buffer>> = {
    "/length": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    "/chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    "/byte": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\n\u001f",
    "/zip": Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`), zipped]),
  };
  await using server = await serveRaw((socket) => {
    socket.once("data", (data) => socket.end(answers[/ (\S+)/u.exec(data.toString())?.[1] ?? ""] ?? ""));
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  for (const path of ["length", "chunks", "byte", "zip"])
    await assert.rejects(call.text(server.url + path), { code: "ECONNRESET", message: /truncated/u }, path);
  await assert.rejects(call.text(`${server.url}nothing`), { code: "ECONNRESET", message: /before it answered/u });
  call.end();
  await server.idle();
});

test("a connection that is reset half way is truncated", async () => {
  await using server = await serveRaw((socket) => {
    socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf", () => socket.resetAndDestroy()));
  });
  await using network = makeNetwork();
  await assert.rejects(network.call([server.entry]).text(server.url), { code: "ECONNRESET" });
});

test("an answer that is no HTTP, or that smuggles, is a failure", async () => {
  const answers = [
    "SSH-2.0-OpenSSH_9.6\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nA: b\u0000c\r\nContent-Length: 0\r\n\r\n",
  ];
  let next = 0;
  await using server = await serveRaw((socket) => {
    socket.once("data", () => {
      socket.end(answers[next] ?? "");
      next += 1;
    });
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  for (const answer of answers) await assert.rejects(call.text(server.url), { code: /^(?:EPROTO|ECONNRESET)$/u }, answer);
});

test("what is said to be compressed and is not cannot be decoded", async () => {
  await using server = await serve((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("this is no gzip"));
  await using network = makeNetwork();
  await assert.rejects(network.call([server.entry]).text(server.url), { code: "Z_DATA_ERROR" });
});

test("headers of an answer named like an object's own parts are data", async () => {
  await using server = await serveRaw((socket) => {
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\nContent-Length: 0\r\n\r\n"));
  });
  await using network = makeNetwork();
  const { head } = await network.call([server.entry]).fetch(server.url);
  assert.deepEqual(head.headers.slice(0, 2), [
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
});
