import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile, type Files } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";

const INDEX = `export const LABEL = "Demo"; export const PERMISSIONS = { storage: true };`;
const SCHEMA = `{ type: "object" }`;

const FILES: Files = {
  "notes/index.js": INDEX,
  "notes/count.js": toolFile(
    "count",
    `const run = async ({ storage }) => { const n = (await storage.get("n")) ?? 0; await storage.set("n", n + 1); return String(n + 1); }`,
  ),
  "notes/keep.js": toolFile(
    "keep",
    `const run = async ({ storage }, { key, value }) => { await storage.set(key, value); return JSON.stringify((await storage.get(key)) ?? null); }`,
    { schema: SCHEMA },
  ),
  "notes/odd.js": toolFile(
    "odd",
    `const run = async ({ storage }) => {
      const cycle = {}; cycle.self = cycle;
      const deep = JSON.parse("[".repeat(500) + "]".repeat(500));
      const values = { cycle, deep, huge: "x".repeat(5_000_000), ["function"]: () => 1, symbol: Symbol("a"), undefined: undefined };
      const told = {};
      for (const [name, value] of Object.entries(values)) told[name] = await storage.set("odd", value).then(() => "kept", (error) => error.code ?? error.name);
      for (const key of [1, null, "", "x".repeat(1000), "a\\0b"]) told[String(key).slice(0, 5)] = await storage.set(key, 1).then(() => "kept", (error) => error.code ?? error.name);
      told.left = await storage.get("odd") === undefined;
      return { text: "done", payload: told };
    }`,
  ),
  "notes/keys.js": toolFile(
    "keys",
    `const run = async ({ storage }) => {
      for (const key of ["__proto__", "constructor", "b", "a"]) await storage.set(key, { [key]: 1, __proto__: null });
      const proto = await storage.get("__proto__");
      return { text: "done", payload: { all: await storage.list(), some: await storage.list("c"), own: Object.hasOwn(proto, "__proto__"), clean: {}.polluted === undefined, gone: [await storage.delete("b"), await storage.delete("b")] } };
    }`,
  ),
  "other/index.js": INDEX,
  "other/peek.js": toolFile(
    "peek",
    `const run = async ({ storage }) => JSON.stringify([await storage.list(), (await storage.get("n")) ?? null]);`,
  ),
};

test("a tool keeps values of its own capability over calls, cells and engines", async () => {
  await using made = await makeEngine(FILES);
  assert.equal((await made.engine.call("count")).error?.code, "PERMISSION_DENIED");
  await made.engine.grant("notes");
  await made.engine.grant("other");
  assert.equal((await made.engine.call("count")).text, "1");
  const outcome = await made.engine.call("count");
  assert.equal(outcome.text, "2");
  assert.deepEqual(
    outcome.effects.map(({ power, target, state }) => [power, target, state]),
    [
      ["storage", "n", "done"],
      ["storage", "n", "done"],
    ],
  );
  assert.equal((await made.engine.call("peek")).text, "[[],null]");
  await made.engine.revoke("notes");
  assert.equal((await made.engine.call("count")).error?.code, "PERMISSION_DENIED");
  await made.engine.grant("notes");
  await made.engine.refresh();
  assert.equal((await made.engine.call("count")).text, "3");
});

test("values that are no JSON, too deep or too large are refused in the tool, and nothing of them is kept", async () => {
  await using made = await makeEngine(FILES);
  await made.engine.grant("notes");
  const { ok, text, payload } = await made.engine.call("odd");
  assert.ok(ok, text);
  assert.deepEqual(payload, {
    cycle: "TypeError",
    deep: "TypeError",
    huge: "POWER_LIMIT",
    function: "TypeError",
    symbol: "TypeError",
    undefined: "TypeError",
    "1": "TypeError",
    null: "TypeError",
    "": "EINVAL",
    xxxxx: "TypeError",
    "a\0b": "EINVAL",
    left: true,
  });
});

test("keys and values of every name are plain data in the tool as well", async () => {
  await using made = await makeEngine(FILES);
  await made.engine.grant("notes");
  const { payload } = await made.engine.call("keys");
  assert.deepEqual(payload, {
    all: ["__proto__", "a", "b", "constructor"],
    some: ["constructor"],
    own: true,
    clean: true,
    gone: [true, false],
  });
});

test("a call past its quota ends as POWER_LIMIT with words", async () => {
  await using made = await makeEngine(FILES, { limits: { storageValueBytes: 100, storageCount: 1 } });
  await made.engine.grant("notes");
  assert.equal((await made.engine.call("keep", { key: "a", value: "x".repeat(98) })).ok, true);
  const large = await made.engine.call("keep", { key: "a", value: "x".repeat(99) });
  assert.equal(large.error?.code, "POWER_LIMIT");
  assert.match(large.text, /100 bytes/);
  assert.equal((await made.engine.call("keep", { key: "b", value: 1 })).error?.code, "POWER_LIMIT");
});
