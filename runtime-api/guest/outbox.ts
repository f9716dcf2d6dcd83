import { FROM_CELL } from "../../src/bridge/messages.ts";
import { OUTBOX } from "../../src/bridge/outbox.ts";
import { apply, charCodeAt } from "./intrinsics.ts";
import { writeUtf8 } from "./web/utf8.ts";

/** Hands one message to the keeper at once, in the middle of a turn. */
export type Emit = (type: number, call: number, body: string) => void;

const GuestUint8Array = Uint8Array;
const GuestUint32Array = Uint32Array;
const subarray = GuestUint8Array.prototype.subarray;

let send: Emit = () => undefined;
// Written by index alone: nothing that stands behind an array's prototype is asked.
let bytes: Uint8Array = new GuestUint8Array(0);
let used: Uint32Array = new GuestUint32Array(1);

/** Lets every message leave as it is posted, where nobody collects them after a turn. */
export function postAtOnce(by: Emit): void {
  send = by;
}

/** Lets messages be left in memory that the keeper has too, until the turn has ended, microtasks included. */
export function shareOutbox(memory: SharedArrayBuffer, by: Emit): void {
  send = by;
  bytes = new GuestUint8Array(memory, OUTBOX.leadBytes);
  used = new GuestUint32Array(memory, 0, 1);
}

export function post(type: number, call: number, body: string): void {
  // Those before it leave with it: the keeper empties the outbox first.
  if (!leave(type, call, body)) send(type, call, body);
}

function leave(type: number, call: number, body: string): boolean {
  const at = used[0] as number;
  const start = at + OUTBOX.headBytes;
  // A unit is three bytes at most. One that stands for a byte of its own is another's to write.
  if (body.length > OUTBOX.bodyChars || start + body.length * 3 > bytes.length || type === FROM_CELL.POWER_BYTES) return false;
  const length = writeBody(body, start);
  bytes[at] = type;
  writeU32(call, at + 1);
  writeU32(length, at + 5);
  used[0] = start + length;
  return true;
}

function writeBody(body: string, start: number): number {
  for (let index = 0; index < body.length; index += 1) {
    const unit = charCodeAt(body, index);
    if (unit >= 0x80) return writeUtf8(body, apply(subarray, bytes, [start])).written;
    bytes[start + index] = unit;
  }
  return body.length;
}

function writeU32(value: number, at: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}
