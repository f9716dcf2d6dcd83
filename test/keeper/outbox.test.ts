import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OUTBOX } from "../../src/bridge/outbox.ts";
import { Outbox } from "../../src/keeper/outbox.ts";
import { seededRandom } from "../support/random.ts";

type Message = readonly [number, number, string];

function messageBytes(type: number, call: number, body: string, length = Buffer.byteLength(body)): Buffer {
  const bytes = Buffer.alloc(OUTBOX.headBytes + Buffer.byteLength(body));
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32LE(call, 1);
  bytes.writeUInt32LE(length, 5);
  bytes.write(body, OUTBOX.headBytes);
  return bytes;
}

function leave(outbox: Outbox, content: Buffer, used = content.length): void {
  const bytes = Buffer.from(outbox.memory);
  content.copy(bytes, OUTBOX.leadBytes);
  bytes.writeUInt32LE(used, 0);
}

function take(outbox: Outbox): Message[] {
  const taken: Message[] = [];
  outbox.take((type, call, body) => taken.push([type, call, body.toString()]));
  return taken;
}

describe("an outbox", () => {
  test("gives each message once, in order", () => {
    const outbox = new Outbox();
    leave(outbox, Buffer.concat([messageBytes(4, 1, "one"), messageBytes(12, 0xffff_ffff, ""), messageBytes(4, 2, "zwei ü")]));
    assert.deepEqual(take(outbox), [
      [4, 1, "one"],
      [12, 0xffff_ffff, ""],
      [4, 2, "zwei ü"],
    ]);
    assert.deepEqual(take(outbox), []);
  });

  test("gives what was left while it was read the next time", () => {
    const outbox = new Outbox();
    leave(outbox, messageBytes(4, 1, "one"));
    outbox.take(() => leave(outbox, messageBytes(4, 2, "two")));
    assert.deepEqual(take(outbox), [[4, 2, "two"]]);
  });
});

describe("an outbox in which there is anything", () => {
  test("is read to the first message that does not fit", () => {
    for (const length of [4, 100_000, 0xffff_ffff]) {
      const outbox = new Outbox();
      leave(outbox, Buffer.concat([messageBytes(4, 1, "one"), messageBytes(4, 2, "two", length)]));
      assert.deepEqual(take(outbox), [[4, 1, "one"]]);
    }
  });

  test("is read no further than it is large", () => {
    const outbox = new Outbox();
    leave(outbox, messageBytes(4, 1, "one"), 0xffff_ffff);
    // Behind the one stand zeros: messages of no kind, for no call, of nothing, to the end of the memory.
    const [first, ...rest] = take(outbox);
    assert.deepEqual(first, [4, 1, "one"]);
    assert.equal(rest.length, Math.floor((OUTBOX.bytes - OUTBOX.leadBytes - OUTBOX.headBytes - 3) / OUTBOX.headBytes));
  });

  test("throws for nothing that may stand there", () => {
    const random = seededRandom(6);
    for (let round = 0; round < 500; round += 1) {
      const outbox = new Outbox();
      leave(
        outbox,
        Buffer.from(Array.from({ length: 60 }, () => random.below(random.pick([2, 256])))),
        random.below(random.pick([70, 2 ** 32])),
      );
      for (const [, , body] of take(outbox)) assert.ok(Buffer.byteLength(body) <= OUTBOX.bytes * 3);
    }
  });
});
