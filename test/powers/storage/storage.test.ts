import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Power } from "../../../src/powers/power.ts";
import { createStorage, type StorageLimits } from "../../../src/powers/storage/storage.ts";
import { makeTempFolder } from "../../support/capabilities.ts";
import { ask, makeUse } from "./use.ts";

const LIMITS: StorageLimits = {
  storageKeyBytes: 64,
  storageValueBytes: 1000,
  storageBytes: 5000,
  storageCount: 50,
  depthCount: 16,
  valueCount: 200,
};
const GRANTED = { storage: true };

interface Store extends AsyncDisposable {
  readonly home: string;
  readonly power: Power;
}

function makeStore(limits: Partial<StorageLimits> = {}): Store {
  const temp = makeTempFolder();
  const home = path.join(temp.path, "home");
  const power = createStorage(home, { ...LIMITS, ...limits });
  return {
    home,
    power,
    [Symbol.asyncDispose]: async () => {
      await power[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
    },
  };
}

test("nothing is stored or read without the permission, and no file is made", async () => {
  await using store = makeStore();
  const use = makeUse("notes", {});
  for (const op of ["get", "set", "delete", "list"])
    await assert.rejects(ask(store.power, use, op, { key: "a", json: "1", prefix: "", after: "" }), { code: "PERMISSION_DENIED" });
  assert.equal(existsSync(store.home), false);
});

test("a value comes back as the JSON that it was, and its file is its owner's alone", async () => {
  await using store = makeStore();
  const use = makeUse("notes", GRANTED);
  const json = '{"__proto__":{"polluted":true},"constructor":[1,null,"\\u0000"]}';
  await ask(store.power, use, "set", { key: "a", json });
  assert.equal(await ask(store.power, use, "get", { key: "a" }), json);
  assert.equal(await ask(store.power, use, "get", { key: "b" }), null);
  for (const name of readdirSync(store.home)) assert.equal(statSync(path.join(store.home, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(
    use.effects.map(({ target, changes, state }) => [target, changes, state]),
    [
      ["a", true, "done"],
      ["a", false, "done"],
      ["b", false, "done"],
    ],
  );
});

test("every key is plain data: names of Object's own, paths, emoji, both normal forms", async () => {
  await using store = makeStore();
  const use = makeUse("notes", GRANTED);
  const keys = ["__proto__", "constructor", "toString", "../other/x", "ключ", "🗝️", "é", "e\u0301", "%", "_", "a'; DROP TABLE entries; --"];
  for (const [index, key] of keys.entries()) await ask(store.power, use, "set", { key, json: String(index) });
  for (const [index, key] of keys.entries()) assert.equal(await ask(store.power, use, "get", { key }), String(index));
  assert.deepEqual(await ask(store.power, use, "list", { prefix: "", after: "" }), {
    keys: keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    hasMore: false,
  });
});

test("what is no key is refused: empty, too long, a NUL, half a character, no string", async () => {
  await using store = makeStore();
  const use = makeUse("notes", GRANTED);
  for (const key of ["", "a\0b", "\ud800", 7, null, true, [], { toString: "x" }])
    await assert.rejects(ask(store.power, use, "set", { key, json: "1" }), { code: "EINVAL" });
  await ask(store.power, use, "set", { key: "é".repeat(32), json: "1" });
  await assert.rejects(ask(store.power, use, "set", { key: `${"é".repeat(32)}a`, json: "1" }), { code: "POWER_LIMIT" });
  await assert.rejects(ask(store.power, use, "set", { key: "a".repeat(1_000_000), json: "1" }), { code: "POWER_LIMIT" });
});

test("what is no value is refused: too large, too deep, too many, no JSON", async () => {
  await using store = makeStore();
  const use = makeUse("notes", GRANTED);
  await ask(store.power, use, "set", { key: "a", json: JSON.stringify("x".repeat(998)) });
  for (const json of [JSON.stringify("x".repeat(999)), `${"[".repeat(17)}${"]".repeat(17)}`, JSON.stringify(Array(401).fill(0))])
    await assert.rejects(ask(store.power, use, "set", { key: "b", json }), { code: "POWER_LIMIT" });
  for (const json of ["", "{", "undefined", "1 2", '"\ud800"', 1, null, { a: 1 }])
    await assert.rejects(ask(store.power, use, "set", { key: "b", json }), { code: "EINVAL" });
  assert.equal(await ask(store.power, use, "get", { key: "b" }), null);
});

test("a capability reads, lists, changes and counts only what is its own", async () => {
  await using store = makeStore({ storageCount: 2 });
  const [one, two] = [makeUse("one", GRANTED), makeUse("two", GRANTED)];
  await ask(store.power, one, "set", { key: "k1", json: "1" });
  await ask(store.power, one, "set", { key: "k2", json: "1" });
  assert.equal(await ask(store.power, two, "get", { key: "k1", capability: "one" }), null);
  assert.deepEqual(await ask(store.power, two, "list", { prefix: "", after: "" }), { keys: [], hasMore: false });
  assert.equal(await ask(store.power, two, "delete", { key: "k1" }), false);
  await ask(store.power, two, "set", { key: "k1", json: "2" });
  assert.equal(await ask(store.power, one, "get", { key: "k1" }), "1");
});

test("the quota holds in count and in bytes, also after overwriting and deleting over and over", async () => {
  await using store = makeStore({ storageCount: 3, storageBytes: 300 });
  const use = makeUse("notes", GRANTED);
  const set = (key: string, chars: number) => ask(store.power, use, "set", { key, json: JSON.stringify("x".repeat(chars)) });
  for (let round = 0; round < 50; round += 1) {
    await set("a", 90);
    await set("b", round);
    assert.equal(await ask(store.power, use, "delete", { key: "b" }), true);
  }
  await set("b", 90);
  await set("c", 90);
  await assert.rejects(set("d", 1), { code: "POWER_LIMIT", message: /storageCount/ });
  await assert.rejects(set("c", 118), { code: "POWER_LIMIT", message: /storageBytes/ });
  await set("c", 111);
  assert.equal(await ask(store.power, use, "delete", { key: "a" }), true);
  assert.equal(await ask(store.power, use, "delete", { key: "a" }), false);
  await set("d", 90);
});

test("keys are listed by prefix and in pages, without any character being a pattern", async () => {
  await using store = makeStore({ storageKeyBytes: 2000, storageBytes: 10_000_000, storageCount: 1000 });
  const use = makeUse("notes", GRANTED);
  for (const key of ["a%", "ab", "a_b", "a", "b", "A"]) await ask(store.power, use, "set", { key, json: "1" });
  assert.deepEqual(await ask(store.power, use, "list", { prefix: "a", after: "" }), { keys: ["a", "a%", "a_b", "ab"], hasMore: false });
  assert.deepEqual(await ask(store.power, use, "list", { prefix: "a", after: "a%" }), { keys: ["a_b", "ab"], hasMore: false });
  for (let index = 0; index < 400; index += 1)
    await ask(store.power, use, "set", { key: `z${String(index).padStart(1900, "0")}`, json: "1" });
  const first = (await ask(store.power, use, "list", { prefix: "z", after: "" })) as { keys: string[]; hasMore: boolean };
  assert.equal(first.hasMore, true);
  const rest = (await ask(store.power, use, "list", { prefix: "z", after: first.keys.at(-1) ?? "" })) as typeof first;
  assert.equal(first.keys.length + rest.keys.length, 400);
  assert.equal(rest.hasMore, false);
});

test("what is stored is there for the next engine", async () => {
  await using store = makeStore();
  const use = makeUse("notes", GRANTED);
  await ask(store.power, use, "set", { key: "a", json: "1" });
  await store.power[Symbol.asyncDispose]();
  await store.power[Symbol.asyncDispose]();
  await assert.rejects(ask(store.power, use, "get", { key: "a" }), { code: "EBADF" });
  const next = createStorage(store.home, LIMITS);
  assert.equal(await ask(next, use, "get", { key: "a" }), "1");
  await next[Symbol.asyncDispose]();
  assert.deepEqual(readdirSync(store.home), ["storage.db"]);
});

for (const [how, damage] of Object.entries({
  "its first page overwritten": (file: string) => writeFileSync(file, Buffer.alloc(4096, 7), { flag: "r+" }),
  "a page in its middle overwritten": (file: string) => {
    const bytes = readFileSync(file);
    bytes.fill(0xff, 4096, 8192);
    writeFileSync(file, bytes);
  },
  "cut to nothing": (file: string) => truncateSync(file, 0),
  "cut in half": (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  "replaced by a text": (file: string) => writeFileSync(file, "hello"),
})) {
  test(`a database with ${how} is refused in words and left as it is`, async () => {
    await using store = makeStore();
    const use = makeUse("notes", GRANTED);
    for (let index = 0; index < 40; index += 1) await ask(store.power, use, "set", { key: `k${index}`, json: '"some words to keep"' });
    await store.power[Symbol.asyncDispose]();
    const file = path.join(store.home, "storage.db");
    damage(file);
    const before = readFileSync(file);
    const next = createStorage(store.home, LIMITS);
    for (const [op, args] of [
      ["get", { key: "k1" }],
      ["set", { key: "k1", json: "1" }],
    ] as const)
      await assert.rejects(ask(next, use, op, args), (error: Error & { code: string }) => {
        assert.equal(error.code, "EIO");
        assert.match(error.message, /storage\.db is damaged/);
        assert.ok(!error.message.includes(store.home));
        return true;
      });
    await next[Symbol.asyncDispose]();
    assert.deepEqual(readFileSync(file), before);
  });
}

test("a home that cannot be written is an error without its path", async () => {
  await using store = makeStore();
  mkdirSync(path.join(store.home, "storage.db"), { recursive: true });
  await assert.rejects(ask(store.power, makeUse("notes", GRANTED), "get", { key: "a" }), (error: Error & { code: string }) => {
    assert.ok(!error.message.includes(store.home), error.message);
    return error.code === "EACCES" || error.code === "EIO";
  });
});
