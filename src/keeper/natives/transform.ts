import type { Hash, Hmac } from "node:crypto";
import { TRANSFORM } from "../../bridge/natives.ts";
import { Refusal, assertWithin, type Arguments } from "./arguments.ts";
import { openCipher, runCipher } from "./ciphers.ts";
import { openCodec } from "./codecs.ts";
import { hashOf } from "./hashes.ts";
import { crypto } from "./node.ts";

/** Bytes in, bytes out, piece by piece. */
export interface Transform {
  push(bytes: Uint8Array, isFlushed: boolean): Uint8Array;
  more(): Uint8Array;
  end(tag: Uint8Array): Uint8Array;
  /** Whether there is something left to `end` for. */
  readonly hasEnded: boolean;
  copy(): Transform;
  close(): void;
}

export function openTransform(given: Arguments, nativeBytes: number): Transform {
  switch (given.a) {
    case TRANSFORM.HASH:
      return new Digest(newHash(given, nativeBytes));
    case TRANSFORM.HMAC:
      return new Digest(crypto().createHmac(hashOf(given.b).name, given.y(nativeBytes)));
    case TRANSFORM.ENCRYPT:
    case TRANSFORM.DECRYPT:
      return openCipher(given, given.a === TRANSFORM.ENCRYPT, nativeBytes);
    case TRANSFORM.COMPRESS:
    case TRANSFORM.DECOMPRESS:
      return openCodec(given, given.a === TRANSFORM.COMPRESS);
    default:
      throw new Refusal("arguments");
  }
}

/** The same over the whole of `x`. A codec has no such way: what it gives has no bound in what it is given. */
export function runTransform(given: Arguments, nativeBytes: number): Uint8Array {
  const data = given.x(nativeBytes);
  switch (given.a) {
    case TRANSFORM.HASH:
      return newHash(given, nativeBytes).update(data).digest();
    case TRANSFORM.HMAC:
      return crypto().createHmac(hashOf(given.b).name, given.y(nativeBytes)).update(data).digest();
    case TRANSFORM.ENCRYPT:
    case TRANSFORM.DECRYPT:
      return runCipher(given, given.a === TRANSFORM.ENCRYPT, data, nativeBytes);
    default:
      throw new Refusal("arguments");
  }
}

function newHash({ b: hash, c: length }: Arguments, nativeBytes: number): Hash {
  const { name, isOpenEnded = false } = hashOf(hash);
  assertWithin(length, 0, isOpenEnded ? nativeBytes : 0);
  return crypto().createHash(name, isOpenEnded && length > 0 ? { outputLength: length } : {});
}

class Digest implements Transform {
  readonly hasEnded = true;
  readonly #hash: Hash | Hmac;

  constructor(hash: Hash | Hmac) {
    this.#hash = hash;
  }

  push(bytes: Uint8Array): Uint8Array {
    this.#hash.update(bytes);
    return new Uint8Array(0);
  }

  more(): Uint8Array {
    return new Uint8Array(0);
  }

  end(): Uint8Array {
    return this.#hash.digest();
  }

  copy(): Transform {
    if (!("copy" in this.#hash)) throw new Refusal("state");
    return new Digest(this.#hash.copy());
  }

  close(): void {
    // The collector frees it.
  }
}
