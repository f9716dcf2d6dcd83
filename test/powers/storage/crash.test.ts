import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { createStorage } from "../../../src/powers/storage/storage.ts";
import { makeTempFolder } from "../../support/capabilities.ts";
import { ask, makeUse } from "./use.ts";

const LIMITS = {
  storageKeyBytes: 64,
  storageValueBytes: 300_000,
  storageBytes: 700_000,
  storageCount: 50,
  depthCount: 16,
  valueCount: 200,
};
const GRANTED = { storage: true };
const STORAGE_FILE = new URL("../../../src/powers/storage/storage.ts", import.meta.url).href;

// Another engine's process over the same home, which writes without end or `times` times.
function writer(home: string, body: string) {
  const script = `const { createStorage } = await import(${JSON.stringify(STORAGE_FILE)});
const storage = createStorage(${JSON.stringify(home)}, ${JSON.stringify(LIMITS)});
const use = { capability: "notes", permissions: { storage: true }, effect: () => ({ done() {}, refused() {} }) };
const ask = (op, args) => storage.perform({ op, args, bytes: null }, use).then(({ value }) => value);
${body}`;
  return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
}

test("whenever a writer is killed, each value is an old or a new one, whole, and the quota is right", async () => {
  using temp = makeTempFolder();
  for (let round = 0; round < 12; round += 1) {
    const child = writer(
      temp.path,
      `for (let n = 0; ; n += 1) {
  const text = String(n % 10).repeat(100_000 + (n % 7) * 20_000);
  await ask("set", { key: "k" + (n % 3), json: JSON.stringify(text) });
  if (n % 5 === 0) await ask("delete", { key: "k" + (n % 2) });
  if (n === ${round * 3}) process.stdout.write("x");
}`,
    );
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const storage = createStorage(temp.path, LIMITS);
    const use = makeUse("notes", GRANTED);
    let bytes = 0;
    for (const key of ["k0", "k1", "k2"]) {
      const json = await ask(storage, use, "get", { key });
      if (typeof json !== "string") continue;
      bytes += 2 + json.length;
      const text = JSON.parse(json) as string;
      assert.match(text, /^(\d)\1*$/u);
      assert.equal((text.length - 100_000) % 20_000, 0);
    }
    // What is left of the quota is what the values that are there leave of it, to the byte.
    const fill = async (chars: number): Promise<unknown> =>
      await ask(storage, use, "set", { key: "f", json: JSON.stringify("x".repeat(chars)) });
    const left = LIMITS.storageBytes - bytes - 1;
    const [first, second] = [Math.min(left - 100, 290_000), left - Math.min(left - 100, 290_000)];
    await fill(first - 2);
    if (second > 3 && second < LIMITS.storageValueBytes) {
      await assert.rejects(ask(storage, use, "set", { key: "g", json: JSON.stringify("x".repeat(second - 2)) }), { code: "POWER_LIMIT" });
      await ask(storage, use, "set", { key: "g", json: JSON.stringify("x".repeat(second - 3)) });
      await ask(storage, use, "delete", { key: "g" });
    }
    await ask(storage, use, "delete", { key: "f" });
    await storage[Symbol.asyncDispose]();
  }
});

test("several processes begin one database at once, write to it and lose nothing", async () => {
  using temp = makeTempFolder();
  const home = path.join(temp.path, "new", "home");
  const children = ["a", "b", "c"].map((name) =>
    writer(
      home,
      `for (let n = 0; n < 15; n += 1) await ask("set", { key: "${name}" + n, json: String(n) }); await storage[Symbol.asyncDispose]();`,
    ),
  );
  const ends = children.map((child) => once(child, "exit"));
  const storage = createStorage(home, LIMITS);
  const use = makeUse("notes", GRANTED);
  await ask(storage, use, "set", { key: "d", json: "0" });
  for (const end of ends) assert.deepEqual(await end, [0, null]);
  const { keys } = (await ask(storage, use, "list", { prefix: "", after: "" })) as { readonly keys: readonly string[] };
  assert.equal(keys.length, 46);
  for (let n = 0; n < 4; n += 1) await ask(storage, use, "set", { key: `e${n}`, json: "1" });
  await assert.rejects(ask(storage, use, "set", { key: "e4", json: "1" }), { code: "POWER_LIMIT" });
  await storage[Symbol.asyncDispose]();
});

test("a database that another process holds is busy in words, and served again afterwards", async () => {
  using temp = makeTempFolder();
  const storage = createStorage(temp.path, LIMITS);
  const use = makeUse("notes", GRANTED);
  await ask(storage, use, "set", { key: "a", json: "1" });
  const holder = spawn(
    process.execPath,
    [
      "-e",
      `const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(process.argv[1]); db.exec("BEGIN IMMEDIATE"); console.log("held"); setInterval(() => db.isOpen, 1000)`,
      path.join(temp.path, "storage.db"),
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  await once(holder.stdout, "data");
  await assert.rejects(ask(storage, use, "set", { key: "a", json: "2" }), { code: "EBUSY" });
  assert.equal(await ask(storage, use, "get", { key: "a" }), "1");
  holder.kill("SIGKILL");
  await once(holder, "exit");
  await ask(storage, use, "set", { key: "a", json: "2" });
  assert.equal(await ask(storage, use, "get", { key: "a" }), "2");
  await storage[Symbol.asyncDispose]();
});
