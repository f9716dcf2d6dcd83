import assert from "node:assert/strict";
import { test } from "node:test";
import type { SecretInjector } from "../../../src/powers/network/secret-injector.ts";
import { NO_SECRETS } from "../../../src/powers/network/secret-injector.ts";
import { denied } from "../../../src/powers/power.ts";
import { bodyOf, makeNetwork, routeTo, serve, type TestServer } from "./a-network.ts";

/** A server that tells what it was asked, and redirects what asks for it: `/302?to`. */
async function serveRedirects(): Promise<TestServer> {
  return await serve((request, response) => {
    const [, status, to] = /^\/(\d{3})\?(.*)$/u.exec(request.url ?? "") ?? [];
    void bodyOf(request).then((body) => {
      if (status === undefined || to === undefined)
        return response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body: body.toString() }));
      response.writeHead(Number(status), { location: to });
      return response.end("gone");
    });
  });
}

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

test("a redirect is followed, and the answer says so; `manual` shows it, `error` fails", async () => {
  await using server = await serveRedirects();
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const { head, body } = await call.text(`${server.url}302?/there`);
  assert.deepEqual([head.url, head.redirected, head.status], [`${server.url}there`, true, 200]);
  assert.equal((JSON.parse(body) as Echo).url, "/there");
  const manual = await call.text(`${server.url}302?/there`, { redirect: "manual" });
  assert.deepEqual([manual.head.status, manual.head.redirected, manual.body], [302, false, "gone"]);
  await assert.rejects(call.fetch(`${server.url}302?/there`, { redirect: "error" }), { code: "ERR_REDIRECT" });
});

test("a redirect rewrites method and body as the Fetch Standard has it", async () => {
  await using server = await serveRedirects();
  await using network = makeNetwork();
  const call = network.call([server.entry]);
  const cases = [
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", null],
    [302, "PUT", "PUT", "b"],
    [307, "POST", "POST", "b"],
    [308, "PATCH", "PATCH", "b"],
  ] as const;
  for (const [status, method, then, sent] of cases) {
    const hasBody = method !== "HEAD";
    await call.text(`${server.url}${status}?/there`, {
      method,
      headers: [
        ["content-type", "text/x"],
        ["x-kept", "1"],
      ],
      body: hasBody ? Buffer.from("b") : null,
    });
    const last = server.requests.at(-1);
    assert.equal(last?.method, then, `${status} ${method}`);
    assert.equal(last?.headers["content-type"], sent === "" ? undefined : "text/x", `${status} ${method}`);
    assert.equal(last?.headers["x-kept"], "1");
  }
});

test("a redirect is checked from the start at each hop: other host, metadata, inside, file, ports, user info", async () => {
  await using server = await serveRedirects();
  await using other = await serveRedirects();
  await using network = makeNetwork({ resolve: () => Promise.resolve(["10.0.0.5"]) });
  const call = network.call([server.entry, "*.rebind.example", "public"]);
  for (const to of [
    other.url,
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://2852039166/",
    "http://a.rebind.example/",
    "http://localhost/",
    "http://127.1/",
    "http://evil.example:22/",
    "//127.0.0.1/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "http://user:pass@127.0.0.1/",
  ]) {
    await assert.rejects(call.fetch(`${server.url}302?${to}`), { code: "PERMISSION_DENIED" }, to);
  }
  assert.equal(other.requests.length, 0);
  assert.ok(call.effects.every(({ target, state }) => state === (target.startsWith(`GET ${server.url}302`) ? "done" : "refused")));
});

test("redirects end after five", async () => {
  let count = 0;
  await using server = await serve((_request, response) => {
    count += 1;
    response.writeHead(302, { location: `/${count}` }).end();
  });
  await using network = makeNetwork();
  await assert.rejects(network.call([server.entry]).fetch(server.url), { code: "ERR_TOO_MANY_REDIRECTS" });
  assert.equal(count, 6);
});

test("a redirect to another origin loses credentials and everything with a secret in it", async () => {
  await using first = await serveRedirects();
  await using second = await serveRedirects();
  const secrets: SecretInjector = { ...NO_SECRETS, inject: (text) => text.replaceAll("STAND-IN", "s3cret") };
  await using network = makeNetwork({ secrets });
  const call = network.call([first.entry, second.entry]);
  const headers = [
    ["authorization", "Bearer x"],
    ["x-api-key", "k"],
    ["x-own", "STAND-IN"],
    ["x-kept", "STAY"],
  ] as const;
  await call.text(`${first.url}302?${second.url}`, { headers });
  assert.equal(first.requests[0]?.headers["x-own"], "s3cret");
  const seen = second.requests[0]?.headers ?? {};
  for (const name of ["authorization", "x-api-key", "x-own"]) assert.equal(seen[name], undefined, name);
  assert.equal(seen["x-kept"], "STAY");
  // Within the origin they stay.
  await call.text(`${first.url}302?/there`, { headers });
  assert.equal(first.requests.at(-1)?.headers["x-own"], "s3cret");
  assert.equal(first.requests.at(-1)?.headers["authorization"], "Bearer x");
  // A body cannot lose a part of itself.
  const body = Buffer.from("key=STAND-IN");
  await assert.rejects(call.fetch(`${first.url}307?${second.url}`, { method: "POST", body }), { code: "PERMISSION_DENIED" });
  assert.equal(second.requests.length, 1);
});

test("a server cannot have a secret put into the URL that it redirects to", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/") response.writeHead(302, { location: "/there?q=STAND-IN" });
    response.end();
  });
  const secrets: SecretInjector = { ...NO_SECRETS, inject: (text) => text.replaceAll("STAND-IN", "s3cret") };
  await using network = makeNetwork({ secrets });
  await network.call([server.entry]).text(server.url);
  assert.equal(server.requests.at(-1)?.url, "/there?q=STAND-IN");
});

test("secrets go into headers, query and text, escaped, and come out of neither the URL nor the answer", async () => {
  await using server = await serve((request, response) => {
    void bodyOf(request).then((body) => response.end(`${request.url} ${request.headers["x-key"] as string} ${body.toString()}`));
  });
  const secrets: SecretInjector = {
    inject: (text, { host }) => {
      if (text.includes("OTHER")) throw denied(`not for ${host}`);
      return text.replaceAll("STAND IN", "a&b=c");
    },
    createMask: () => ({ push: (chunk) => Buffer.from(chunk.toString().replaceAll("a&b=c", "***")), end: () => Buffer.from(".") }),
    maskText: (_capability, text) => text,
  };
  await using network = makeNetwork({ secrets });
  const call = network.call([server.entry]);
  const { head, body } = await call.text(`${server.url}p?key=STAND+IN&q=%20`, {
    method: "POST",
    headers: [
      ["x-key", "STAND IN"],
      ["content-type", "application/x-www-form-urlencoded"],
    ],
    body: Buffer.from("k=STAND%20IN&l=1"),
  });
  assert.equal(body, "/p?key=a%26b%3Dc&q=%20 *** k=a%26b%3Dc&l=1.");
  assert.equal(head.url, `${server.url}p?key=STAND+IN&q=%20`);
  await assert.rejects(call.fetch(`${server.url}?OTHER`), { code: "PERMISSION_DENIED" });
  assert.deepEqual(
    call.effects.map(({ state }) => state),
    ["done", "refused"],
  );
});

test("a secret never goes over http: to a host on the outside", async () => {
  await using server = await serveRedirects();
  const secrets: SecretInjector = { ...NO_SECRETS, inject: (text) => text.replaceAll("STAND-IN", "s3cret") };
  await using network = makeNetwork({
    secrets,
    resolve: () => Promise.resolve(["93.184.216.34"]),
    connect: routeTo(new Map([["plain.example:80", server.port]])),
  });
  const call = network.call(["plain.example"]);
  await assert.rejects(call.fetch("http://plain.example/", { headers: [["x-key", "STAND-IN"]] }), { code: "PERMISSION_DENIED" });
  assert.equal((await call.fetch("http://plain.example/")).head.status, 200);
});
