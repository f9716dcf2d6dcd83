import { NATIVE_FAULTS, type NativeFault, type NativeLimits } from "../../src/bridge/natives.ts";
import { NATIVES } from "../../src/catalogue/texts.ts";
import { GuestError, GuestRangeError, apply } from "./intrinsics.ts";

/** The keeper's one function that answers in the middle of a turn; `src/bridge/natives.ts` says what it takes. */
export type Native = (op: number, a: number, b: number, c: number, ...bytes: Uint8Array[]) => unknown;
export type Bytes = Uint8Array<ArrayBuffer>;

const GuestUint8Array = Uint8Array;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const lengthGetter = Object.getOwnPropertyDescriptor(TypedArrayPrototype, "length")?.get as (this: Uint8Array) => number;
const { set, subarray } = TypedArrayPrototype;

// Nothing but this module reaches it: no package is handed a function of the keeper's.
let native: Native | null = null;
let limits: NativeLimits = { nativeBytes: 0, nativeStreamCount: 0, deriveCount: 0 };

export function setNative(given: Native): void {
  native = given;
}

export function setNativeLimits(given: NativeLimits): void {
  limits = given;
}

/** The keeper computes nothing for it, and why. */
export class NativeError extends GuestError {
  override readonly name: string = "NativeError";
  readonly fault: NativeFault;

  constructor(fault: NativeFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Bytes that the keeper computes. Throws NativeError. */
export function askBytes(op: number, a = 0, b = 0, c = 0, ...bytes: readonly Uint8Array[]): Bytes {
  return ask(op, a, b, c, bytes) as Bytes;
}

/** A number that the keeper computes. Throws NativeError. */
export function askNumber(op: number, a = 0, b = 0, c = 0, ...bytes: readonly Uint8Array[]): number {
  return ask(op, a, b, c, bytes) as number;
}

/** The most that may cross at once. */
export function largestCrossing(): number {
  return limits.nativeBytes;
}

function ask(op: number, a: number, b: number, c: number, bytes: readonly Uint8Array[]): unknown {
  if (native === null) throw new NativeError("missing", NATIVES.missing);
  const copies: Uint8Array[] = [];
  for (let index = 0; index < bytes.length; index += 1) {
    const given = bytes[index] as Uint8Array;
    if (lengthOf(given) > limits.nativeBytes) throw new NativeError("size", messageOf("size"));
    // A view crosses with the whole of its buffer.
    copies[index] = copyOf(given);
  }
  let answer: unknown;
  try {
    answer = native(op, a, b, c, ...copies);
  } catch {
    // There was no memory for the answer, or no stack for the call.
    throw new GuestRangeError(NATIVES.noMemory);
  }
  if (typeof answer === "string") throw new NativeError(faultOf(answer), messageOf(faultOf(answer)));
  return answer;
}

function faultOf(answer: string): NativeFault {
  for (let index = 0; index < NATIVE_FAULTS.length; index += 1) if (NATIVE_FAULTS[index] === answer) return answer;
  return "arguments";
}

function messageOf(fault: NativeFault): string {
  switch (fault) {
    case "size":
      return NATIVES.size(limits.nativeBytes);
    case "work":
      return NATIVES.work(limits.deriveCount);
    case "count":
      return NATIVES.count(limits.nativeStreamCount);
    case "data":
      return NATIVES.data;
    case "state":
      return NATIVES.state;
    case "missing":
      return NATIVES.missing;
    case "arguments":
      return NATIVES.arguments;
  }
}

export function lengthOf(bytes: Uint8Array): number {
  return apply(lengthGetter, bytes, []);
}

/** A copy whose buffer holds these bytes and no more. */
export function copyOf(bytes: Uint8Array): Bytes {
  const copy = new GuestUint8Array(lengthOf(bytes));
  apply(set, copy, [bytes]);
  return copy;
}

export function part(bytes: Uint8Array, from: number, to?: number): Uint8Array {
  return apply(subarray, bytes, [from, to ?? lengthOf(bytes)]);
}

export function concat(pieces: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (let index = 0; index < pieces.length; index += 1) length += lengthOf(pieces[index] as Uint8Array);
  const whole = new GuestUint8Array(length);
  let at = 0;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] as Uint8Array;
    apply(set, whole, [piece, at]);
    at += lengthOf(piece);
  }
  return whole;
}

export const NO_BYTES = new GuestUint8Array(0);
