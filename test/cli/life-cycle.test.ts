import assert from "node:assert/strict";
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
