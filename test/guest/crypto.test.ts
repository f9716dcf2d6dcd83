import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeScripts, type Scripts } from "./crypto-script.ts";

let scripts: Scripts;
before(async () => {
  scripts = await makeScripts({ limits: { deriveCount: 10_000 } });
});
after(() => scripts[Symbol.asyncDispose]());

const FAULT = `const fault = async (run) => { try { await run(); return "nothing"; } catch (error) { return error.name; } };
  const { subtle } = crypto;
  const all = [];`;

/** The names of what each line throws. */
async function faults(lines: readonly string[], first = ""): Promise<unknown> {
  const runs = lines.map((line) => `all.push(await fault(async () => ${line}));`);
  return scripts.run(`${FAULT}\n${first}\n${runs.join("\n")}\nreturn all;`);
}

describe("random numbers", () => {
  test("fill every kind of integer array in place, and no other", async () => {
    const code = `const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array];
      return kinds.map((Kind) => { const array = new Kind(64); return crypto.getRandomValues(array) === array && new Uint8Array(array.buffer).some((byte) => byte !== 0); });`;
    assert.deepEqual(
      await scripts.run(code),
      Array.from({ length: 9 }, () => true),
    );
    assert.deepEqual(
      await faults([
        "crypto.getRandomValues(new Float64Array(2))",
        "crypto.getRandomValues(new Float32Array(2))",
        "crypto.getRandomValues(new DataView(new ArrayBuffer(8)))",
        "crypto.getRandomValues([1, 2])",
        "crypto.getRandomValues({ __proto__: Uint8Array.prototype, length: 4 })",
        "crypto.getRandomValues()",
      ]),
      Array.from({ length: 6 }, () => "TypeMismatchError"),
    );
  });

  test("go up to the quota and not past it", async () => {
    assert.deepEqual(
      await faults([
        "crypto.getRandomValues(new Uint8Array(65536))",
        "crypto.getRandomValues(new Uint8Array(65537))",
        "crypto.getRandomValues(new Uint32Array(16385))",
      ]),
      ["nothing", "QuotaExceededError", "QuotaExceededError"],
    );
  });

  test("fill no more than the part that the array is of", async () => {
    const code = `const whole = new Uint8Array(100); crypto.getRandomValues(whole.subarray(40, 60)); return [whole.slice(0, 40), whole.slice(60)].every((part) => part.every((byte) => byte === 0)) && whole.some(Boolean);`;
    assert.equal(await scripts.run(code), true);
  });

  test("make UUIDs of version 4, none twice", async () => {
    const uuids = (await scripts.run("return Array.from({ length: 300 }, () => crypto.randomUUID())")) as string[];
    assert.equal(new Set(uuids).size, 300);
    for (const uuid of uuids) assert.match(uuid, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
  });
});

describe("a key", () => {
  const KEY = 'const key = await subtle.importKey("raw", new Uint8Array(16).fill(7), "AES-GCM", false, ["encrypt"]);';

  test("shows what it is for and nothing of its material", async () => {
    const code = `${FAULT} ${KEY}
      const seen = new Set();
      const walk = (value, path) => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
        seen.add(value);
        if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) throw new Error("bytes at " + path);
        for (const name of Reflect.ownKeys(value)) { let item; try { item = value[name]; } catch { continue; } walk(item, path + "." + String(name)); }
      };
      walk(key, "key"); walk(Object.getPrototypeOf(key), "prototype");
      return [key.type, key.extractable, key.algorithm, key.usages, Object.prototype.toString.call(key), JSON.stringify(key), Reflect.ownKeys(key).length];`;
    assert.deepEqual(await scripts.run(code), [
      "secret",
      false,
      { name: "AES-GCM", length: 128 },
      ["encrypt"],
      "[object CryptoKey]",
      "{}",
      0,
    ]);
  });

  test("that is not extractable stays inside, whatever is done to it", async () => {
    const change = `${KEY} try { Object.defineProperty(key, "extractable", { value: true }); key.usages.push("decrypt"); key.algorithm.name = "HMAC"; } catch {}
      const rsa = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
      const wrapper = await subtle.generateKey({ name: "AES-KW", length: 128 }, false, ["wrapKey"]);`;
    assert.deepEqual(
      await faults(
        [
          'subtle.exportKey("raw", key)',
          'subtle.exportKey("jwk", key)',
          'subtle.wrapKey("raw", key, wrapper, "AES-KW")',
          'subtle.exportKey("pkcs8", rsa.privateKey)',
          'subtle.decrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(32))',
          'subtle.exportKey("raw", { __proto__: CryptoKey.prototype })',
          'subtle.exportKey("raw", Object.create(key))',
        ],
        change,
      ),
      [
        "InvalidAccessError",
        "InvalidAccessError",
        "InvalidAccessError",
        "InvalidAccessError",
        "InvalidAccessError",
        "TypeError",
        "TypeError",
      ],
    );
  });

  test("and the classes around it are made by nobody else", async () => {
    assert.deepEqual(
      await faults(
        [
          "new CryptoKey()",
          "new SubtleCrypto()",
          "new Crypto()",
          "new key.constructor(undefined, {})",
          "subtle.digest.call({}, 'SHA-1', new Uint8Array(1))",
          "crypto.getRandomValues.call({}, new Uint8Array(1))",
        ],
        KEY,
      ),
      Array.from({ length: 6 }, () => "TypeError"),
    );
  });

  test("is copied as it comes in, and comes out as a copy", async () => {
    const code = `${FAULT}
      const raw = new Uint8Array(16).fill(9);
      const making = subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, true, ["sign"]);
      raw.fill(0);
      const key = await making;
      new Uint8Array(await subtle.exportKey("raw", key)).fill(1);
      return hex(await subtle.exportKey("raw", key));`;
    assert.equal(await scripts.run(code), "09".repeat(16));
  });
});

describe("an error has the name that Web Crypto gives it:", () => {
  const KEYS = `const aes = await subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]);
    const password = await subtle.importKey("raw", new Uint8Array(3), "PBKDF2", false, ["deriveBits"]);
    const pair = await subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    const empty = new Uint8Array(0);`;
  for (const [line, name] of [
    ['subtle.digest("SHA-3", empty)', "NotSupportedError"],
    ['subtle.digest("__proto__", empty)', "NotSupportedError"],
    ["subtle.digest({}, empty)", "TypeError"],
    ['subtle.digest("SHA-256", "text")', "TypeError"],
    ['subtle.encrypt("AES-GCM", aes, empty)', "TypeError"],
    ['subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12), tagLength: 7 }, aes, empty)', "OperationError"],
    ['subtle.encrypt({ name: "AES-CBC", iv: new Uint8Array(16) }, aes, empty)', "InvalidAccessError"],
    ['subtle.decrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, aes, empty)', "InvalidAccessError"],
    ['subtle.generateKey({ name: "AES-GCM", length: 100 }, true, ["encrypt"])', "OperationError"],
    ['subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["sign"])', "SyntaxError"],
    ['subtle.generateKey({ name: "AES-GCM", length: 128 }, true, [])', "SyntaxError"],
    ['subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["everything"])', "TypeError"],
    ['subtle.generateKey({ name: "ECDSA", namedCurve: "P-1" }, true, ["sign"])', "NotSupportedError"],
    [
      'subtle.generateKey({ name: "RSA-PSS", hash: "SHA-256", modulusLength: 65536, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["sign"])',
      "OperationError",
    ],
    [
      'subtle.generateKey({ name: "RSA-PSS", hash: "SHA-256", modulusLength: 2048, publicExponent: new Uint8Array([2]) }, true, ["sign"])',
      "OperationError",
    ],
    ['subtle.importKey("raw", new Uint8Array(5), "AES-GCM", true, ["encrypt"])', "DataError"],
    ['subtle.importKey("jwk", { kty: "oct", k: "!" }, "AES-GCM", true, ["encrypt"])', "DataError"],
    ['subtle.importKey("jwk", { kty: "RSA", k: "AA" }, "AES-GCM", true, ["encrypt"])', "DataError"],
    ['subtle.importKey("jwk", { kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA", ext: false }, "AES-GCM", true, ["encrypt"])', "DataError"],
    ['subtle.importKey("jwk", { kty: "oct", k: "AAAAAAAAAAAAAAAAAAAAAA", alg: "A256GCM" }, "AES-GCM", true, ["encrypt"])', "DataError"],
    ['subtle.importKey("spki", new Uint8Array(40), "Ed25519", true, ["verify"])', "DataError"],
    ['subtle.importKey("raw", new Uint8Array(65).fill(4), { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"])', "DataError"],
    ['subtle.importKey("pkcs8", new Uint8Array(100_000), "Ed25519", true, ["sign"])', "DataError"],
    ['subtle.importKey("raw", new Uint8Array(3), "PBKDF2", true, ["deriveBits"])', "SyntaxError"],
    ['subtle.sign("Ed25519", pair.publicKey, empty)', "InvalidAccessError"],
    ['subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: empty, iterations: 0 }, password, 128)', "OperationError"],
    ['subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: empty, iterations: 10 }, password, 3)', "OperationError"],
    ['subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: empty, iterations: -1 }, password, 128)', "TypeError"],
    ['subtle.exportKey("raw", password)', "NotSupportedError"],
    ['subtle.exportKey("pkcs8", aes)', "NotSupportedError"],
  ] as const)
    test(`${line} is a ${name}`, async () => assert.deepEqual(await faults([line], KEYS), [name]));

  test("whatever was changed of a sealed text, it does not open", async () => {
    const code = `${FAULT}
      const key = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
      const use = { name: "AES-GCM", iv: new Uint8Array(12), additionalData: new Uint8Array([1]) };
      const sealed = new Uint8Array(await subtle.encrypt(use, key, new Uint8Array(20)));
      for (const at of [0, 19, 20, 35]) { const bent = sealed.slice(); bent[at] ^= 1; all.push(await fault(() => subtle.decrypt(use, key, bent))); }
      all.push(await fault(() => subtle.decrypt({ ...use, additionalData: new Uint8Array([2]) }, key, sealed)));
      all.push(await fault(() => subtle.decrypt(use, key, sealed.slice(0, 10))));
      all.push(await fault(() => subtle.decrypt(use, key, sealed)));
      return all;`;
    assert.deepEqual(await scripts.run(code), [...Array.from({ length: 6 }, () => "OperationError"), "nothing"]);
  });
});

test("a package that bends the prototypes gets the right hash or an error, never a key's bytes", async () => {
  const code = `const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(0x5a), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const seen = [];
    const watch = (value) => { if (ArrayBuffer.isView(value) && value.length === 32 && new DataView(value.buffer, value.byteOffset).getUint8(0) === 0x5a) seen.push("key"); };
    const { set, subarray, slice } = Object.getPrototypeOf(Uint8Array.prototype);
    const Typed = Object.getPrototypeOf(Uint8Array.prototype);
    Typed.set = function (source, at) { watch(this); watch(source); return set.call(this, source, at); };
    Typed.subarray = function (...args) { watch(this); return subarray.apply(this, args); };
    const RealMap = WeakMap.prototype.get;
    WeakMap.prototype.get = function (key) { const value = RealMap.call(this, key); watch(value?.material ?? value); return value; };
    Object.defineProperty(Object.prototype, "material", { set(value) { watch(value); }, configurable: true });
    Object.defineProperty(Array.prototype, "0", { set(value) { watch(value); Object.defineProperty(this, "0", { value, writable: true, configurable: true, enumerable: true }); }, configurable: true });
    const tag = hex(await crypto.subtle.sign("HMAC", key, new Uint8Array(3)));
    delete Array.prototype[0]; delete Object.prototype.material; Typed.set = set; Typed.subarray = subarray; WeakMap.prototype.get = RealMap;
    return [tag, seen];`;
  const expected = await crypto.subtle.sign(
    "HMAC",
    await crypto.subtle.importKey("raw", Buffer.alloc(32, 0x5a), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]),
    Buffer.alloc(3),
  );
  assert.deepEqual(await scripts.run(code), [Buffer.from(expected).toString("hex"), []]);
});
