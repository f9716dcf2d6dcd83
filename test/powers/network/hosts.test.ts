import assert from "node:assert/strict";
import { connect as connectSocket } from "node:net";
import { test } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { coversHost, matchesHost, parseHostEntry, type HostEntry } from "../../../src/powers/host-entry.ts";
import { makeNetwork, routeTo, serve } from "./a-network.ts";
import { makeCertificate } from "./certificate.ts";

const PUBLIC_ADDRESS = "93.184.216.34";

function entry(text: string): HostEntry {
  const parsed = parseHostEntry(text);
  assert.ok(parsed !== null, text);
  return parsed;
}

test("an entry is a host, a wildcard of labels, or an address in its usual form", () => {
  assert.deepEqual(entry("API.Example.com"), { host: "api.example.com", kind: "exact", port: null });
  assert.deepEqual(entry("*.example.org:8443"), { host: "example.org", kind: "wildcard", port: 8443 });
  assert.deepEqual(entry("[0:0::1]:8080"), { host: "[::1]", kind: "exact", port: 8080 });
  assert.deepEqual(entry("[::ffff:127.0.0.1]"), { host: "[::ffff:7f00:1]", kind: "exact", port: null });
  for (const text of [
    "*",
    "*:443",
    "a..b",
    "-a.com",
    "a-.com",
    "a.com:0",
    "a.com:65536",
    "127.1",
    "0x7f.1",
    "2130706433",
    "*.0.0.1",
    "[::1",
    "[fe80::1%eth0]",
    "::1",
    "a_b.com",
    "ä.com",
    "",
    ".",
  ])
    assert.equal(parseHostEntry(text), null, text);
});

test("a host is matched label by label", () => {
  const isIn = (text: string, host: string, port = 443): boolean => matchesHost(entry(text), host, port, port === 443);
  assert.ok(isIn("*.x.com", "a.x.com") && isIn("*.x.com", "a.b.x.com") && isIn("x.com", "x.com") && isIn("x.com:22", "x.com", 22));
  for (const host of ["x.com", ".x.com", "ax.com", "x.com.evil.org", "evilx.com"]) assert.ok(!isIn("*.x.com", host), host);
  assert.ok(!isIn("x.com", "x.com", 22));
  assert.ok(!isIn("x.com:22", "x.com"));
});

test("`public` covers no private address, so that asking for the one gives no grant of the other", () => {
  for (const text of ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254"]) assert.ok(!coversHost(entry("public"), entry(text)), text);
  for (const text of ["8.8.8.8", "example.com", "*.example.com"]) assert.ok(coversHost(entry("public"), entry(text)), text);
});

test("a host that is not granted is refused before any name server is asked, in words that say what to do", async () => {
  const asked: string[] = [];
  await using network = makeNetwork({
    resolve: (host) => {
      asked.push(host);
      return Promise.resolve([PUBLIC_ADDRESS]);
    },
  });
  const call = network.call(["api.example.com"]);
  await assert.rejects(call.fetch("https://evil.example/secret?key=1"), {
    code: "PERMISSION_DENIED",
    message:
      'The host "evil.example" is not granted to this capability: it asks for it in PERMISSIONS.network, the owner grants it with `toolcell grant weather`',
  });
  await assert.rejects(call.fetch("https://api.example.com:22/"), { message: /"api\.example\.com:22" is not granted/u });
  assert.deepEqual(asked, []);
  assert.deepEqual(call.effects, [
    { target: "GET https://evil.example/secret", changes: false, state: "refused" },
    { target: "GET https://api.example.com:22/", changes: false, state: "refused" },
  ]);
});

test("a name never opens a private address, not even one granted by that name; the address written out does", async () => {
  await using server = await serve((_request, response) => response.end("inside"));
  await using network = makeNetwork({ resolve: () => Promise.resolve(["127.0.0.1"]) });
  const call = network.call([`localhost:${server.port}`, server.entry]);
  await assert.rejects(call.fetch(`http://localhost:${server.port}/`), (error: Error) => {
    assert.equal((error as unknown as { code: string }).code, "PERMISSION_DENIED");
    assert.doesNotMatch(error.message, /127/u);
    return true;
  });
  assert.equal(server.sockets.size, 0);
  assert.equal((await call.text(server.url)).body, "inside");
  await assert.rejects(network.call(["public"]).fetch("http://127.0.0.1/"), { code: "PERMISSION_DENIED" });
  await assert.rejects(network.call(["169.254.169.254"]).fetch("http://169.254.169.254/"), { message: /Metadata/u });
});

test("all answers of a name server count: one that is private refuses the name", async () => {
  let connects = 0;
  for (const answers of [
    ["10.0.0.1"],
    [PUBLIC_ADDRESS, "127.0.0.1"],
    ["::1", PUBLIC_ADDRESS],
    ["::ffff:10.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["not an address"],
    ["fe80::1%lo"],
  ]) {
    await using network = makeNetwork({
      resolve: () => Promise.resolve(answers),
      connect: () => {
        connects += 1;
        return connectSocket({ host: "127.0.0.1", port: 1 });
      },
    });
    await assert.rejects(network.call(["name.example"]).fetch("https://name.example/"), { code: "PERMISSION_DENIED" }, answers.join());
  }
  assert.equal(connects, 0);
});

test("a name that is bound anew between check and connection is asked once: what was checked is connected to", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  let asked = 0;
  const connected: string[] = [];
  await using network = makeNetwork({
    resolve: () => {
      asked += 1;
      return Promise.resolve(asked === 1 ? [PUBLIC_ADDRESS] : ["127.0.0.1"]);
    },
    connect: (target) => {
      connected.push(...target.addresses);
      return routeTo(new Map([["rebind.example:80", server.port]]))(target);
    },
  });
  const call = network.call(["rebind.example"]);
  assert.equal((await call.text("http://rebind.example/")).body, "ok");
  assert.deepEqual([asked, connected], [1, [PUBLIC_ADDRESS]]);
  call.end();
  await server.idle();
  // A new connection is checked anew.
  await assert.rejects(network.call(["rebind.example"]).fetch("http://rebind.example/"), { code: "PERMISSION_DENIED" });
});

test("a socket that went elsewhere than to the checked address is closed before a byte is sent", async () => {
  await using server = await serve((_request, response) => response.end("wrong place"));
  await using network = makeNetwork({
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    connect: () => connectSocket({ host: "127.0.0.1", port: server.port }),
  });
  await assert.rejects(network.call(["name.example"]).fetch("http://name.example/"), { code: "PERMISSION_DENIED" });
  assert.equal(server.requests.length, 0);
  await server.idle();
});

test("a certificate that nobody trusts, or that is for another name, is refused, whatever the environment says", async () => {
  const forName = makeCertificate({ names: ["named.example"], addresses: ["127.0.0.1"] });
  await using server = await serve((request, response) => response.end(`${request.headers.host}`), forName);
  const parts = {
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    connect: routeTo(
      new Map([
        ["named.example:443", server.port],
        ["other.example:443", server.port],
        [server.entry, server.port],
      ]),
    ),
  };
  const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  const trusted = getCACertificates("default");
  try {
    await using network = makeNetwork(parts);
    const untrusted = network.call([server.entry, "named.example"]);
    await assert.rejects(untrusted.fetch(`https://127.0.0.1:${server.port}/`), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    await assert.rejects(untrusted.fetch("https://named.example/"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    assert.equal(server.requests.length, 0);
    assert.deepEqual(
      untrusted.effects.map(({ state }) => state),
      ["refused", "refused"],
    );
    setDefaultCACertificates([...trusted, forName.cert]);
    await using second = makeNetwork(parts);
    const call = second.call(["named.example", "other.example", server.entry]);
    assert.equal((await call.text("https://named.example/")).body, "named.example");
    assert.equal((await call.text(`https://127.0.0.1:${server.port}/`)).body, server.entry);
    await assert.rejects(call.fetch("https://other.example/"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    assert.equal(server.requests.length, 2);
    call.end();
  } finally {
    setDefaultCACertificates(trusted);
    if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
  }
});

test("a redirect from https: to http: is not followed", async () => {
  const certificate = makeCertificate({ names: ["named.example"] });
  await using server = await serve(
    (_request, response) => response.writeHead(302, { location: "http://named.example/" }).end(),
    certificate,
  );
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, certificate.cert]);
  try {
    await using network = makeNetwork({
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
      connect: routeTo(new Map([["named.example:443", server.port]])),
    });
    await assert.rejects(network.call(["named.example"]).fetch("https://named.example/"), {
      code: "PERMISSION_DENIED",
      message: /from https: to http:/u,
    });
  } finally {
    setDefaultCACertificates(trusted);
  }
});

test("a host's final dot, its case and its width make no difference", async () => {
  await using server = await serve((request, response) => response.end(request.headers.host));
  await using network = makeNetwork({
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    connect: routeTo(new Map([["api.example.com:80", server.port]])),
  });
  const call = network.call(["api.example.com"]);
  for (const url of ["http://api.example.com./", "http://API.Example.COM/", "http://ａｐｉ.example.com/"])
    assert.equal((await call.text(url)).body, "api.example.com", url);
  await assert.rejects(call.fetch("http://api.example.com../"), { code: "PERMISSION_DENIED" });
});
