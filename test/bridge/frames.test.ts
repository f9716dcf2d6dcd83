import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { encodeFrame, FrameBuffer, FrameReader, type Frame } from "../../src/bridge/frames.ts";
import { seededRandom, type Random } from "../support/random.ts";

const HEAD_BYTES = 13;

describe("frames", () => {
  test("come out as they went in, however the pipe cuts them", () => {
    const random = seededRandom(4);
    for (let round = 0; round < 200; round += 1) {
      const sent = Array.from({ length: 1 + random.below(6) }, () => randomFrame(random));
      const stream = Buffer.concat(sent.map(({ type, call, body, meter }) => encodeFrame(type, call, body, meter)));
      const read = readAll(5000, randomChunks(random, stream));
      assert.deepEqual(read, sent);
    }
  });

  test("come out at the last of their bytes and not before", () => {
    const frame = encodeFrame(4, 7, "body");
    const read: string[] = [];
    const reader = new FrameReader(100, ({ body }) => read.push(body.toString()));
    for (const byte of frame.subarray(0, -1)) reader.push(Buffer.of(byte));
    assert.deepEqual(read, []);
    reader.push(frame.subarray(-1));
    assert.deepEqual(read, ["body"]);
  });

  test("carry text as UTF-8 and bytes as they are", () => {
    const [text, bytes] = readAll(100, [encodeFrame(1, 0, "中\u{1f600}"), encodeFrame(1, 0, Buffer.of(0, 255, 10))]);
    assert.equal(text?.body.toString(), "中\u{1f600}");
    assert.deepEqual(bytes?.body, Buffer.of(0, 255, 10));
  });

  test("carry the largest numbers that they have room for, and hold a meter to them", () => {
    const frame = encodeFrame(255, 0xffff_ffff, "", { cpuMicros: 1e15, heapBytes: 1e18 });
    assert.deepEqual(readAll(0, [frame]), [
      { type: 255, call: 0xffff_ffff, meter: { cpuMicros: 0xffff_ffff, heapBytes: 0xffff_ffff * 1024 }, body: Buffer.alloc(0) },
    ]);
  });

  test("of exactly the largest size are taken", () => {
    assert.equal(readAll(64, [encodeFrame(1, 0, Buffer.alloc(64))])[0]?.body.length, 64);
  });
});

describe("a buffer of frames", () => {
  test("gives what was added since the last time, as one stream", () => {
    const buffer = new FrameBuffer(1000);
    const meter = { cpuMicros: 5, heapBytes: 2048 };
    for (const text of ["first", "second"]) {
      assert.ok(buffer.isEmpty);
      assert.ok(buffer.add(4, 1, text, meter));
      assert.ok(buffer.add(6, 2, Buffer.of(0, 255)));
      assert.ok(!buffer.isEmpty);
      assert.deepEqual(readAll(100, [Buffer.from(buffer.take())]), [
        { type: 4, call: 1, meter, body: Buffer.from(text) },
        { type: 6, call: 2, meter: { cpuMicros: 0, heapBytes: 0 }, body: Buffer.of(0, 255) },
      ]);
    }
  });

  test("takes nothing of what it might have no room for", () => {
    const buffer = new FrameBuffer(2 * (4 + HEAD_BYTES + 9));
    assert.ok(buffer.add(4, 1, "abc"));
    assert.ok(!buffer.add(4, 2, "abcdefgh"));
    assert.ok(buffer.add(4, 3, "\u4e2d\u4e2d\u4e2d"));
    assert.ok(!buffer.add(4, 4, ""));
    assert.deepEqual(
      readAll(100, [Buffer.from(buffer.take())]).map(({ call, body }) => [call, body.toString()]),
      [
        [1, "abc"],
        [3, "中中中"],
      ],
    );
  });
});

describe("a stream that can be no frame of ours is refused", () => {
  for (const [what, length] of [
    ["a body one byte too large", HEAD_BYTES + 65],
    ["four gigabytes", 0xffff_ffff],
    ["less than a head", HEAD_BYTES - 1],
    ["nothing", 0],
  ] as const) {
    test(`one that claims ${what}, at its length alone`, () => {
      const claim = Buffer.alloc(4);
      claim.writeUInt32LE(length);
      const before = process.memoryUsage().arrayBuffers;
      assert.throws(() => readAll(64, [claim]), { name: "FrameError" });
      assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000, "what is claimed is not allocated");
    });
  }

  test("also where the length comes a byte at a time", () => {
    assert.throws(() => readAll(64, [Buffer.of(0xff), Buffer.of(0xff), Buffer.of(0xff), Buffer.of(0x7f)]), {
      name: "FrameError",
    });
  });

  test("after the good frames before it", () => {
    const stream = Buffer.concat([encodeFrame(1, 2, "good"), Buffer.alloc(4)]);
    const read: string[] = [];
    const reader = new FrameReader(64, ({ body }) => read.push(body.toString()));
    assert.throws(() => reader.push(stream), { name: "FrameError" });
    assert.deepEqual(read, ["good"]);
  });
});

function randomFrame(random: Random): Frame {
  return {
    type: random.below(256),
    call: random.below(2 ** 32),
    meter: { cpuMicros: random.below(2 ** 32), heapBytes: random.below(2 ** 32) * 1024 },
    body: Buffer.from(Array.from({ length: random.below(random.pick([1, 20, 5001])) }, () => random.below(256))),
  };
}

function randomChunks(random: Random, stream: Buffer): Buffer[] {
  const largest = random.pick([1, 3, 17, 1000, 100_000]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length;) {
    const size = 1 + random.below(largest);
    chunks.push(stream.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

// Through one piece of memory, written to again for each chunk, and through the chunks as they are.
function readAll(maxBodyBytes: number, chunks: readonly Buffer[]): Frame[] {
  const [frames, again]: [Frame[], Frame[]] = [[], []];
  const reader = new FrameReader(maxBodyBytes, (frame) => frames.push(frame));
  const reusing = new FrameReader(maxBodyBytes, (frame) => again.push({ ...frame, body: Buffer.from(frame.body) }));
  const memory = Buffer.alloc(Math.max(...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    reader.push(chunk);
    chunk.copy(memory);
    reusing.push(memory.subarray(0, chunk.length), true);
  }
  assert.deepEqual(again, frames);
  return frames;
}
