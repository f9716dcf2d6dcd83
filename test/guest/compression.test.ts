import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import zlib from "node:zlib";
import { makeScripts, type Scripts } from "./crypto-script.ts";

// What `natives.createCodec` gives: the shims of Node's zlib and the web's compression streams stand on it.
const TEXT = Buffer.from("compressed and decompressed, ".repeat(5000));
const FORMATS = {
  gzip: [zlib.gzipSync, zlib.gunzipSync],
  deflate: [zlib.deflateSync, zlib.inflateSync],
  "deflate-raw": [zlib.deflateRawSync, zlib.inflateRawSync],
  brotli: [zlib.brotliCompressSync, zlib.brotliDecompressSync],
} as const;
const WHOLE = `
  const through = (format, isCompressing, pieces, settings) => {
    const codec = natives.createCodec(format, isCompressing, settings);
    try {
      const out = [];
      for (const piece of pieces) out.push(...codec.push(piece));
      out.push(...codec.end());
      return bytes(out.map(hex).join(""));
    } finally { codec.close(); }
  };
  const fault = (run) => { try { run(); return "nothing"; } catch (error) { return error.fault ?? error.name; } };
`;

let scripts: Scripts;
before(async () => {
  scripts = await makeScripts({ limits: { nativeStreamCount: 8 } });
});
after(() => scripts[Symbol.asyncDispose]());

const run = (code: string, given: object = {}): Promise<unknown> => scripts.run(WHOLE + code, given);

describe("a codec", () => {
  for (const [format, [compress, decompress]] of Object.entries(FORMATS)) {
    test(`reads the ${format} that Node writes, in one piece and byte by byte`, async () => {
      const packed = compress(TEXT).toString("hex");
      const code = `const packed = bytes(given.packed);
        const text = new TextEncoder().encode("compressed and decompressed, ".repeat(5000));
        const whole = through(given.format, false, [packed]);
        const bitwise = through(given.format, false, [...packed].map((byte) => Uint8Array.of(byte)));
        return [hex(whole) === hex(text), hex(bitwise) === hex(text)];`;
      assert.deepEqual(await run(code, { format, packed }), [true, true]);
    });

    test(`writes ${format} that Node reads`, async () => {
      const code = `const text = new TextEncoder().encode("compressed and decompressed, ".repeat(5000));
        return [hex(through(given.format, true, [text])), hex(through(given.format, true, [])), hex(through(given.format, true, [text.subarray(0, 10), new Uint8Array(0), text.subarray(10)]))];`;
      const [packed, empty, pieces] = ((await run(code, { format })) as string[]).map((hex) => decompress(Buffer.from(hex, "hex")));
      assert.deepEqual(packed, TEXT);
      assert.deepEqual(empty, Buffer.alloc(0));
      assert.deepEqual(pieces, TEXT);
    });

    test(`refuses ${format} that is cut short, bent, or goes on behind its end`, async () => {
      const packed = compress(TEXT).toString("hex");
      const code = `const packed = bytes(given.packed);
        const bent = packed.slice(); bent[bent.length >> 1] ^= 0xff; bent[3] ^= 0xff;
        return [
          fault(() => through(given.format, false, [packed.subarray(0, packed.length - 3)])),
          fault(() => through(given.format, false, [])),
          fault(() => through(given.format, false, [Uint8Array.from({ length: 40 }, (_, index) => index * 97 + 5)])),
          fault(() => through(given.format, false, [packed, Uint8Array.of(1, 2, 3)])),
          fault(() => through(given.format, false, [packed])),
        ];`;
      assert.deepEqual(await run(code, { format, packed }), ["data", "data", "data", "data", "nothing"]);
    });
  }

  test("gives what it has where it is flushed", async () => {
    const code = `const out = [];
      for (const format of ["gzip", "deflate", "deflate-raw", "brotli"]) {
        const [packer, reader] = [natives.createCodec(format, true), natives.createCodec(format, false)];
        const packed = [...packer.push(new TextEncoder().encode("now"), true)];
        out.push(packed.flatMap((piece) => [...reader.push(piece)]).map((piece) => new TextDecoder().decode(piece)).join(""));
        packer.close(); reader.close();
      }
      return out;`;
    assert.deepEqual(await run(code), ["now", "now", "now", "now"]);
  });

  test("takes settings and a dictionary, and refuses those that there are not", async () => {
    const code = `const text = new TextEncoder().encode("abcabcabc".repeat(100));
      const dictionary = new TextEncoder().encode("abcabcabc");
      return [
        hex(through("deflate", true, [text], { level: 0 })).length > text.length * 2,
        hex(through("deflate", false, [through("deflate", true, [text], { level: 9, windowBits: 9, memLevel: 1, strategy: 2, dictionary })], { dictionary })) === hex(text),
        fault(() => through("deflate", true, [text], { level: 10 })),
        fault(() => through("deflate", true, [text], { windowBits: -3 })),
        fault(() => through("brotli", true, [text], { level: 11, windowBits: 24 })),
      ];`;
    assert.deepEqual(await run(code), [true, true, "data", "data", "nothing"]);
  });

  test("unpacks far more than a cell may hold, piece by piece", async () => {
    const packed = zlib.gzipSync(Buffer.alloc(400 * 1024 * 1024), { level: 1 }).toString("base64");
    const code = `const packed = Uint8Array.from(atob(given.packed), (character) => character.charCodeAt(0));
      const codec = natives.createCodec("gzip", false);
      let length = 0;
      for (const piece of codec.push(packed)) length += piece.length;
      for (const piece of codec.end()) length += piece.length;
      return length;`;
    assert.equal(await run(code, { packed }), 400 * 1024 * 1024);
  });

  test("that was left open goes with its call", async () => {
    const code = `for (let count = 0; count < 8; count += 1) natives.createCodec("gzip", true);
      return fault(() => natives.createCodec("gzip", true));`;
    for (let call = 0; call < 3; call += 1) assert.equal(await run(code), "count");
    assert.equal(await run('return fault(() => natives.createCodec("gzip", true))'), "nothing");
  });
});

test("a hash of many pieces is the hash of the whole, also where it was copied on the way", async () => {
  const code = `const piece = new Uint8Array(100_000).fill(7);
    const hash = natives.createHash("sha256");
    for (let count = 0; count < 15; count += 1) hash.update(piece);
    const half = hash.copy();
    for (let count = 0; count < 15; count += 1) hash.update(piece);
    for (let count = 0; count < 15; count += 1) half.update(piece);
    const short = natives.createHash("sha256"); short.update(bytes("01")); const other = short.copy(); other.update(bytes("02"));
    const hmac = natives.createHmac("sha512", bytes("00ff")); for (let count = 0; count < 30; count += 1) hmac.update(piece);
    return [hash.digest(), half.digest(), other.digest(), hmac.digest()].map(hex);`;
  const { createHash, createHmac } = await import("node:crypto");
  const all = Buffer.alloc(3_000_000, 7);
  const whole = createHash("sha256").update(all).digest("hex");
  const hmac = createHmac("sha512", Buffer.of(0, 255)).update(all).digest("hex");
  assert.deepEqual(await run(code), [whole, whole, createHash("sha256").update(Buffer.of(1, 2)).digest("hex"), hmac]);
});
