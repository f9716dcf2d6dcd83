import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { makeCommandHome } from "./a-home.ts";

const { root, run, start } = makeCommandHome({
  "demo/one.js": toolFile("one", 'const run = () => "one";'),
  "trusty/index.js": 'export const RUNTIME = "worker";',
  "trusty/two.js": `import { basename } from "node:path";\n${toolFile("two", 'const run = () => basename("/a/two");')}`,
});
const capabilities = path.join(root, "home", "capabilities");

describe("enable and disable", () => {
  test("take a capability's tools out of the listing and put them back, for good", async () => {
    const off = await run(["disable", "demo"]);
    assert.deepEqual([off.code, off.stdout, off.stderr], [0, '"demo" is off.\n', ""]);
    assert.doesNotMatch((await run(["tools"])).stdout, /^one /mu);
    const called = await run(["call", "one"]);
    assert.deepEqual([called.code, /There is no tool "one"/u.test(called.stderr)], [1, true]);
    assert.match((await run(["capabilities"])).stdout, /^off {5}Demo \(demo\)/mu);
    assert.equal((await run(["enable", "demo"])).stdout, '"demo" is on.\n');
    assert.equal((await run(["call", "one"])).stdout, "one\n");
  });

  test("say what is wrong", async () => {
    const unknown = await run(["disable", "nobody"]);
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no capability "nobody".\n']);
    assert.equal((await run(["enable"])).code, 2);
    assert.equal((await run(["enable", "demo", "more"])).code, 2);
  });
});

describe("trust", () => {
  test("lets one capability have the worker that it asks for, by its name and its code, until it is taken back", async () => {
    assert.match((await run(["capabilities"])).stdout, /^refused Trusty \(trusty\)[\s\S]*toolcell trust trusty/mu);
    assert.equal((await run(["call", "two"])).code, 1);
    assert.equal((await run(["trust", "trusty"])).stdout, '"trusty" has all of Node from now on, for the code that it has now.\n');
    assert.equal((await run(["call", "two"])).stdout, "two\n");
    writeFiles(capabilities, { "trusty/two.js": toolFile("two", 'const run = () => "changed";') });
    const changed = await run(["call", "two"]);
    assert.deepEqual([changed.code, /There is no tool "two"/u.test(changed.stderr)], [1, true]);
    await run(["trust", "trusty"]);
    assert.equal((await run(["call", "two"])).stdout, "changed\n");
    assert.equal((await run(["untrust", "trusty"])).stdout, '"trusty" is not trusted any more.\n');
    assert.equal((await run(["call", "two"])).code, 1);
    const sealed = await run(["trust", "demo"]);
    assert.deepEqual([sealed.code, /does not ask for/u.test(sealed.stderr)], [1, true]);
  });
});

describe("call --inspect", () => {
  test("is refused for a sealed tool, and unknown to other commands", async () => {
    const sealed = await run(["call", "one", "--inspect"]);
    assert.deepEqual([sealed.code, sealed.stdout], [2, ""]);
    assert.match(sealed.stderr, /Only a trusted capability of the worker runtime can be inspected/u);
    assert.match((await run(["tools", "--inspect"])).stderr, /There is no flag "--inspect"/u);
    assert.match((await run(["call", "one", "--inspect=70000"])).stderr, /"70000" is no port/u);
  });

  test("waits for a debugger on the loopback, and calls the tool once it says so", async () => {
    writeFiles(capabilities, {
      "seen/index.js": 'export const RUNTIME = "worker";',
      "seen/look.js": toolFile("look", 'const run = () => "looked";'),
    });
    await run(["trust", "seen"]);
    const { child, end } = start(["call", "look", "--inspect=0"]);
    let url = "";
    for await (const line of createInterface({ input: child.stderr ?? process.stdin })) {
      url = /^Waiting for a debugger at (ws:\/\/127\.0\.0\.1:\d+\/\S+)$/u.exec(line)?.[1] ?? "";
      if (url !== "") break;
    }
    const socket = new WebSocket(url);
    await once(socket, "open");
    socket.send(JSON.stringify({ id: 1, method: "Runtime.runIfWaitingForDebugger" }));
    const { code, stdout } = await end;
    socket.close();
    assert.deepEqual([code, stdout], [0, "looked\n"]);
  });
});

test("refresh says what there is", async () => {
  const { code, stdout } = await run(["refresh"]);
  assert.deepEqual([code, /^\d+ capabilities, \d+ tools\.\n$/u.test(stdout)], [0, true]);
  const { tools } = JSON.parse((await run(["refresh", "--json"])).stdout) as { tools: string[] };
  assert.ok(tools.includes("one"));
});

test("watch prints what happens until it is interrupted", async () => {
  const { child, end } = start(["watch", "--json"]);
  const lines = createInterface({ input: child.stderr ?? process.stdin });
  for await (const line of lines) if (line.startsWith("Watching; ")) break;
  const events = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const next = async (): Promise<Record<string, unknown>> =>
    JSON.parse(String(((await events.next()) as { value: unknown }).value)) as Record<string, unknown>;
  writeFiles(capabilities, { "late/three.js": toolFile("three", 'const run = () => "three";') });
  const { time, ...added } = await next();
  assert.match(String(time), /^\d{4}-\d\d-\d\dT/u);
  assert.deepEqual(added, { event: "added", capability: "late", tools: ["three"] });
  await run(["disable", "late"]);
  assert.deepEqual(Object.entries(await next()).slice(1), [
    ["event", "disabled"],
    ["capability", "late"],
  ]);
  rmSync(path.join(capabilities, "late"), { recursive: true });
  assert.deepEqual(Object.entries(await next()).slice(1), [
    ["event", "removed"],
    ["capability", "late"],
  ]);
  child.kill("SIGINT");
  const { code, signal } = await end;
  assert.deepEqual([code, signal], [0, null]);
});
