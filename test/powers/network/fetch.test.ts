import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { bodyOf, makeNetwork, serve, serveRaw } from "./a-network.ts";

test("a request reaches a granted server, and a small answer comes whole with its head", async () => {
  await using server = await serve((request, response) => {
    response.writeHead(201, "Made", { "content-type": "text/plain", "set-cookie": "a=b", via: "1.1 inner-proxy", "x-real-ip": "10.0.0.7" });
    response.end(`${request.method} ${request.url}`);
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const { head, bytes } = await call.fetch(`${server.url}path?query=1#part`);
  assert.equal(bytes.toString(), "GET /path?query=1");
  assert.equal(head.status, 201);
  assert.equal(head.statusText, "Made");
  assert.equal(head.url, `${server.url}path?query=1`);
  assert.equal(head.done, true);
  const names = new Set(head.headers.map(([name]) => name));
  assert.ok(names.has("content-type"));
  for (const name of ["set-cookie", "connection", "keep-alive", "via", "x-real-ip", "transfer-encoding"]) assert.ok(!names.has(name), name);
  assert.deepEqual(call.effects, [{ target: `GET ${server.url}path`, changes: false, state: "done" }]);
});

test("a body is sent as it is, and an effect that changes something says so", async () => {
  await using server = await serve((request, response) => {
    void bodyOf(request).then((body) => response.end(JSON.stringify([request.method, request.headers, body.toString("hex")])));
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const { body } = await call.text(server.url, { method: "POST", headers: [["X-One", "1"]], body: Buffer.from([0, 255, 10]) });
  const [method, headers, hex] = JSON.parse(body) as [string, Record<string, string>, string];
  assert.deepEqual([method, hex], ["POST", "00ff0a"]);
  assert.equal(headers["x-one"], "1");
  assert.equal(headers["content-length"], "3");
  assert.equal(headers["user-agent"], "toolcell");
  assert.equal(headers["cookie"], undefined);
  assert.deepEqual(call.effects, [{ target: `POST ${server.url}`, changes: true, state: "done" }]);
});

test("a large body comes in parts as it is asked for, and a server that is not read from waits", async () => {
  const piece = Buffer.alloc(1 << 20, "x");
  let written = 0;
  await using server = await serve((_request, response) => {
    const more = (): void => {
      while (written < 24) {
        written += 1;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const { head } = await call.fetch(server.url);
  assert.equal(head.done, false);
  const first = await call.perform("read", { id: head.id });
  assert.ok((first.bytes?.length ?? 0) > 0);
  // Backpressure: the buffers of two sockets fill, and no more.
  assert.ok(written < 24, `${written} MiB were taken from the server for one part read`);
  const rest = await call.readAll(head.id);
  assert.equal(rest.length + (first.bytes?.length ?? 0), 24 << 20);
});

test("what is compressed is decoded", async () => {
  await using server = await serve((request, response) => {
    const coding = request.url === "/br" ? "br" : "gzip";
    response.writeHead(200, { "content-encoding": coding });
    response.end(coding === "br" ? brotliCompressSync("hello ".repeat(1000)) : gzipSync("hello ".repeat(1000)));
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  assert.equal((await call.text(`${server.url}gzip`)).body.length, 6000);
  assert.equal((await call.text(`${server.url}br`)).body.length, 6000);
});

test("an answer without a body is empty, whatever coding it names", async () => {
  await using server = await serve((request, response) => {
    const [, status = "200", coding = "gzip"] = /^\/(\d+)\/(\w+)/u.exec(request.url ?? "") ?? [];
    response.writeHead(Number(status), { "content-encoding": coding }).end();
  });
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  for (const [method, path] of [
    ["HEAD", "200/gzip"],
    ["HEAD", "200/br"],
    ["GET", "304/gzip"],
    ["GET", "204/br"],
    ["GET", "200/gzip"],
    ["GET", "200/br"],
  ] as const) {
    assert.equal((await call.text(server.url + path, { method })).body, "", `${method} ${path}`);
  }
});

test("an IPv6 address that is granted is reached, however it is written", async (context) => {
  const server = createServer((request, response) => response.end(request.headers.host));
  const hasIpv6 = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(0, "::1", () => resolve(true));
  });
  if (!hasIpv6) return context.skip("this machine has no IPv6");
  const { port } = server.address() as AddressInfo;
  await using network = makeNetwork();
  const call = network.call([`[0:0::1]:${port}`]);
  assert.equal((await call.text(`http://[::1]:${port}/`)).body, `[::1]:${port}`);
  await assert.rejects(call.fetch(`http://127.0.0.1:${port}/`), { code: "PERMISSION_DENIED" });
  call.end();
  await new Promise((resolve) => server.close(resolve));
});

test("a request is given up, and a call ends, while a name server does not answer", async () => {
  await using network = makeNetwork({ resolve: () => new Promise(() => undefined) });
  const call = network.call(["slow.example"]);
  const first = call.fetch("https://slow.example/", { id: 5 });
  await call.perform("cancel", { id: 5 });
  await assert.rejects(first, { code: "ABORT_ERR" });
  const second = call.fetch("https://slow.example/", { id: 6 });
  call.end();
  await assert.rejects(second, { code: "ABORT_ERR" });
  assert.ok(!process.getActiveResourcesInfo().includes("Timeout"), "no timer is left");
});

test("no proxy of the host's environment is used", async () => {
  await using server = await serve((_request, response) => response.end("direct"));
  await using proxy = await serve((_request, response) => response.end("proxied"));
  const before = { ...process.env };
  for (const name of ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"]) process.env[name] = proxy.url;
  process.env["NODE_USE_ENV_PROXY"] = "1";
  try {
    await using network = makeNetwork();
    assert.equal((await network.call([server.entry]).text(server.url)).body, "direct");
    assert.equal(proxy.requests.length, 0);
  } finally {
    process.env = before;
  }
});

test("connections are kept within a call, shared with no other capability, and closed when the call ends", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  await using network = makeNetwork();
  const [first, second] = [network.call([server.entry], "one"), network.call([server.entry], "two")];
  for (let count = 0; count < 6; count += 1) await first.text(server.url);
  const own = new Set(server.requests.map(({ socket }) => socket.remotePort));
  // A request that is made in the turn in which the last one ended finds its connection not free yet.
  assert.ok(own.size <= 2, `${own.size} connections for six requests one after the other`);
  await second.text(server.url);
  assert.ok(!own.has(server.requests.at(-1)?.socket.remotePort));
  first.end();
  second.end();
  await server.idle();
});

test("a body that is open when its call ends is closed with its socket, and no later request is taken", async () => {
  await using server = await serve((_request, response) => void response.write("begun"));
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const { head } = await call.fetch(server.url);
  await call.perform("read", { id: head.id });
  const pending = call.perform("read", { id: head.id });
  call.end();
  await assert.rejects(pending, { code: "ABORT_ERR" });
  await server.idle();
  await assert.rejects(call.fetch(server.url), { code: "ABORT_ERR" });
  await assert.rejects(call.perform("read", { id: head.id }), { code: "ERR_INVALID_STATE" });
});

test("a request is given up while it waits, twice, and after its end", async () => {
  const arrived = Promise.withResolvers<void>();
  await using server = await serve(() => arrived.resolve());
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const pending = call.fetch(server.url, { id: 7, method: "POST" });
  await arrived.promise;
  await call.perform("cancel", { id: 7 });
  await assert.rejects(pending, { code: "ABORT_ERR" });
  await call.perform("cancel", { id: 7 });
  await server.idle();
  assert.deepEqual(
    call.effects.map(({ state }) => state),
    ["unknown"],
  );
});

test("one call finds no other call's answers", async () => {
  await using server = await serve((_request, response) => void response.write("begun"));
  await using network = makeNetwork();
  const [one, other] = [network.call([server.entry]), network.call([server.entry])];
  const { head } = await one.fetch(server.url, { id: 3 });
  await assert.rejects(other.perform("read", { id: head.id }), { code: "ERR_INVALID_STATE" });
  await other.perform("cancel", { id: head.id });
  assert.equal((await one.perform("read", { id: head.id })).bytes?.toString(), "begun");
});

test("the end of the engine closes every socket", async () => {
  await using server = await serve((_request, response) => void response.write("begun"));
  const network = makeNetwork();
  const call = network.call([server.entry]);
  await call.fetch(server.url);
  await network[Symbol.asyncDispose]();
  await server.idle();
});

test("a server that cannot be reached is a failure without its address, and nothing counts as sent", async () => {
  await using server = await serveRaw((socket) => socket.destroy());
  const { port, entry } = server;
  await server[Symbol.asyncDispose]();
  await using network = makeNetwork({ resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) });
  const call = network.call([entry, "gone.example"]);
  await assert.rejects(call.fetch(`http://127.0.0.1:${port}/`, { method: "POST" }), { code: "ECONNREFUSED" });
  await assert.rejects(call.fetch("https://gone.example/"), {
    code: "ENOTFOUND",
    message: 'The host "gone.example" has no address (ENOTFOUND)',
  });
  assert.deepEqual(
    call.effects.map(({ state }) => state),
    ["refused", "refused"],
  );
});
