import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_PERMISSIONS, type Permissions } from "../../../src/powers/permissions.ts";
import { createSecrets, type Secrets } from "../../../src/powers/secrets/secrets.ts";
import { createVault, type SecretVault } from "../../../src/powers/secrets/vault.ts";
import { makeTempFolder } from "../../support/capabilities.ts";
import { seededRandom } from "../../support/random.ts";
import { ask, makeUse } from "../storage/use.ts";

const VALUE = 'k3y/+ "with" <every>&thing é 100%';

interface Kept extends Disposable {
  readonly home: string;
  readonly vault: SecretVault;
  readonly secrets: Secrets;
}

async function keep(values: Readonly<Record<string, string>>): Promise<Kept> {
  const temp = makeTempFolder();
  const vault = createVault({ home: temp.path, keyring: () => Promise.resolve(null) });
  for (const [name, value] of Object.entries(values)) await vault.set(name, value);
  return { home: temp.path, vault, secrets: createSecrets(vault, temp.path), [Symbol.dispose]: () => temp[Symbol.dispose]() };
}

function grant(...names: readonly string[]): Partial<Permissions> {
  return { secrets: names.map((name) => ({ name, hosts: ["api.example.com", "*.example.org:8443"] })) };
}

function targetOf(capability: string, permissions: Partial<Permissions>, host = "api.example.com", port = 443) {
  return { capability, host, port, isDefaultPort: port === 443, permissions: { ...NO_PERMISSIONS, ...permissions } };
}

function injectorOf(secrets: Secrets): Secrets["inject"] {
  return (text, target) => secrets.inject(text, target);
}

async function standInFor(secrets: Secrets, capability: string, name: string, permissions = grant(name)): Promise<string> {
  const standIn = await ask(secrets, makeUse(capability, permissions), "get", { name });
  assert.ok(typeof standIn === "string");
  assert.match(standIn, /^toolcell-secret-[0-9a-f]{32}$/);
  return standIn;
}

test("a secret that is not granted, or not set, is refused by its name alone, with what to do", async () => {
  using kept = await keep({ KEY: VALUE });
  await assert.rejects(ask(kept.secrets, makeUse("a", {}), "get", { name: "KEY" }), { code: "PERMISSION_DENIED", message: /"KEY"/ });
  const use = makeUse("a", grant("OTHER"));
  await assert.rejects(ask(kept.secrets, use, "get", { name: "OTHER" }), { code: "ENOENT", message: /toolcell secret set OTHER/ });
  assert.deepEqual(use.effects, [{ target: "OTHER", changes: false, state: "refused" }]);
  for (const name of [7, null, {}, "a b", "x".repeat(100)])
    await assert.rejects(ask(kept.secrets, use, "get", { name }), { code: "EINVAL" });
});

test("a stand-in tells nothing, is the same for a capability and differs between capabilities and engines", async () => {
  using kept = await keep({ KEY: VALUE });
  const standIn = await standInFor(kept.secrets, "a", "KEY");
  assert.equal(await standInFor(kept.secrets, "a", "KEY"), standIn);
  assert.notEqual(await standInFor(kept.secrets, "b", "KEY"), standIn);
  assert.notEqual(await standInFor(createSecrets(kept.vault, kept.home), "a", "KEY"), standIn);
});

test("the value goes to the hosts of its grant and to no other, wherever it stands in the text", async () => {
  using kept = await keep({ KEY: VALUE });
  const permissions = grant("KEY");
  const standIn = await standInFor(kept.secrets, "a", "KEY");
  const inject = injectorOf(kept.secrets);
  assert.equal(inject(`Bearer ${standIn}, ${standIn}`, targetOf("a", permissions)), `Bearer ${VALUE}, ${VALUE}`);
  assert.equal(inject(standIn, targetOf("a", permissions, "x.example.org", 8443)), VALUE);
  for (const [host, port] of [
    ["evil.com", 443],
    ["api.example.com.evil.com", 443],
    ["xapi.example.com", 443],
    ["api.example.com", 8443],
    ["example.org", 8443],
    ["x.example.org", 443],
  ] as const)
    assert.throws(() => inject(`q=${standIn}`, targetOf("a", permissions, host, port)), { code: "PERMISSION_DENIED" });
  assert.equal(inject("nothing of it", targetOf("a", permissions, "evil.com")), "nothing of it");
});

test("a stand-in of another capability, of a withdrawn grant, of a removed secret or of another engine sends nothing", async () => {
  using kept = await keep({ KEY: VALUE });
  const permissions = grant("KEY");
  const standIn = await standInFor(kept.secrets, "a", "KEY");
  const inject = injectorOf(kept.secrets);
  assert.throws(() => inject(standIn, targetOf("b", permissions)), { code: "PERMISSION_DENIED" });
  assert.throws(() => inject(standIn, targetOf("a", {})), { code: "PERMISSION_DENIED" });
  assert.throws(() => createSecrets(kept.vault, kept.home).inject(standIn, targetOf("a", permissions)), { code: "PERMISSION_DENIED" });
  await kept.secrets.owner.remove("KEY");
  assert.throws(() => inject(standIn, targetOf("a", permissions)), { code: "PERMISSION_DENIED" });
});

test("a name and a password that were encoded together are found", async () => {
  using kept = await keep({ KEY: VALUE });
  const standIn = await standInFor(kept.secrets, "a", "KEY");
  const basic = (password: string) => `Basic ${Buffer.from(`ada:${password}`).toString("base64")}`;
  assert.equal(kept.secrets.inject(basic(standIn), targetOf("a", grant("KEY"))), basic(VALUE));
  assert.equal(kept.secrets.inject(basic("password"), targetOf("a", grant("KEY"))), basic("password"));
  assert.throws(() => kept.secrets.inject(basic(standIn), targetOf("a", grant("KEY"), "evil.com")), { code: "PERMISSION_DENIED" });
});

test("every common form of the value is masked, on its own and inside something longer", async () => {
  using kept = await keep({ KEY: VALUE });
  await standInFor(kept.secrets, "a", "KEY");
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const forms = [
    VALUE,
    JSON.stringify({ deep: VALUE }),
    JSON.stringify(JSON.stringify("x")) + JSON.stringify(VALUE),
    encodeURIComponent(VALUE),
    encodeURIComponent(VALUE).toLowerCase().replaceAll("%c3%a9", "%c3%a9"),
    new URLSearchParams({ q: VALUE }).toString(),
    Buffer.from(VALUE).toString("hex"),
    Buffer.from(VALUE).toString("hex").toUpperCase(),
    base64(VALUE),
    Buffer.from(VALUE).toString("base64url"),
    ...["", "u", "us", "use"].flatMap((before) => ["", "a", "ab"].map((after) => base64(before + VALUE + after))),
  ];
  for (const form of forms) {
    const masked = kept.secrets.maskText("a", `before ${form} after`);
    assert.match(masked, /\[secret KEY\]/, form);
    for (const text of [masked, Buffer.from(masked.replace("[secret KEY]", ""), "base64").toString(), decodeLoosely(masked)])
      assert.ok(!text.includes("with") && !text.includes("thing"), `${form} -> ${masked}`);
    assert.equal(kept.secrets.maskText("b", form), form);
  }
});

test("a stream is masked wherever it is cut, and nothing else of it changes", async () => {
  using kept = await keep({ KEY: VALUE, OTHER: "12121212-12121212", THIRD: "aaaaaaaab" });
  await standInFor(kept.secrets, "a", "KEY", grant("KEY", "OTHER", "THIRD"));
  const random = seededRandom(7);
  const pieces = [
    VALUE,
    "12121212-12121212",
    "aaaaaaaab",
    Buffer.from(VALUE).toString("base64"),
    "1212",
    "aaaa",
    "k3y/",
    "é",
    " ",
    "x",
    "\n",
  ];
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: 1 + random.below(12) }, () => `${random.pick(pieces)}|`).join("");
    const bytes = Buffer.from(text);
    const mask = kept.secrets.createMask("a");
    const out: Buffer[] = [];
    for (let at = 0; at < bytes.length;) {
      const next = Math.min(bytes.length, at + 1 + random.below(9));
      out.push(mask.push(bytes.subarray(at, next)));
      at = next;
    }
    out.push(mask.end());
    assert.equal(Buffer.concat(out).toString(), kept.secrets.maskText("a", text));
    assert.ok(!Buffer.concat(out).includes(VALUE));
  }
});

test("a stream without any part of a secret passes at once", async () => {
  using kept = await keep({ KEY: VALUE });
  await standInFor(kept.secrets, "a", "KEY");
  const mask = kept.secrets.createMask("a");
  assert.equal(mask.push(Buffer.from("data: tick\n\n")).toString(), "data: tick\n\n");
  assert.equal(mask.push(Buffer.from(`half ${VALUE.slice(0, 9)}`)).toString(), "half ");
  assert.equal(mask.end().toString(), VALUE.slice(0, 9));
});

test("every granted value is masked, also before it was asked for and after it was replaced", async () => {
  using kept = await keep({ KEY: VALUE, OTHER: "the other value", MINE: "not granted here" });
  await standInFor(kept.secrets, "a", "KEY", grant("KEY", "OTHER"));
  assert.equal(kept.secrets.maskText("a", "the other value, not granted here"), "[secret OTHER], not granted here");
  await kept.secrets.owner.set("KEY", "a new value");
  await standInFor(kept.secrets, "a", "KEY");
  assert.equal(kept.secrets.maskText("a", `a new value ${VALUE}`), "[secret KEY] [secret KEY]");
  assert.deepEqual(await kept.secrets.owner.list(), ["KEY", "MINE", "OTHER"]);
});

test("a value is masked through and through: strings, keys and numbers", async () => {
  using kept = await keep({ KEY: VALUE, PIN: "1234567890" });
  await standInFor(kept.secrets, "a", "KEY", grant("KEY", "PIN"));
  const json = { [VALUE]: [1, null, { deep: `x${VALUE}` }], pin: 1234567890, __proto__: 1 };
  assert.deepEqual(kept.secrets.maskJson("a", json), { "[secret KEY]": [1, null, { deep: "x[secret KEY]" }], pin: "[secret PIN]" });
  assert.equal(kept.secrets.maskJson("b", json), json);
});

function decodeLoosely(text: string): string {
  return text.replace(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
