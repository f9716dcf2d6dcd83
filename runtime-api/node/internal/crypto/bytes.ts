import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { KeyObject } from "./key-object.ts";

/** Text, a view or a buffer as bytes; `name` is what Node calls the argument. */
export function toBytes(value: unknown, name: string, encoding?: unknown): Uint8Array {
  if (typeof value === "string") return Buffer.from(value, encoding === "buffer" ? "utf8" : encoding);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof KeyObject) return value.export() as Uint8Array;
  const kinds = ["Buffer", "TypedArray", "DataView"];
  throw new codes.ERR_INVALID_ARG_TYPE(name, name === "data" ? ["string", ...kinds] : ["string", "ArrayBuffer", ...kinds], value);
}

/** Bytes as whoever asked wants them: a Buffer, or text in an encoding. */
export function toOutput(bytes: Uint8Array, encoding?: unknown): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === undefined || encoding === null || encoding === "buffer" ? buffer : buffer.toString(String(encoding));
}
