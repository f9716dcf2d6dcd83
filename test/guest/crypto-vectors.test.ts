import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeScripts, type Scripts } from "./crypto-script.ts";

let scripts: Scripts;
before(async () => {
  scripts = await makeScripts();
});
after(() => scripts[Symbol.asyncDispose]());

const ascii = (text: string): string => Buffer.from(text).toString("hex");
const digest = (name: string, data: string): Promise<unknown> =>
  scripts.run("return hex(await crypto.subtle.digest(given.name, bytes(given.data)))", { name, data });

describe("hashes as FIPS 180-4 has them", () => {
  for (const [name, expected] of [
    ["SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d"],
    ["sha-256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["SHA-384", "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"],
    [
      "SHA-512",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ],
  ] as const)
    test(`${name} of "abc"`, async () => assert.equal(await digest(name, ascii("abc")), expected));

  test("SHA-256 of nothing and of a million letters", async () => {
    assert.equal(await digest("SHA-256", ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const million = await scripts.run('return hex(await crypto.subtle.digest("SHA-256", new Uint8Array(1_000_000).fill(97)))');
    assert.equal(million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  });
});

describe("HMAC as RFC 4231 has it", () => {
  const SIGN = `const key = await crypto.subtle.importKey("raw", bytes(given.key), { name: "HMAC", hash: given.hash }, false, ["sign", "verify"]);
    const tag = await crypto.subtle.sign("HMAC", key, bytes(given.data));
    return [hex(tag), await crypto.subtle.verify("HMAC", key, tag, bytes(given.data)), await crypto.subtle.verify("HMAC", key, tag, bytes("00"))];`;
  for (const [name, hash, key, data, tag] of [
    ["case 1", "SHA-256", "0b".repeat(20), ascii("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"],
    [
      "case 2",
      "SHA-384",
      ascii("Jefe"),
      ascii("what do ya want for nothing?"),
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
    ],
    [
      "case 6, a key longer than a block",
      "SHA-512",
      "aa".repeat(131),
      ascii("Test Using Larger Than Block-Size Key - Hash Key First"),
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
    ],
  ] as const)
    test(name, async () => assert.deepEqual(await scripts.run(SIGN, { hash, key, data }), [tag, true, false]));
});

describe("key derivation", () => {
  test("HKDF as RFC 5869 has it, with and without salt and info", async () => {
    const code = `const key = await crypto.subtle.importKey("raw", bytes("0b".repeat(22)), "HKDF", false, ["deriveBits"]);
      return hex(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: bytes(given.salt), info: bytes(given.info) }, key, 336));`;
    assert.equal(
      await scripts.run(code, { salt: "000102030405060708090a0b0c", info: "f0f1f2f3f4f5f6f7f8f9" }),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    );
    assert.equal(
      await scripts.run(code, { salt: "", info: "" }),
      "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    );
  });

  for (const [hash, password, salt, rounds, expected] of [
    ["SHA-1", "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"],
    ["SHA-1", "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"],
    [
      "SHA-1",
      "passwordPASSWORDpassword",
      "saltSALTsaltSALTsaltSALTsaltSALTsalt",
      4096,
      "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038",
    ],
    ["SHA-256", "passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"],
  ] as const)
    test(`PBKDF2 as RFC 6070 and RFC 7914 have it: ${hash}, ${password}, ${rounds} rounds`, async () => {
      const code = `const key = await crypto.subtle.importKey("raw", bytes(given.password), "PBKDF2", false, ["deriveBits"]);
        return hex(await crypto.subtle.deriveBits({ name: "PBKDF2", hash: given.hash, salt: bytes(given.salt), iterations: given.rounds }, key, given.bits));`;
      const given = { hash, password: ascii(password), salt: ascii(salt), rounds, bits: expected.length * 4 };
      assert.equal(await scripts.run(code, given), expected);
    });
});

describe("AES", () => {
  const CRYPT = `const key = await crypto.subtle.importKey("raw", bytes(given.key), given.name, true, ["encrypt", "decrypt"]);
    const algorithm = { name: given.name, ...Object.fromEntries(Object.entries(given.bytes).map(([name, text]) => [name, bytes(text)])), ...given.numbers };
    const sealed = await crypto.subtle.encrypt(algorithm, key, bytes(given.data));
    return [hex(sealed), hex(await crypto.subtle.decrypt(algorithm, key, sealed))];`;

  test("GCM as the specification's test case 4 has it", async () => {
    const data = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
    const given = {
      name: "AES-GCM",
      key: "feffe9928665731c6d6a8f9467308308",
      bytes: { iv: "cafebabefacedbaddecaf888", additionalData: "feedfacedeadbeeffeedfacedeadbeefabaddad2" },
      numbers: { tagLength: 128 },
      data,
    };
    const sealed =
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091" +
      "5bc94fbc3221a5db94fae95ae7121a47";
    assert.deepEqual(await scripts.run(CRYPT, given), [sealed, data]);
  });

  test("CBC as SP 800-38A has it, with its padding behind", async () => {
    const given = {
      name: "AES-CBC",
      key: "2b7e151628aed2a6abf7158809cf4f3c",
      bytes: { iv: "000102030405060708090a0b0c0d0e0f" },
      numbers: {},
      data: "6bc1bee22e409f96e93d7e117393172a",
    };
    const [sealed, opened] = (await scripts.run(CRYPT, given)) as [string, string];
    assert.equal(sealed.slice(0, 32), "7649abac8119b246cee98e9b12e9197d");
    assert.deepEqual([sealed.length, opened], [64, given.data]);
  });

  test("CTR as SP 800-38A has it", async () => {
    const given = {
      name: "AES-CTR",
      key: "2b7e151628aed2a6abf7158809cf4f3c",
      bytes: { counter: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff" },
      numbers: { length: 128 },
      data: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
    };
    const sealed = "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff";
    assert.deepEqual(await scripts.run(CRYPT, given), [sealed, given.data]);
  });

  test("key wrap as RFC 3394 has it", async () => {
    const code = `const kek = await crypto.subtle.importKey("raw", bytes("000102030405060708090a0b0c0d0e0f"), "AES-KW", false, ["wrapKey", "unwrapKey"]);
      const key = await crypto.subtle.importKey("raw", bytes("00112233445566778899aabbccddeeff"), "AES-GCM", true, ["encrypt"]);
      const wrapped = await crypto.subtle.wrapKey("raw", key, kek, "AES-KW");
      const back = await crypto.subtle.unwrapKey("raw", wrapped, kek, "AES-KW", "AES-GCM", true, ["encrypt"]);
      return [hex(wrapped), hex(await crypto.subtle.exportKey("raw", back))];`;
    assert.deepEqual(await scripts.run(code), ["1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5", "00112233445566778899aabbccddeeff"]);
  });
});

test("Ed25519 as RFC 8032 has it, tests 2 and 3", async () => {
  const code = `const results = [];
    for (const { d, x, message } of given.cases) {
      const [toB64] = [(text) => btoaUrl(bytes(text))];
      const jwk = { kty: "OKP", crv: "Ed25519", d: toB64(d), x: toB64(x) };
      const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["sign"]);
      const open = await crypto.subtle.importKey("raw", bytes(x), "Ed25519", true, ["verify"]);
      const signature = await crypto.subtle.sign("Ed25519", key, bytes(message));
      results.push(hex(signature), await crypto.subtle.verify("Ed25519", open, signature, bytes(message)), await crypto.subtle.verify("Ed25519", open, signature, bytes("00" + message)));
    }
    return results;
    function btoaUrl(data) {
      const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      const bits = [...data].map((byte) => byte.toString(2).padStart(8, "0")).join("");
      return (bits.match(/.{1,6}/g) ?? []).map((six) => digits[parseInt(six.padEnd(6, "0"), 2)]).join("");
    }`;
  const cases = [
    {
      d: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      x: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      message: "72",
    },
    {
      d: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      x: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      message: "af82",
    },
  ];
  assert.deepEqual(await scripts.run(code, { cases }), [
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    true,
    false,
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    true,
    false,
  ]);
});
