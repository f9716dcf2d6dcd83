import type { MessagePort } from "node:worker_threads";
import type { Frame } from "./frames.ts";
import { FROM_CELL, type Meter } from "./messages.ts";
import { BridgeError } from "./parse.ts";

/** What a cell's thread begins with. */
export interface ThreadJob {
  /** The bridge: `ToThread` comes in, `FromThread` goes out. */
  readonly port: MessagePort;
  /** Where the thread says how far it is, for a host that gets no other answer while it is busy. Shared, `TURN` are its places. */
  readonly turns: Int32Array;
  /** The largest body that the host takes. */
  readonly bodyBytes: number;
}

/** Places in `ThreadJob.turns`. */
export const TURN = {
  /** How many messages the thread has begun with. */
  count: 0,
  /** The number of the message that it began with last. */
  current: 1,
  /** The highest number of those that begin something: a call, a module, an unloading. */
  begun: 2,
} as const;

/** A message of the bridge to a thread. A body of ANSWER_BYTES has one character a byte. */
export interface ToThread {
  readonly type: number;
  readonly call: number;
  readonly body: string;
}

/** A message of the bridge from a thread. A body of POWER_BYTES has one character a byte. */
export interface FromThread extends ToThread {
  readonly meter: Meter;
}

/** A message as the frame that a pipe would have carried. Throws BridgeError for one that is none, or whose body is too large. */
export function parseThreadFrame(message: unknown, bodyBytes: number): Frame {
  if (typeof message !== "object" || message === null) throw new BridgeError("A message is no object");
  const { type, call, body, meter } = message as Partial<Record<keyof FromThread, unknown>>;
  if (!isCount(type) || !isCount(call) || typeof body !== "string") throw new BridgeError("A message is no frame");
  const encoding = type === FROM_CELL.POWER_BYTES ? "latin1" : "utf8";
  // Looked at before it is copied; no character takes less than a byte.
  if (body.length > bodyBytes || Buffer.byteLength(body, encoding) > bodyBytes) throw new BridgeError("A body is too large");
  return { type, call, meter: parseMeter(meter), body: Buffer.from(body, encoding) };
}

function parseMeter(meter: unknown): Meter {
  if (typeof meter !== "object" || meter === null) throw new BridgeError("A message has no meter");
  const { cpuMicros, heapBytes } = meter as Partial<Record<keyof Meter, unknown>>;
  if (!isCount(cpuMicros) || !isCount(heapBytes)) throw new BridgeError("A meter counts wrongly");
  return { cpuMicros, heapBytes };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
