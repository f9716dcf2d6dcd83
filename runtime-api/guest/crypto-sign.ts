import { NATIVE } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import { computed, hashFacts, readBytes, readHash, readNumber, type Asked } from "./crypto-algorithm.ts";
import { openKey, type KeySlots } from "./crypto-key.ts";
import { kindOf } from "./crypto-pair.ts";
import { askBytes, askNumber, part, type Bytes } from "./native.ts";
import { hmacOf } from "./native-hash.ts";
import { DOMException } from "./web/dom-exception.ts";

const SALT_MAX = 0xffff_ffff;

export function signData(asked: Asked, slots: KeySlots, data: Bytes): Bytes {
  const { algorithm, material, type } = slots;
  if (asked.name === "HMAC") return computed(() => hmacOf(hashFacts(algorithm).number, material, data));
  if (type !== "private") throw new DOMException(CRYPTO.usage("sign"), "InvalidAccessError");
  const [hash, saltBytes] = numbersOf(asked, slots);
  return computed(() => askBytes(NATIVE.SIGN, kindOf(algorithm), hash, saltBytes, data, material));
}

export function verifyData(asked: Asked, slots: KeySlots, signature: Bytes, data: Bytes): boolean {
  const { algorithm, material, type } = slots;
  if (asked.name === "HMAC") {
    const expected = computed(() => hmacOf(hashFacts(algorithm).number, material, data));
    return computed(() => askNumber(NATIVE.EQUAL, 0, 0, 0, expected, signature)) === 1;
  }
  if (type !== "public") throw new DOMException(CRYPTO.usage("verify"), "InvalidAccessError");
  const [hash, saltBytes] = numbersOf(asked, slots);
  return computed(() => askNumber(NATIVE.VERIFY, kindOf(algorithm), hash, saltBytes, data, material, signature)) === 1;
}

function numbersOf(asked: Asked, { algorithm }: KeySlots): readonly [hash: number, saltBytes: number] {
  switch (asked.name) {
    case "ECDSA":
      return [readHash(asked, "sign").number, 0];
    case "Ed25519":
      return [0, 0];
    case "RSA-PSS":
      return [hashFacts(algorithm).number, readNumber(asked, "saltLength", SALT_MAX)];
    default:
      return [hashFacts(algorithm).number, 0];
  }
}

/** Bits derived from a key. `length` null means all that there are, where the algorithm says how many. */
export function deriveFrom(asked: Asked, { algorithm, material }: KeySlots, length: number | null): Bytes {
  if (asked.name === "ECDH" || asked.name === "X25519")
    return agreed(asked, algorithm.name, algorithm.namedCurve, material, length, kindOf(algorithm));
  if (length === null || length % 8 !== 0) throw new DOMException(CRYPTO.parameter("length"), "OperationError");
  const { number } = readHash(asked, "deriveBits");
  const salt = readBytes(asked, "salt");
  if (asked.name === "HKDF") {
    const info = readBytes(asked, "info");
    return computed(() => askBytes(NATIVE.HKDF, number, length / 8, 0, material, salt, info));
  }
  const rounds = readNumber(asked, "iterations", 0xffff_ffff);
  if (rounds === 0) throw new DOMException(CRYPTO.parameter("iterations"), "OperationError");
  return computed(() => askBytes(NATIVE.PBKDF2, number, length / 8, rounds, material, salt));
}

function agreed(asked: Asked, name: string, curve: string | undefined, material: Uint8Array, length: number | null, kind: number): Bytes {
  const other = openKey(asked.given["public"]);
  const isOfKind = other.type === "public" && other.algorithm.name === name && other.algorithm.namedCurve === curve;
  if (!isOfKind) throw new DOMException(CRYPTO.parameter("public"), "InvalidAccessError");
  const secret = computed(() => askBytes(NATIVE.AGREE, kind, 0, 0, material, other.material));
  if (length === null) return secret;
  if (length > secret.length * 8) throw new DOMException(CRYPTO.parameter("length"), "OperationError");
  const bytes = new Uint8Array(part(secret, 0, Math.ceil(length / 8)));
  const last = bytes.length - 1;
  if (length % 8 !== 0) bytes[last] = (bytes[last] as number) & (0xff << (8 - (length % 8)));
  return bytes;
}
