import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { findAddon } from "../../src/cell/addon.ts";
import { createAddon, loadAddon, type Guest } from "../../src/keeper/isolate.ts";
import { Outbox } from "../../src/keeper/outbox.ts";
import { packRuntime, unpackRuntime } from "../../src/keeper/runtime-file.ts";
import { TO_CELL, FROM_CELL } from "../../src/bridge/messages.ts";

const addon = loadAddon(findAddon().file);
const file = readFileSync(new URL("../../dist/guest.bin", import.meta.url));
const outbox = new Outbox();
const MiB = 1024 * 1024;

async function assertAnswers(guest: Guest): Promise<void> {
  const told: unknown[] = [];
  try {
    assert.deepEqual(await guest.turn(TO_CELL.PING, 7, "", 1000, performance.now()), { kind: "done" });
    outbox.take((...message) => told.push(message));
    assert.deepEqual(told, [[FROM_CELL.PONG, 7, Buffer.alloc(0)]]);
  } finally {
    guest.dispose();
  }
}

const start = (runtime: Parameters<typeof createAddon>[1]): Guest =>
  createAddon(addon, runtime, "here").createGuest(64 * MiB, { emit: () => undefined, native: () => "missing", outbox: outbox.memory });

describe("the runtime's file", () => {
  test("holds its source and what this V8 has compiled of it, which V8 takes", () => {
    const { source, cache } = unpackRuntime(file);
    assert.ok(cache !== null && cache.length > 10_000);
    const isolate = new addon.Isolate({ memoryLimit: 64 });
    const cachedData = new addon.ExternalCopy(cache.buffer as ArrayBuffer);
    const script = isolate.compileScriptSync(source, { filename: "guest.js", cachedData });
    isolate.dispose();
    assert.equal((script as { cachedDataRejected?: boolean }).cachedDataRejected, false);
  });

  test("starts a guest", () => assertAnswers(start(unpackRuntime(file))));

  test("made by another V8 is its source alone, and starts one too", async () => {
    const text = file.toString("latin1");
    const other = unpackRuntime(Buffer.from(text.replace(`${process.versions.v8}-`, "x".repeat(process.versions.v8.length + 1)), "latin1"));
    assert.equal(other.cache, null);
    await assertAnswers(start(other));
  });

  test("with a cache that V8 does not take starts from its source", async () => {
    const { source, cache } = unpackRuntime(file);
    for (const broken of [new Uint8Array(0), new Uint8Array(64), cache?.slice(0, 5000) ?? new Uint8Array(0)]) {
      const packed = unpackRuntime(packRuntime({ source, cache: broken }));
      assert.equal(packed.source, source);
      await assertAnswers(start(packed));
    }
  });

  test("comes back as it was packed, whatever its source holds", () => {
    for (const source of ["1", "", `1\n${process.versions.v8}-`])
      for (const cache of [Uint8Array.of(1, 2, 3), Uint8Array.of(), null])
        assert.deepEqual(unpackRuntime(packRuntime({ source, cache })), { source, cache });
  });
});
