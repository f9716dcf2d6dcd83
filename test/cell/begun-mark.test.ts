import assert from "node:assert/strict";
import { fstatSync, writeSync } from "node:fs";
import { test } from "node:test";
import { BegunMark } from "../../src/cell/begun-mark.ts";

const numberOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

function open(): BegunMark {
  const mark = BegunMark.open();
  assert.ok(mark !== null);
  return mark;
}

test("a mark says what was written to it last, and -1 before", () => {
  const mark = open();
  assert.equal(mark.last(), -1);
  for (const number of [1, 2, 0xffff_ffff]) {
    writeSync(mark.fd, numberOf(number), 0, 4, 0);
    assert.equal(mark.last(), number);
  }
  mark.close();
});

test("a mark that was closed still says it, and may be closed again", () => {
  const mark = open();
  writeSync(mark.fd, numberOf(7), 0, 4, 0);
  mark.close();
  mark.close();
  assert.equal(mark.last(), 7);
});

test("a mark has no name, and is read as a number whatever else stands in it", { skip: process.platform === "win32" }, () => {
  const mark = open();
  assert.equal(fstatSync(mark.fd).nlink, 0);
  writeSync(mark.fd, Buffer.from([1]), 0, 1, 0);
  assert.equal(mark.last(), -1);
  writeSync(mark.fd, Buffer.alloc(400, 0xff), 0, 400, 0);
  assert.equal(mark.last(), 0xffff_ffff);
  mark.close();
});
