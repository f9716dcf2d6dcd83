import assert from "node:assert/strict";
import { test } from "node:test";
import { createReader, toFrame } from "../../src/bench/floor-frames.ts";
import { Floor } from "../../src/bench/floor.ts";
import { childPids, cpuMicrosOf, privateBytesOf } from "../../src/bench/processes.ts";
import { findAddon } from "../../src/cell/addon.ts";

const isLinux = process.platform === "linux";

test("frames come out whole, however the stream is cut, and from memory that is used again", () => {
  const texts = ["", "short", "with \u2603 and \u{1F600}", "x".repeat(1000), ""];
  const stream = Buffer.concat(texts.map((text) => Buffer.from(toFrame(text))));
  for (const size of [1, 2, 3, 5, 7, 64, 1000, stream.length]) {
    const seen: string[] = [];
    const read = createReader((text) => seen.push(text));
    const memory = Buffer.alloc(size);
    for (let at = 0; at < stream.length; at += size) {
      const length = stream.copy(memory, 0, at, at + size);
      read(memory.subarray(0, length));
      memory.fill(0xff);
    }
    assert.deepEqual(seen, texts, `in pieces of ${size}`);
  }
});

test("a frame in reused memory is as one of its own, and one that may not fit gets its own", () => {
  const reused = Buffer.alloc(32);
  for (const text of ["a", "\u2603\u2603", "x".repeat(100)])
    assert.deepEqual(Buffer.from(toFrame(text, reused)), Buffer.from(toFrame(text)));
});

for (const way of ["here", "threads", "fresh"] as const)
  test(`the floor gives JSON back, in order, with many calls under way: ${way}`, async () => {
    await using floor = await Floor.start(findAddon().file, way);
    const asked = Array.from({ length: 20 }, (_, index) => ({ index, text: "\u2603".repeat(index * 3000) }));
    assert.deepEqual(await Promise.all(asked.map((args) => floor.call(args))), asked);
  });

test(
  "the system tells what a process of ours takes, and the process is gone with its floor",
  { skip: !isLinux && "Linux tells it" },
  async () => {
    const floor = await Floor.start(findAddon().file);
    assert.ok(childPids().includes(floor.pid));
    const before = cpuMicrosOf([floor.pid]) ?? NaN;
    for (let made = 0; made < 200; made += 1) await floor.call({ made });
    assert.ok((cpuMicrosOf([floor.pid]) ?? NaN) > before);
    assert.ok((privateBytesOf([floor.pid]) ?? NaN) > 1024 * 1024);
    await floor[Symbol.asyncDispose]();
    await floor[Symbol.asyncDispose]();
    assert.ok(!childPids().includes(floor.pid));
    assert.equal(cpuMicrosOf([floor.pid]), null);
  },
);

test("a floor whose process is gone says so to whoever waits, and to whoever asks after", async () => {
  await using floor = await Floor.start(findAddon().file, "load");
  const asked = floor.call({});
  process.kill(floor.pid, "SIGKILL");
  await assert.rejects(asked, /has ended/u);
  await assert.rejects(floor.call({}), /has ended/u);
});

test("a floor that cannot start says why", async () => {
  await assert.rejects(Floor.start("/nowhere/addon.node"), /has ended: Error: Cannot find module/u);
});
