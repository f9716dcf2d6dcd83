import library from "nodelib:buffer";
import type { BufferClass } from "./internal/buffer-types.ts";
import { realm } from "./internal/realm.ts";

export const Buffer = library["Buffer"] as BufferClass;

/** Node's own `buffer`, with what is the web's platform's of it from there. */
export const shim = Object.defineProperties(
  { ...library },
  {
    Blob: valueOf(realm["Blob"]),
    File: valueOf(realm["File"]),
    atob: valueOf(realm["atob"]),
    btoa: valueOf(realm["btoa"]),
    isUtf8: valueOf(isUtf8),
    isAscii: valueOf((bytes: Uint8Array | ArrayBuffer) => toBytes(bytes).every((byte) => byte < 0x80)),
    transcode: valueOf((bytes: Uint8Array, from: string, to: string) => Buffer.from(Buffer.from(bytes).toString(from), to)),
  },
);

function valueOf(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, writable: true, configurable: true };
}

function isUtf8(bytes: Uint8Array | ArrayBuffer): boolean {
  try {
    new realm.TextDecoder("utf-8", { fatal: true }).decode(toBytes(bytes));
    return true;
  } catch {
    return false;
  }
}

function toBytes(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}
