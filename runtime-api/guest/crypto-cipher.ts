import { CIPHER, NATIVE, TRANSFORM } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import { computed, hashFacts, readBytes, readNumber, type Asked } from "./crypto-algorithm.ts";
import { kindOf } from "./crypto-pair.ts";
import type { KeySlots } from "./crypto-key.ts";
import { NO_BYTES, askBytes, concat, copyOf, lengthOf, part, type Bytes } from "./native.ts";
import { DOMException } from "./web/dom-exception.ts";

const BLOCK_BYTES = 16;
const TAG_BITS = [32, 64, 96, 104, 112, 120, 128];
// RFC 3394, 2.2.3.1.
const KW_VECTOR = new Uint8Array([0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6]);

/** Data encrypted or decrypted with a key, whatever its kind. */
export function encipher(isEncrypting: boolean, asked: Asked, { algorithm, material, type }: KeySlots, data: Bytes): Bytes {
  const kind = isEncrypting ? TRANSFORM.ENCRYPT : TRANSFORM.DECRYPT;
  switch (asked.name) {
    case "AES-GCM": {
      const vector = readBytes(asked, "iv");
      const additional = readBytes(asked, "additionalData", true) ?? NO_BYTES;
      const tagBits = readNumber(asked, "tagLength", 0xff, true) ?? 128;
      if (!isOneOf(TAG_BITS, tagBits)) throw new DOMException(CRYPTO.parameter("tagLength"), "OperationError");
      return computed(() => askBytes(NATIVE.RUN, kind, CIPHER.AES_GCM, tagBits / 8, data, material, vector, additional));
    }
    case "AES-CBC": {
      const vector = readBytes(asked, "iv");
      if (lengthOf(vector) !== BLOCK_BYTES) throw new DOMException(CRYPTO.parameter("iv"), "OperationError");
      return computed(() => askBytes(NATIVE.RUN, kind, CIPHER.AES_CBC, 0, data, material, vector));
    }
    case "AES-CTR":
      return count(asked, material, data);
    case "AES-KW":
      if (lengthOf(data) % 8 !== 0) throw new DOMException(CRYPTO.failed, "OperationError");
      return computed(() => askBytes(NATIVE.RUN, kind, CIPHER.AES_KW, 0, data, material, KW_VECTOR));
    default: {
      if ((type === "public") !== isEncrypting) throw new DOMException(CRYPTO.failed, "InvalidAccessError");
      const label = readBytes(asked, "label", true) ?? NO_BYTES;
      const op = isEncrypting ? NATIVE.SEAL : NATIVE.UNSEAL;
      return computed(() => askBytes(op, kindOf(algorithm), hashFacts(algorithm).number, 0, data, material, label));
    }
  }
}

// AES-CTR. The counter is the last `length` bits of the block and wraps around within them; OpenSSL's is the whole block.
function count(asked: Asked, key: Uint8Array, data: Bytes): Bytes {
  const block = readBytes(asked, "counter");
  const bits = readNumber(asked, "length", 0xff);
  if (lengthOf(block) !== BLOCK_BYTES) throw new DOMException(CRYPTO.parameter("counter"), "OperationError");
  if (bits < 1 || bits > 128) throw new DOMException(CRYPTO.parameter("length"), "OperationError");
  const blocks = BigInt(Math.ceil(lengthOf(data) / BLOCK_BYTES));
  const size = 1n << BigInt(bits);
  if (blocks > size) throw new DOMException(CRYPTO.failed, "OperationError");
  const untilWrap = size - (numberIn(block) & (size - 1n));
  const run = (from: Uint8Array, bytes: Uint8Array): Bytes =>
    computed(() => askBytes(NATIVE.RUN, TRANSFORM.ENCRYPT, CIPHER.AES_CTR, 0, bytes, key, from));
  if (blocks <= untilWrap) return run(block, data);
  const cut = Number(untilWrap) * BLOCK_BYTES;
  return concat([run(block, part(data, 0, cut)), run(zeroed(block, bits), part(data, cut))]);
}

function numberIn(block: Uint8Array): bigint {
  let number = 0n;
  for (let at = 0; at < BLOCK_BYTES; at += 1) number = (number << 8n) | BigInt(block[at] as number);
  return number;
}

function zeroed(block: Uint8Array, bits: number): Bytes {
  const copy = copyOf(block);
  for (let bit = 0; bit < bits; bit += 1) {
    const at = BLOCK_BYTES - 1 - (bit >> 3);
    copy[at] = (copy[at] as number) & ~(1 << (bit & 7));
  }
  return copy;
}

function isOneOf(all: readonly number[], wanted: number): boolean {
  for (let index = 0; index < all.length; index += 1) if (all[index] === wanted) return true;
  return false;
}
