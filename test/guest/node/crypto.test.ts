import assert from "node:assert/strict";
import { test } from "node:test";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";
import { sameAsNode } from "./as-node.ts";

sameAsNode(["crypto", "buffer", "stream/promises", "stream"], {
  "hashes under every name, at once and in pieces": ({ crypto, buffer: { Buffer } }) =>
    ["md5", "sha1", "SHA256", "sha-384", "RSA-SHA512", "sha3-256", "ripemd160", "blake2b512"].map((name) => [
      crypto
        .createHash(name)
        .update("héllo")
        .update(Buffer.from([0, 255]))
        .digest("hex"),
      crypto.createHash(name).update("68c3a9", "hex").digest("base64url"),
      crypto.hash(name, "x"),
      crypto.createHmac(name, "key").update("x".repeat(100_000)).digest().length,
      crypto
        .createHmac(name, Buffer.from("k"))
        .update(new Uint16Array([1, 2]))
        .digest("base64"),
    ]),
  "goes on from a copy": ({ crypto }) => {
    const first = crypto.createHash("sha256").update("a");
    const copy = first.copy().update("b");
    return [first.digest("hex"), copy.digest("hex"), crypto.createHash("shake128", { outputLength: 5 }).update("").digest("hex")];
  },
  "refuses a hash that has ended": ({ crypto }) => {
    const hash = crypto.createHash("sha256");
    hash.digest();
    hash.update("more");
  },
  "refuses a hash that there is none of": ({ crypto }) => void crypto.createHash("sha0"),
  "refuses an HMAC of a hash that there is none of": ({ crypto }) => void crypto.createHmac("sha0", "k"),
  "refuses to hash what is no bytes": ({ crypto }) => crypto.createHash("md5").update(1),
  "hashes a stream": async (modules) => {
    const hash = modules["crypto"].createHash("sha256");
    await modules["stream/promises"].pipeline(modules["stream"].Readable.from(["a", "b"]), hash);
    const piped = modules["crypto"].createHash("md5");
    piped.setEncoding("hex");
    piped.write("abc");
    piped.end();
    const [text] = await piped.toArray();
    return [hash.digest === undefined, hash.read().toString("hex"), text];
  },
  "derives keys": async ({ crypto }) => [
    crypto.pbkdf2Sync("pass", "salt", 10, 20, "sha1").toString("hex"),
    await new Promise((resolve) => crypto.pbkdf2("pass", "salt", 10, 20, "sha512", (_: null, key: Buffer) => resolve(key.toString("hex")))),
    crypto.scryptSync("pass", "salt", 16, { N: 16, r: 2, p: 1 }).toString("hex"),
    Array.from(new Uint8Array(crypto.hkdfSync("sha256", "key", "salt", "info", 10))),
  ],
  "refuses to derive by a hash that there is none of": ({ crypto }) => crypto.pbkdf2Sync("p", "s", 1, 1, "sha0"),
  "refuses rounds that are none": ({ crypto }) => crypto.pbkdf2Sync("p", "s", 0, 1, "sha1"),
  "encrypts and decrypts": ({ crypto, buffer: { Buffer } }) =>
    ["aes-128-cbc", "aes-256-ctr", "aes-192-ecb", "AES-256-GCM", "chacha20-poly1305"].map((name) => {
      const key = Buffer.alloc(Number(/\d{3}/.exec(name)?.[0] ?? 256) / 8, 7);
      const vector = name.includes("ecb") ? null : Buffer.alloc(/gcm|poly/i.test(name) ? 12 : 16, 1);
      const options = name.includes("poly") ? { authTagLength: 16 } : {};
      const cipher = crypto.createCipheriv(name, key, vector, options);
      const hasTag = /gcm|poly/i.test(name);
      if (hasTag) cipher.setAAD(Buffer.from("aad"));
      const secret = cipher.update("some text", "utf8", "hex") + cipher.final("hex");
      const tag = hasTag ? cipher.getAuthTag() : null;
      const decipher = crypto.createDecipheriv(name, key, vector, options);
      if (hasTag) decipher.setAAD(Buffer.from("aad")).setAuthTag(tag);
      return [secret, tag?.toString("hex"), decipher.update(secret, "hex", "utf8") + decipher.final("utf8")];
    }),
  "refuses a text that was tampered with": ({ crypto, buffer: { Buffer } }) => {
    const decipher = crypto.createDecipheriv("aes-128-gcm", Buffer.alloc(16), Buffer.alloc(12));
    decipher.setAuthTag(Buffer.alloc(16));
    decipher.update("00", "hex");
    decipher.final();
  },
  "refuses a key of the wrong length": ({ crypto, buffer: { Buffer } }) =>
    void crypto.createCipheriv("aes-128-cbc", Buffer.alloc(5), Buffer.alloc(16)),
  "refuses a cipher that there is none of": ({ crypto, buffer: { Buffer } }) =>
    void crypto.createCipheriv("none", Buffer.alloc(5), Buffer.alloc(16)),
  "compares in constant time": ({ crypto, buffer: { Buffer } }) => [
    crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("a")),
    crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("b")),
  ],
  "refuses to compare what is not of one length": ({ crypto, buffer: { Buffer } }) =>
    crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("ab")),
  "draws what is random in the right shape": async ({ crypto }) => {
    const numbers = Array.from({ length: 200 }, () => crypto.randomInt(3, 6));
    const filled = crypto.randomFillSync(new Uint32Array(4), 2);
    return [
      crypto.randomBytes(70_000).length,
      (await new Promise<Buffer>((resolve) => crypto.randomBytes(3, (_: null, bytes: Buffer) => resolve(bytes)))).length,
      [...new Set(numbers)].sort(),
      [filled[0], filled[1]],
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(crypto.randomUUID()),
      crypto.getRandomValues(new Uint8Array(2)).length,
      typeof crypto.webcrypto.subtle.digest,
    ];
  },
  "refuses a range that is none": ({ crypto }) => crypto.randomInt(5, 5),
});

sameAsNode(["zlib", "buffer", "stream", "stream/promises", "util"], {
  "packs and unpacks every format": ({ zlib, buffer: { Buffer } }) =>
    [
      ["gzipSync", "gunzipSync"],
      ["deflateSync", "inflateSync"],
      ["deflateRawSync", "inflateRawSync"],
      ["brotliCompressSync", "brotliDecompressSync"],
      ["gzipSync", "unzipSync"],
      ["deflateSync", "unzipSync"],
    ].map(([pack = "", unpack = ""]) => {
      const packed = zlib[pack]("text ".repeat(50_000));
      return [Buffer.isBuffer(packed), packed.length < 2000, zlib[unpack](packed).toString() === "text ".repeat(50_000)];
    }),
  "packs as it is told to": ({ zlib, buffer: { Buffer } }) => {
    const text = Buffer.from("abcabcabc ".repeat(100));
    return [
      zlib.deflateSync(text, { level: 0 }).toString("base64").slice(0, 40),
      zlib.deflateSync(text, { level: 9, windowBits: 9, memLevel: 1, strategy: zlib.constants.Z_HUFFMAN_ONLY }).toString("base64"),
      zlib.inflateSync(zlib.deflateSync(text, { dictionary: Buffer.from("abc") }), { dictionary: Buffer.from("abc") }).length,
      zlib.crc32("hello"),
      zlib.Z_BEST_COMPRESSION,
    ];
  },
  "unpacks to a callback, a promise and a stream": async (modules) => {
    const { zlib, buffer, stream, util } = modules as { [name: string]: any };
    const packed = await util.promisify(zlib.gzip)("some text");
    const called = await new Promise((resolve) =>
      zlib.gunzip(packed, (error: unknown, bytes: Buffer) => resolve([error, bytes.toString()])),
    );
    const pieces = stream.Readable.from([packed.subarray(0, 5), packed.subarray(5)]);
    const chunks: Uint8Array[] = [];
    await modules["stream/promises"].pipeline(pieces, zlib.createGunzip(), async (source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of source) chunks.push(chunk);
    });
    return [called, buffer.Buffer.concat(chunks).toString(), zlib.Gzip().constructor.name];
  },
  "flushes in the middle": async ({ zlib }) => {
    const packing = zlib.createDeflate();
    packing.write("first");
    await new Promise<void>((resolve) => packing.flush(() => resolve()));
    return zlib.inflateSync(packing.read(), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString();
  },
  "refuses data that is none": ({ zlib, buffer: { Buffer } }) => zlib.gunzipSync(Buffer.from("no gzip at all")),
  "refuses data that stops short": ({ zlib }) => zlib.gunzipSync(zlib.gzipSync("x".repeat(1000)).subarray(0, 20)),
  "stops where more comes out than was allowed": ({ zlib }) => zlib.gunzipSync(zlib.gzipSync("x".repeat(1000)), { maxOutputLength: 10 }),
});

test("a hash computes no more than the guest may have computed, and says which limit it met", async () => {
  const run = `const run = () => { const told = (step) => { try { return step(); } catch (error) { return error.message; } };
    return JSON.stringify([told(() => pbkdf2Sync("p", "s", 1e9, 64, "sha512").length), told(() => scryptSync("p", "s", 64, { N: 2 ** 24, r: 64, p: 64 }).length)]); };`;
  await using made = await makeEngine({
    "derive/ask.js": toolFile("ask", run, { code: 'import { pbkdf2Sync, scryptSync } from "node:crypto";' }),
  });
  const { ok, text } = await made.engine.call("ask");
  assert.equal(ok, true, text);
  for (const told of JSON.parse(text) as unknown[]) assert.match(String(told), /deriveCount/);
});
