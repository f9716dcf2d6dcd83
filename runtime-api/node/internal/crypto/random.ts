import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { realm } from "../realm.ts";
import { toolcell } from "../toolcell.ts";

type Callback = (error: Error | null, value?: unknown) => void;

const INT_RANGE = 2 ** 48 - 1;

export function randomBytes(size: unknown, callback?: Callback): unknown {
  assertInteger("size", size, 0, 2 ** 31 - 1);
  return later(callback, () => toBuffer(toolcell().natives.randomBytes(size)));
}

export function randomFillSync(target: ArrayBufferView | ArrayBuffer, offset = 0, size?: number): unknown {
  const whole =
    target instanceof ArrayBuffer ? new Uint8Array(target) : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  // Both count elements of the array, whatever one of them is wide.
  const width = target instanceof ArrayBuffer ? 1 : ((target as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1);
  const from = offset * width;
  const to = size === undefined ? whole.length : from + size * width;
  if (from > whole.length || to > whole.length) throw new codes.ERR_OUT_OF_RANGE("size", `>= 0 && <= ${whole.length}`, size ?? offset);
  whole.set(toolcell().natives.randomBytes(to - from), from);
  return target;
}

export function randomFill(target: ArrayBufferView, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback;
  later(callback, () => randomFillSync(target, rest[0] as number | undefined, rest[1] as number | undefined));
}

/** A whole number from `min` up to and without `max`, each as likely as the next. */
export function randomInt(...args: unknown[]): unknown {
  const callback = typeof args.at(-1) === "function" ? (args.pop() as Callback) : undefined;
  const [min, max] = args.length < 2 ? [0, args[0]] : args;
  for (const [name, value] of [
    ["min", min],
    ["max", max],
  ] as const) {
    if (!Number.isSafeInteger(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, "a safe integer", value);
  }
  const range = (max as number) - (min as number);
  if (range <= 0) throw new codes.ERR_OUT_OF_RANGE("max", `greater than the value of "min" (${String(min)})`, max);
  if (range > INT_RANGE) throw new codes.ERR_OUT_OF_RANGE(args.length < 2 ? "max" : "max - min", `<= ${INT_RANGE}`, range);
  return later(callback, () => (min as number) + drawBelow(range));
}

/** Numbers past the last whole multiple would make the first ones likelier: they are drawn again. */
function drawBelow(range: number): number {
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const bytes = toolcell().natives.randomBytes(6);
    const drawn = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    if (drawn < limit) return drawn % range;
  }
}

/** At once, or to a callback in a later microtask. */
export function later(callback: Callback | undefined, compute: () => unknown): unknown {
  if (callback === undefined) return compute();
  if (typeof callback !== "function") throw new codes.ERR_INVALID_ARG_TYPE("callback", "Function", callback);
  realm.queueMicrotask(() => {
    let value: unknown;
    try {
      value = compute();
    } catch (error) {
      return callback(error as Error);
    }
    callback(null, value);
  });
  return undefined;
}

export function assertInteger(name: string, value: unknown, min: number, max: number): asserts value is number {
  if (typeof value !== "number") throw new codes.ERR_INVALID_ARG_TYPE(name, "number", value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, "an integer", value);
  if (value < min || value > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${min} && <= ${max}`, value);
}

function toBuffer(bytes: Uint8Array): unknown {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
