import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { makeScripts, type Scripts } from "./crypto-script.ts";

const { subtle } = webcrypto;
const DATA = Buffer.from("what both sides sign");

let scripts: Scripts;
before(async () => {
  scripts = await makeScripts();
});
after(() => scripts[Symbol.asyncDispose]());

type CryptoKey = webcrypto.CryptoKey;

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
type Formats = Readonly<Record<string, unknown>>;

const hexOf = (data: ArrayBuffer): string => Buffer.from(data).toString("hex");
const bufferOf = (hex: unknown): Buffer => Buffer.from(hex as string, "hex");

async function exported(key: CryptoKey, formats: readonly ("jwk" | "pkcs8" | "spki" | "raw")[]): Promise<Formats> {
  const all: Record<string, unknown> = {};
  for (const format of formats) {
    const given = (await subtle.exportKey(format as "jwk", key)) as unknown;
    all[format] = given instanceof ArrayBuffer ? hexOf(given) : given;
  }
  return all;
}

// In the guest: takes every format in, gives every format out, signs, and verifies what Node signed.
const BOTH_WAYS = `
  const take = (format, value, usages) => crypto.subtle.importKey(format, format === "jwk" ? value : bytes(value), given.key, true, usages);
  const out = { signatures: [], verified: [], given: {} };
  for (const [format, value] of Object.entries(given.private)) {
    const key = await take(format, value, ["sign"]);
    out.signatures.push(hex(await crypto.subtle.sign(given.use, key, bytes(given.data))));
    for (const again of Object.keys(given.private)) {
      const back = await crypto.subtle.exportKey(again, key);
      out.given[again] = again === "jwk" ? back : hex(back);
    }
  }
  for (const [format, value] of Object.entries(given.public)) {
    const key = await take(format, value, ["verify"]);
    out.verified.push(await crypto.subtle.verify(given.use, key, bytes(given.signature), bytes(given.data)));
    out.verified.push(!(await crypto.subtle.verify(given.use, key, bytes(given.signature), bytes(given.data + "00"))));
    for (const again of Object.keys(given.public).filter((name) => name !== "jwk")) {
      const back = hex(await crypto.subtle.exportKey(again, key));
      if (back !== given.public[again]) throw new Error(again + " came back as another");
    }
  }
  return out;`;

const PAIRS = [
  ...["P-256", "P-384", "P-521"].map((namedCurve) => ({
    says: `ECDSA ${namedCurve}`,
    key: { name: "ECDSA", namedCurve },
    use: { name: "ECDSA", hash: "SHA-256" },
    forms: ["jwk", "spki", "raw"] as const,
  })),
  { says: "Ed25519", key: { name: "Ed25519" }, use: { name: "Ed25519" }, forms: ["jwk", "spki", "raw"] as const },
  ...["RSASSA-PKCS1-v1_5", "RSA-PSS"].map((name) => ({
    says: name,
    key: { name, hash: "SHA-256" },
    use: { name, saltLength: 32 },
    forms: ["jwk", "spki"] as const,
  })),
];

describe("what Node makes the guest reads, and the other way round", () => {
  for (const { says, key, use, forms } of PAIRS)
    test(says, async () => {
      const made = "hash" in key ? { ...key, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) } : key;
      const { privateKey, publicKey } = (await subtle.generateKey(made as webcrypto.EcKeyGenParams, true, ["sign", "verify"])) as Pair;
      const given = {
        key,
        use,
        private: await exported(privateKey, ["jwk", "pkcs8"]),
        public: await exported(publicKey, forms),
        data: DATA.toString("hex"),
        signature: hexOf(await subtle.sign(use, privateKey, DATA)),
      };
      const out = (await scripts.run(BOTH_WAYS, given)) as { signatures: string[]; verified: boolean[]; given: Formats };
      assert.deepEqual(
        out.verified,
        forms.flatMap(() => [true, true]),
      );
      for (const signature of out.signatures) assert.ok(await subtle.verify(use, publicKey, bufferOf(signature), DATA));
      const jwk = await subtle.importKey("jwk", out.given["jwk"] as webcrypto.JsonWebKey, key, true, ["sign"]);
      const pkcs8 = await subtle.importKey("pkcs8", bufferOf(out.given["pkcs8"]), key, true, ["sign"]);
      for (const back of [jwk, pkcs8]) assert.equal(hexOf(await subtle.exportKey("pkcs8", back)), given.private["pkcs8"]);
    });

  test("keys that the guest makes", async () => {
    const code = `const all = [];
      for (const [algorithm, usages] of given.kinds) {
        if (algorithm.modulusLength) algorithm.publicExponent = new Uint8Array([1, 0, 1]);
        const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, usages);
        all.push([hex(await crypto.subtle.exportKey("pkcs8", privateKey)), hex(await crypto.subtle.exportKey("spki", publicKey)), privateKey.usages, publicKey.usages]);
      }
      return all;`;
    const kinds = [
      [{ name: "ECDSA", namedCurve: "P-384" }, ["verify", "sign"]],
      [{ name: "Ed25519" }, ["sign"]],
      [{ name: "X25519" }, ["deriveBits"]],
      [{ name: "RSA-OAEP", modulusLength: 2048, hash: "SHA-256" }, ["encrypt", "decrypt"]],
    ] as const;
    const all = (await scripts.run(code, { kinds })) as [string, string, string[], string[]][];
    for (const [index, [pkcs8, spki, privateUsages, publicUsages]] of all.entries()) {
      const [algorithm] = kinds[index] ?? kinds[0];
      const privateKey = await subtle.importKey("pkcs8", bufferOf(pkcs8), algorithm, true, privateUsages as webcrypto.KeyUsage[]);
      const publicKey = await subtle.importKey("spki", bufferOf(spki), algorithm, true, publicUsages as webcrypto.KeyUsage[]);
      assert.deepEqual([privateKey.type, publicKey.type], ["private", "public"]);
    }
    assert.deepEqual(
      all.map(([, , own, open]) => [own, open]),
      [
        [["sign"], ["verify"]],
        [["sign"], []],
        [["deriveBits"], []],
        [["decrypt"], ["encrypt"]],
      ],
    );
  });

  for (const algorithm of [{ name: "ECDH", namedCurve: "P-256" }, { name: "X25519" }])
    test(`the secret of ${algorithm.name} is the same on both sides`, async () => {
      const mine = (await subtle.generateKey(algorithm as webcrypto.EcKeyGenParams, true, ["deriveBits"])) as Pair;
      const code = `const { privateKey, publicKey } = await crypto.subtle.generateKey(given.algorithm, true, ["deriveBits", "deriveKey"]);
        const other = await crypto.subtle.importKey("raw", bytes(given.raw), given.algorithm, true, []);
        const key = await crypto.subtle.deriveKey({ ...given.algorithm, public: other }, privateKey, { name: "AES-GCM", length: 256 }, true, ["encrypt"]);
        return [hex(await crypto.subtle.exportKey("raw", publicKey)), hex(await crypto.subtle.deriveBits({ ...given.algorithm, public: other }, privateKey, 256)), hex(await crypto.subtle.exportKey("raw", key))];`;
      const raw = hexOf(await subtle.exportKey("raw", mine.publicKey));
      const [theirs, bits, key] = (await scripts.run(code, { algorithm, raw })) as [string, string, string];
      const other = await subtle.importKey("raw", bufferOf(theirs), algorithm, true, []);
      const expected = hexOf(await subtle.deriveBits({ ...algorithm, public: other }, mine.privateKey, 256));
      assert.deepEqual([bits, key], [expected, expected]);
    });

  test("RSA-OAEP opens what the other side sealed, with its label", async () => {
    const algorithm = { name: "RSA-OAEP", hash: "SHA-256" };
    const made = { ...algorithm, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
    const { privateKey, publicKey } = await subtle.generateKey(made, true, ["encrypt", "decrypt"]);
    const use = { name: "RSA-OAEP", label: Buffer.from("label") };
    const code = `const own = await crypto.subtle.importKey("jwk", given.private, given.algorithm, false, ["decrypt"]);
      const open = await crypto.subtle.importKey("jwk", given.public, given.algorithm, false, ["encrypt"]);
      const use = { name: "RSA-OAEP", label: bytes(given.label) };
      return [hex(await crypto.subtle.decrypt(use, own, bytes(given.sealed))), hex(await crypto.subtle.encrypt(use, open, bytes(given.data))), own.algorithm.modulusLength];`;
    const [opened, sealed, bits] = (await scripts.run(code, {
      algorithm,
      private: await subtle.exportKey("jwk", privateKey),
      public: await subtle.exportKey("jwk", publicKey),
      label: use.label.toString("hex"),
      sealed: hexOf(await subtle.encrypt(use, publicKey, DATA)),
      data: DATA.toString("hex"),
    })) as [string, string, number];
    assert.deepEqual([opened, bits], [DATA.toString("hex"), 2048]);
    assert.deepEqual(Buffer.from(await subtle.decrypt(use, privateKey, bufferOf(sealed))), DATA);
  });

  test("AES-CTR wraps its counter around within its own bits", async () => {
    const algorithm = { name: "AES-CTR", counter: Buffer.from("000000000000000000000000ffffffff", "hex"), length: 32 };
    const raw = Buffer.alloc(32, 7);
    const key = await subtle.importKey("raw", raw, "AES-CTR", false, ["encrypt"]);
    const data = Buffer.alloc(100, 3);
    const code = `const key = await crypto.subtle.importKey("raw", bytes(given.raw), "AES-CTR", false, ["encrypt"]);
      return hex(await crypto.subtle.encrypt({ name: "AES-CTR", counter: bytes(given.counter), length: 32 }, key, bytes(given.data)));`;
    const given = { raw: raw.toString("hex"), counter: algorithm.counter.toString("hex"), data: data.toString("hex") };
    assert.equal(await scripts.run(code, given), hexOf(await subtle.encrypt(algorithm, key, data)));
  });
});
