import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Keyring } from "../../../src/powers/secrets/keyring.ts";
import { createVault } from "../../../src/powers/secrets/vault.ts";
import { makeTempFolder } from "../../support/capabilities.ts";

const VALUE = "s3cret-value-42";
const noKeyring = () => Promise.resolve(null);

function vaultIn(home: string) {
  return createVault({ home, keyring: noKeyring });
}

test("a secret is kept encrypted, in files that are their owner's alone", async () => {
  using temp = makeTempFolder();
  const home = path.join(temp.path, "home");
  const vault = vaultIn(home);
  assert.deepEqual(await vault.list(), []);
  assert.equal(existsSync(home), false);
  await vault.set("WEATHER_KEY", VALUE);
  await vault.set("__proto__", `${VALUE}2`);
  assert.equal(await vault.get("WEATHER_KEY"), VALUE);
  assert.equal(await vaultIn(home).get("__proto__"), `${VALUE}2`);
  assert.equal(await vault.get("toString"), null);
  assert.deepEqual(await vault.list(), ["WEATHER_KEY", "__proto__"]);
  assert.equal(statSync(home).mode & 0o777, 0o700);
  for (const name of readdirSync(home)) {
    assert.equal(statSync(path.join(home, name)).mode & 0o777, 0o600, name);
    const content = readFileSync(path.join(home, name), "latin1");
    for (const form of [VALUE, Buffer.from(VALUE).toString("base64"), Buffer.from(VALUE).toString("hex")])
      assert.ok(!content.includes(form), name);
  }
  assert.deepEqual(readdirSync(home).sort(), ["secrets.json", "secrets.key", "secrets.lock"]);
});

test("a secret is replaced and removed", async () => {
  using temp = makeTempFolder();
  const vault = vaultIn(temp.path);
  await vault.set("KEY", VALUE);
  await vault.set("KEY", "another value");
  assert.equal(await vault.get("KEY"), "another value");
  assert.equal(await vault.remove("KEY"), true);
  assert.equal(await vault.remove("KEY"), false);
  assert.equal(await vault.get("KEY"), null);
});

test("what is no secret is refused in words: too short to be hidden, too long, no text, no name", async () => {
  using temp = makeTempFolder();
  const vault = vaultIn(temp.path);
  await assert.rejects(vault.set("KEY", "a"), { code: "EINVAL", message: /at least 8 characters/ });
  await assert.rejects(vault.set("KEY", `a${" ".repeat(20)}`), { code: "EINVAL", message: /at least 8 characters/ });
  await vault.set("KEY", "12345678");
  for (const value of ["x".repeat(20_000), "12345678\0", "12345678\ud800"])
    await assert.rejects(vault.set("KEY", value), { code: "EINVAL" });
  for (const name of ["", "a b", "../x", "1A", "A".repeat(65)]) await assert.rejects(vault.set(name, VALUE), { code: "EINVAL" });
  assert.equal(await vault.get("KEY"), "12345678");
});

test("a value moved under another name does not decrypt", async () => {
  using temp = makeTempFolder();
  const vault = vaultIn(temp.path);
  await vault.set("ONE", VALUE);
  await vault.set("TWO", `${VALUE}2`);
  const file = path.join(temp.path, "secrets.json");
  const json = JSON.parse(readFileSync(file, "utf8")) as { entries: Record<string, unknown> };
  [json.entries["ONE"], json.entries["TWO"]] = [json.entries["TWO"], json.entries["ONE"]];
  writeFileSync(file, JSON.stringify(json));
  await assert.rejects(vault.get("ONE"), { code: "EIO", message: /set it again/ });
  await vault.set("ONE", VALUE);
  assert.equal(await vault.get("ONE"), VALUE);
});

for (const [how, damage, words] of [
  ["readable by others", (file: string) => chmodSync(file, 0o640), /chmod 600/],
  ["gone", (file: string) => rmSync(file), /secrets\.key is gone/],
  ["empty", (file: string) => writeFileSync(file, ""), /secrets\.key is damaged/],
  ["cut short", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 40)), /secrets\.key is damaged/],
  [
    "another's",
    (file: string) => writeFileSync(file, `toolcell-secrets-key ${Buffer.alloc(32, 1).toString("base64")}\n`),
    /does not fit secrets\.json/,
  ],
  [
    "a link",
    (file: string) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
    /no regular file/,
  ],
] as const) {
  test(`a key file that is ${how} gives nothing, takes nothing and loses nothing`, async () => {
    using temp = makeTempFolder();
    const vault = vaultIn(temp.path);
    await vault.set("KEY", VALUE);
    const file = path.join(temp.path, "secrets.key");
    const content = readFileSync(file);
    damage(file);
    const before = readFileSync(path.join(temp.path, "secrets.json"));
    const isTold = (error: Error) => {
      assert.match(error.message, words);
      assert.ok(!error.message.includes(temp.path) && !error.message.includes(VALUE));
      return true;
    };
    await assert.rejects(vault.get("KEY"), isTold);
    await assert.rejects(vault.set("OTHER", VALUE), isTold);
    assert.deepEqual(readFileSync(path.join(temp.path, "secrets.json")), before);
    rmSync(file, { force: true });
    writeFileSync(file, content, { mode: 0o600 });
    assert.equal(await vault.get("KEY"), VALUE);
  });
}

for (const [how, content] of [
  ["empty", ""],
  ["no JSON", "{"],
  ["JSON of something else", "[]"],
  ["without its probe", '{"format":"toolcell-secrets","version":1,"id":"x","key":"file","entries":{}}'],
  ["with a name that is none", '{"format":"toolcell-secrets","version":1,"id":"x","key":"file","probe":{},"entries":{"a b":{}}}'],
] as const) {
  test(`a vault file that is ${how} is refused and left as it is`, async () => {
    using temp = makeTempFolder();
    const vault = vaultIn(temp.path);
    await vault.set("KEY", VALUE);
    const file = path.join(temp.path, "secrets.json");
    writeFileSync(file, content);
    for (const attempt of [() => vault.get("KEY"), () => vault.set("KEY", VALUE), () => vault.list(), () => vault.remove("KEY")])
      await assert.rejects(attempt, { code: "EIO", message: /secrets\.json is damaged/ });
    assert.equal(readFileSync(file, "utf8"), content);
  });
}

test("a vault of a newer version is refused and left as it is", async () => {
  using temp = makeTempFolder();
  writeFileSync(path.join(temp.path, "secrets.json"), '{"format":"toolcell-secrets","version":2}');
  await assert.rejects(vaultIn(temp.path).set("KEY", VALUE), { message: /newer/ });
});

test("a keyring that answers holds the key, and one that does not is never passed over for a vault that needs it", async () => {
  using temp = makeTempFolder();
  const kept = new Map<string, string>();
  const keyring: Keyring = {
    read: (account) => Promise.resolve(kept.get(account) ?? null),
    write: (account, value) => Promise.resolve(void kept.set(account, value)),
  };
  const vault = createVault({ home: temp.path, keyring: () => Promise.resolve(keyring) });
  await vault.set("KEY", VALUE);
  assert.equal(await vault.get("KEY"), VALUE);
  assert.equal(existsSync(path.join(temp.path, "secrets.key")), false);
  for (const other of [noKeyring, () => Promise.resolve({ ...keyring, read: () => Promise.reject(new Error("locked")) })]) {
    const without = createVault({ home: temp.path, keyring: other });
    await assert.rejects(without.get("KEY"), { code: "EIO", message: /keyring/ });
    await assert.rejects(without.set("KEY", VALUE), { code: "EIO", message: /keyring/ });
  }
  assert.equal(await vault.get("KEY"), VALUE);
});

test("a keyring that takes nothing gives way to a key file", async () => {
  using temp = makeTempFolder();
  const refusing: Keyring = { read: () => Promise.reject(new Error("no bus")), write: () => Promise.reject(new Error("no bus")) };
  const vault = createVault({ home: temp.path, keyring: () => Promise.resolve(refusing) });
  await vault.set("KEY", VALUE);
  assert.equal(await vault.get("KEY"), VALUE);
  assert.equal(existsSync(path.join(temp.path, "secrets.key")), true);
});

test("many that set at once, in this process and in others, lose nothing", async () => {
  using temp = makeTempFolder();
  const file = new URL("../../../src/powers/secrets/vault.ts", import.meta.url).href;
  const script = `const { createVault } = await import(${JSON.stringify(file)});
const vault = createVault({ home: process.argv[1], keyring: () => Promise.resolve(null) });
for (let index = 0; index < 10; index += 1) await vault.set(process.argv[2] + index, "a value of " + index);`;
  const others = ["A", "B", "C"].map((name) =>
    spawn(process.execPath, ["--input-type=module", "-e", script, temp.path, name], { stdio: "inherit" }),
  );
  const ends = others.map((child) => once(child, "exit"));
  const [one, two] = [vaultIn(temp.path), vaultIn(temp.path)];
  await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two).set(`D${index}`, `a value of ${index}`)));
  for (const end of ends) assert.deepEqual(await end, [0, null]);
  assert.equal((await one.list()).length, 40);
  for (const name of await one.list()) assert.equal(await one.get(name), `a value of ${name.slice(1)}`);
});

test("a holder of the lock that was killed does not hold the others up", async () => {
  using temp = makeTempFolder();
  const file = new URL("../../../src/powers/storage/sqlite.ts", import.meta.url).href;
  const script = `const { openDatabase } = await import(${JSON.stringify(file)});
const lock = openDatabase(process.argv[1] + "/secrets.lock"); lock.exec("BEGIN EXCLUSIVE");
process.stdout.write("held"); setInterval(() => lock.isOpen, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script, temp.path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  await assert.rejects(vaultIn(temp.path).set("KEY", VALUE), { code: "EBUSY" });
  holder.kill("SIGKILL");
  await once(holder, "exit");
  await vaultIn(temp.path).set("KEY", VALUE);
  assert.equal(await vaultIn(temp.path).get("KEY"), VALUE);
});
