import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { anything, array, assert as holds, constantFrom, integer, oneof, property, uint8Array } from "fast-check";
import {
  CIPHER,
  FORMAT,
  HASH,
  KEY,
  KEY_FORM,
  NATIVE,
  NATIVE_FAULTS,
  PIECE_BYTES,
  RANDOM_BYTES,
  TRANSFORM,
} from "../../src/bridge/natives.ts";
import { Natives } from "../../src/keeper/natives/natives.ts";

const MiB = 1024 * 1024;
const LIMITS = { nativeBytes: 1 * MiB, nativeStreamCount: 4, deriveCount: 10_000 };
const NONE = new Uint8Array(0);

function makeNatives(limits = LIMITS): Natives {
  const natives = new Natives();
  natives.limits = limits;
  natives.begin(1);
  return natives;
}

describe("whatever it is called with", () => {
  const hostile = oneof(
    anything({ withBigInt: true, withTypedArray: true, withDate: true, withMap: true }),
    uint8Array({ maxLength: 300 }),
    constantFrom(NaN, Infinity, -1, 2 ** 53, 1.5, "1", null, undefined, new Float64Array(8), new DataView(new ArrayBuffer(8))),
    integer({ min: 0, max: 300 }),
  );

  test("the answer is bytes of their own buffer, a number or one of the faults, and nothing is thrown", () => {
    const natives = makeNatives();
    holds(
      property(integer({ min: -1, max: 22 }), array(hostile, { maxLength: 9 }), (op, values) => {
        assertAnswer(natives.call(op, ...values));
      }),
      { numRuns: 3000 },
    );
  });

  test("also where the types are right", () => {
    const natives = makeNatives();
    const number = integer({ min: 0, max: 40 });
    const bytes = uint8Array({ maxLength: 200 });
    holds(
      property(integer({ min: 1, max: 20 }), number, number, number, bytes, bytes, bytes, bytes, (op, a, b, c, x, y, z, w) => {
        assertAnswer(natives.call(op, a, b, c, x, y, z, w));
      }),
      { numRuns: 3000 },
    );
  });

  test("an object that pretends to be bytes or a number is refused", () => {
    const natives = makeNatives();
    const pretender = { valueOf: () => assert.fail("it was asked"), length: 3, __proto__: Uint8Array.prototype };
    for (const value of [pretender, new Proxy(new Uint8Array(3), {}), "abc", [1, 2, 3]])
      assert.equal(natives.call(NATIVE.RUN, TRANSFORM.HASH, HASH.SHA256, 0, value), "arguments");
    assert.equal(natives.call({ valueOf: () => NATIVE.RANDOM }, 4), "arguments");
    assert.equal(natives.call("__proto__"), "arguments");
  });

  test("before it knows its limits it computes nothing", () => {
    const natives = new Natives();
    assert.equal(natives.call(NATIVE.RANDOM, 1), "size");
    assert.equal(natives.call(NATIVE.OPEN, TRANSFORM.HASH, HASH.SHA256, 0), "count");
    assert.equal(natives.call(NATIVE.PBKDF2, HASH.SHA1, 1, 1, NONE, NONE), "size");
  });
});

function assertAnswer(answer: unknown): void {
  if (answer instanceof Uint8Array) {
    assert.equal(answer.constructor, Uint8Array);
    assert.equal(answer.buffer.byteLength, answer.length);
  } else if (typeof answer === "string") assert.ok((NATIVE_FAULTS as readonly string[]).includes(answer), answer);
  else assert.equal(typeof answer, "number");
}

describe("what it costs has a bound:", () => {
  const natives = makeNatives();
  const one = Uint8Array.of(1);
  const over = new Uint8Array(MiB + 1);
  const cost = (N: number, r: number, p: number): Uint8Array => {
    const bytes = Buffer.alloc(12);
    for (const [index, factor] of [N, r, p].entries()) bytes.writeUInt32BE(factor, index * 4);
    return new Uint8Array(bytes);
  };
  for (const [says, fault, ...call] of [
    ["random bytes past the quota", "size", NATIVE.RANDOM, RANDOM_BYTES + 1],
    ["a text over the limit", "size", NATIVE.RUN, TRANSFORM.HASH, HASH.SHA256, 0, over],
    ["the rounds of PBKDF2", "work", NATIVE.PBKDF2, HASH.SHA256, 32, 10_001, one, one],
    ["its rounds for each block", "work", NATIVE.PBKDF2, HASH.SHA256, 33, 5001, one, one],
    ["a salt that is read for each block", "work", NATIVE.PBKDF2, HASH.SHA512, MiB, 1, one, new Uint8Array(65_536)],
    ["the output of PBKDF2", "size", NATIVE.PBKDF2, HASH.SHA256, MiB + 1, 1, one, one],
    ["N r p of scrypt", "work", NATIVE.SCRYPT, 0, 0, 32, one, one, cost(2048, 8, 1)],
    ["r and p of scrypt behind a small N", "work", NATIVE.SCRYPT, 0, 0, MiB, one, one, cost(2, 64, 64)],
    ["a product past every number", "work", NATIVE.SCRYPT, 0, 0, 32, one, one, cost(2 ** 31, 2 ** 32 - 1, 2 ** 32 - 1)],
    ["the output of HKDF", "size", NATIVE.HKDF, HASH.SHA256, 255 * 32 + 1, 0, one],
    ["the bits of an RSA key", "size", NATIVE.KEY_NEW, KEY.RSA, 8192],
    ["the bytes of a key", "size", NATIVE.KEY_CONVERT, KEY.RSA, KEY_FORM.PKCS8, KEY_FORM.SPKI, new Uint8Array(16_385)],
    ["an open-ended hash", "size", NATIVE.RUN, TRANSFORM.HASH, HASH.SHAKE256, MiB + 1, one],
    ["a dictionary", "size", NATIVE.OPEN, TRANSFORM.COMPRESS, FORMAT.DEFLATE, 0, NONE, NONE, new Uint8Array(32_769)],
  ] as const)
    test(`${says} is refused at once`, () => {
      const startedAt = performance.now();
      assert.equal(natives.call(...(call as unknown as [number])), fault);
      assert.ok(performance.now() - startedAt < 200);
    });

  test("and at the limit it is done", () => {
    for (const call of [
      [NATIVE.RANDOM, RANDOM_BYTES],
      [NATIVE.PBKDF2, HASH.SHA256, 32, 10_000, one, one],
      [NATIVE.SCRYPT, 0, 0, 32, one, one, cost(1024, 8, 1)],
      [NATIVE.HKDF, HASH.SHA256, 255 * 32, 0, one],
    ])
      assert.ok(natives.call(...call) instanceof Uint8Array);
  });
});

describe("an RSA key that would cost more than its size says", () => {
  const natives = makeNatives();
  const part = (bytes: Uint8Array): Uint8Array => Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
  const made = natives.call(NATIVE.KEY_NEW, KEY.RSA, 1024) as Uint8Array;
  const parts = natives.call(NATIVE.KEY_CONVERT, KEY.RSA, KEY_FORM.PKCS8, KEY_FORM.PARTS, made) as Uint8Array;
  const fields: Uint8Array[] = [];
  for (let at = 0; at < parts.length;) {
    const end = at + 2 + (((parts[at] ?? 0) << 8) | (parts[at + 1] ?? 0));
    fields.push(parts.subarray(at + 2, end));
    at = end;
  }
  const convert = (changed: readonly Uint8Array[]): unknown =>
    natives.call(NATIVE.KEY_CONVERT, KEY.RSA, KEY_FORM.PARTS, KEY_FORM.PKCS8, new Uint8Array(Buffer.concat(changed.map(part))));

  test("is taken as it was made", () => assert.deepEqual(convert(fields), made));

  test("is refused with primes larger than its modulus", () => {
    for (const index of [2, 3, 4, 5, 6, 7])
      assert.equal(convert(fields.map((field, at) => (at === index ? Buffer.alloc(1500, 0xff) : field))), "data");
  });

  test("is refused with an exponent without end, or a modulus of another size", () => {
    assert.equal(convert(fields.map((field, at) => (at === 1 ? Buffer.alloc(100, 0xff) : field))), "data");
    assert.equal(convert(fields.map((field, at) => (at === 0 ? Buffer.alloc(1000, 0xff) : field))), "data");
    assert.equal(convert(fields.map((field, at) => (at === 0 ? Buffer.alloc(32, 0xff) : field))), "data");
  });
});

describe("transforms", () => {
  test("are so many, and a place is free again after each way to end one", () => {
    const natives = makeNatives();
    const open = (): unknown => natives.call(NATIVE.OPEN, TRANSFORM.HASH, HASH.SHA256, 0);
    const opened = [open(), open(), open(), open()];
    assert.ok(opened.every((number) => typeof number === "number"));
    assert.equal(open(), "count");
    assert.ok(natives.call(NATIVE.END, opened[0]) instanceof Uint8Array);
    assert.equal(typeof open(), "number");
    natives.call(NATIVE.DROP, opened[1]);
    assert.equal(typeof open(), "number");
    assert.equal(open(), "count");
    natives.endCall(1);
    assert.equal(typeof open(), "number");
    assert.equal(natives.call(NATIVE.PUSH, opened[2], 0, 0, NONE), "state");
  });

  test("go with their call and with no other", () => {
    const natives = makeNatives();
    const first = natives.call(NATIVE.OPEN, TRANSFORM.HASH, HASH.SHA256, 0);
    natives.begin(2);
    const second = natives.call(NATIVE.OPEN, TRANSFORM.HASH, HASH.SHA256, 0);
    natives.endCall(1);
    assert.equal(natives.call(NATIVE.END, first), "state");
    assert.ok(natives.call(NATIVE.END, second) instanceof Uint8Array);
  });

  test("that fail are gone", () => {
    const natives = makeNatives();
    const bad = natives.call(NATIVE.OPEN, TRANSFORM.DECRYPT, CIPHER.AES_GCM, 16, NONE, new Uint8Array(16), new Uint8Array(12));
    assert.equal(natives.call(NATIVE.END, bad, 0, 0, new Uint8Array(16)), "data");
    assert.equal(natives.call(NATIVE.END, bad, 0, 0, new Uint8Array(16)), "state");
  });
});

describe("a bomb", () => {
  for (const [name, format, packed] of [
    ["gzip", FORMAT.GZIP, gzipSync(Buffer.alloc(64 * MiB))],
    ["brotli", FORMAT.BROTLI, brotliCompressSync(Buffer.alloc(64 * MiB))],
  ] as const)
    test(`in ${name} comes out a piece at a time, and may be left`, () => {
      const natives = makeNatives();
      const number = natives.call(NATIVE.OPEN, TRANSFORM.DECOMPRESS, format, 0);
      const before = process.memoryUsage.rss();
      const first = natives.call(NATIVE.PUSH, number, 0, 0, new Uint8Array(packed.subarray(0, 60_000))) as Uint8Array;
      assert.equal(first.length, PIECE_BYTES);
      assert.ok(process.memoryUsage.rss() - before < 32 * MiB);
      assert.equal((natives.call(NATIVE.MORE, number) as Uint8Array).length, PIECE_BYTES);
      assert.equal(natives.call(NATIVE.PUSH, number, 0, 0, Uint8Array.of(1)), "state");
      natives.call(NATIVE.DROP, number);
      assert.equal(natives.call(NATIVE.MORE, number), "state");
    });
});

test("ToASCII takes a domain and nothing else of a URL", () => {
  const natives = makeNatives();
  const ascii = (domain: string): string =>
    Buffer.from(natives.call(NATIVE.DOMAIN, 0, 0, 0, new Uint8Array(Buffer.from(domain))) as Uint8Array).toString();
  assert.equal(ascii("bücher.example"), "xn--bcher-kva.example");
  assert.equal(ascii("ＧＯ.com"), "go.com");
  assert.equal(ascii("faß.de"), "xn--fa-hia.de");
  for (const domain of ["ü:80", "ü/path", "ü?", "ü#", "user@ü", "ü%41", "[ü]", "ü b", "ü\n", "a／ü", "xn--ü"])
    assert.equal(ascii(domain), "", domain);
});
