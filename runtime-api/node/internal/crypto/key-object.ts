import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { toolcell } from "../toolcell.ts";

/** A secret key as an object; pairs of keys are the business of `subtle`. */
export class KeyObject {
  readonly type = "secret";
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get symmetricKeySize(): number {
    return this.#bytes.length;
  }
  equals(other: KeyObject): boolean {
    return toolcell().natives.areEqual(this.#bytes, other.#bytes);
  }
  export(options?: { readonly format?: string }): unknown {
    if (options?.format === "jwk") return { kty: "oct", k: Buffer.from(this.#bytes).toString("base64url") };
    return Buffer.from(this.#bytes);
  }
}

export function createSecretKey(key: unknown, encoding?: unknown): KeyObject {
  if (typeof key === "string") return new KeyObject(Buffer.from(key, encoding));
  if (!ArrayBuffer.isView(key) && !(key instanceof ArrayBuffer)) {
    throw new codes.ERR_INVALID_ARG_TYPE("key", ["ArrayBuffer", "Buffer", "TypedArray", "DataView", "string"], key);
  }
  return new KeyObject(Buffer.from(key instanceof ArrayBuffer ? key : key.buffer.slice(key.byteOffset, key.byteOffset + key.byteLength)));
}
