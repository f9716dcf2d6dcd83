import assert from "node:assert/strict";
import { test } from "node:test";
import type { EngineOptions, Outcome } from "toolcell";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";
import { bodyOf, serve, serveRaw } from "./a-network.ts";

/** Runs the body of an async function in a cell whose capability has been granted these hosts; `url` is its argument. */
async function runGuest(body: string, network: readonly string[], url: string, options: EngineOptions = {}): Promise<Outcome> {
  await using made = await makeEngine(
    {
      "web/index.js": `export const PERMISSIONS = { network: ${JSON.stringify(network)} };\n`,
      "web/go.js": toolFile("go", `async function run(context, { url }) { ${body} }`),
    },
    options,
  );
  if (network.length > 0) await made.engine.grant("web");
  return await made.engine.call("go", { url });
}

test("a tool fetches as anywhere: text, JSON, bytes, headers, status, a stream in parts", async () => {
  const large = "ü".repeat(300_000);
  await using server = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url === "/large") return response.end(large);
      response.writeHead(203, "Fine", { "content-type": "application/json", "x-two": ["a", "b"] });
      return response.end(JSON.stringify({ method: request.method, body: body.toString(), type: request.headers["content-type"] ?? null }));
    });
  });
  const outcome = await runGuest(
    `const answer = await fetch(url, { method: "post", body: "é", headers: { "X-One": "1" } });
     const copy = answer.clone();
     const json = await answer.json();
     const large = await (await fetch(new Request(url + "large"))).text();
     let streamed = 0, parts = 0;
     const stream = await fetch(new URL("large", url));
     for await (const part of stream.body) { streamed += part.byteLength; parts += 1; }
     const bytes = await (await fetch(url, { method: "PUT", body: new Uint8Array([104, 105]) })).bytes();
     return { payload: { json, ok: answer.ok, status: answer.status, statusText: answer.statusText, two: answer.headers.get("x-two"), url: answer.url,
       used: answer.bodyUsed, copy: (await copy.text()).length, large: large.length, isSame: large === "ü".repeat(300000), streamed, parts: parts > 1,
       bytes: new TextDecoder().decode(bytes), type: answer.type }, text: "ok" };`,
    [server.entry],
    server.url,
  );
  assert.equal(outcome.error, null, outcome.text);
  assert.deepEqual(outcome.payload, {
    json: { method: "POST", body: "é", type: "text/plain;charset=UTF-8" },
    ok: true,
    status: 203,
    statusText: "Fine",
    two: "a, b",
    url: server.url,
    used: true,
    copy: 62,
    large: 300_000,
    isSame: true,
    streamed: 600_000,
    parts: true,
    bytes: '{"method":"PUT","body":"hi","type":null}',
    type: "basic",
  });
  assert.deepEqual(outcome.effects[0], { power: "network", target: `POST ${server.url}`, state: "done" });
});

test("a host that is not granted ends in words that a model can pass on, and is caught as a PowerError", async () => {
  await using server = await serve((_request, response) => response.end());
  const outcome = await runGuest("return await (await fetch(url)).text();", [], `${server.url}secret?key=1`);
  assert.equal(outcome.error?.code, "PERMISSION_DENIED");
  assert.match(outcome.text, /not granted to this capability.*toolcell grant web/u);
  assert.equal(outcome.error?.retrySafe, true);
  assert.equal(server.sockets.size, 0);
  const caught = await runGuest(
    `try { await fetch(url); return "reached"; } catch (error) { return [error.name, error.code, error instanceof TypeError].join(); }`,
    ["other.example"],
    server.url,
  );
  assert.equal(caught.text, "PowerError,PERMISSION_DENIED,false");
});

test("a network failure is a TypeError with its cause", async () => {
  await using server = await serveRaw((socket) => socket.once("data", () => socket.destroy()));
  const outcome = await runGuest(
    `const seen = [];
     for (const each of [url, "nonsense"]) await fetch(each).catch((error) => seen.push(error.name, error.message, error.cause.code));
     await fetch(url, { method: "TRACE" }).catch((error) => seen.push(error.name));
     return seen.join();`,
    [server.entry],
    server.url,
  );
  assert.equal(
    outcome.text,
    "TypeError,fetch failed,ECONNRESET,TypeError,This is no URL: write it whole, with its scheme,ERR_INVALID_URL,TypeError",
  );
});

test("a signal of the tool's own ends a request: before it, during it, after it, twice", async () => {
  await using server = await serve((request, response) => {
    if (request.url === "/begun") response.write("begun");
  });
  const outcome = await runGuest(
    `const seen = [];
     const note = (error) => seen.push(error.name);
     await fetch(url, { signal: AbortSignal.abort() }).catch(note);
     await fetch(url, { signal: AbortSignal.timeout(30) }).catch(note);
     const controller = new AbortController();
     const answer = await fetch(url + "begun", { signal: AbortSignal.any([controller.signal, context.signal]) });
     const reader = answer.body.getReader();
     await reader.read();
     const next = reader.read();
     controller.abort(); controller.abort();
     await next.catch(note);
     await fetch(url, { signal: {} }).catch(note);
     seen.push(context.signal instanceof AbortSignal, context.signal.aborted);
     return seen.join();`,
    [server.entry],
    server.url,
  );
  assert.equal(outcome.text, "AbortError,TimeoutError,AbortError,TypeError,true,false");
  await server.idle();
});

test("no socket outlives the call, though a body was never read", async () => {
  await using server = await serve((_request, response) => void response.write("begun"));
  await using made = await makeEngine({
    "web/index.js": `export const PERMISSIONS = { network: ["${server.entry}"] };\n`,
    "web/go.js": toolFile("go", "async function run(context, { url }) { const answer = await fetch(url); return String(answer.status); }"),
  });
  await made.engine.grant("web");
  assert.equal((await made.engine.call("go", { url: server.url })).text, "200");
  await server.idle();
});

test("a call that is killed takes its request with it", async () => {
  await using server = await serve((_request, response) => void response.write("begun"));
  const outcome = await runGuest("const answer = await fetch(url); await answer.text(); return 'never';", [server.entry], server.url, {
    limits: { callMs: 500 },
  });
  assert.equal(outcome.error?.code, "CALL_TIMEOUT");
  await server.idle();
});

test("a package that poisons the intrinsics breaks nothing but itself", async () => {
  await using server = await serve((_request, response) => response.end("ok"));
  const outcome = await runGuest(
    `Array.prototype.push = Array.prototype.map = String.prototype.slice = Promise.prototype.then = Map.prototype.get = () => { throw new Error("poison"); };
     Object.defineProperty(Object.prototype, "redirect", { get: () => "manual", configurable: true });
     const answer = await fetch(url);
     return await answer.text();`,
    [server.entry],
    server.url,
  );
  assert.equal(outcome.text, "ok");
});
