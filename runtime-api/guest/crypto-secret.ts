import { NATIVE } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import { assertUsages, computed, readHash, readNumber, type Asked } from "./crypto-algorithm.ts";
import { toBase64Url } from "./crypto-base64.ts";
import { assertJwk, badField, readField, readJwk, type Jwk } from "./crypto-jwk.ts";
import { makeKey, type CryptoKey, type KeyAlgorithm, type KeySlots } from "./crypto-key.ts";
import { slice, toNumber } from "./intrinsics.ts";
import { askBytes, copyOf, lengthOf, type Bytes } from "./native.ts";
import { DOMException } from "./web/dom-exception.ts";

const KEY_BITS_MAX = 0xffff_ffff;
const CIPHER_USAGES = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];

export function isSecret(name: string): boolean {
  return usagesOf(name).length > 0;
}

function usagesOf(name: string): readonly string[] {
  switch (name) {
    case "HMAC":
      return ["sign", "verify"];
    case "AES-GCM":
    case "AES-CBC":
    case "AES-CTR":
      return CIPHER_USAGES;
    case "AES-KW":
      return ["wrapKey", "unwrapKey"];
    case "HKDF":
    case "PBKDF2":
      return ["deriveKey", "deriveBits"];
    default:
      return [];
  }
}

/** A new random key for HMAC or AES. */
export function generateSecret(asked: Asked, extractable: boolean, usages: readonly string[]): CryptoKey {
  assertUsages(asked.name, usages, usagesOf(asked.name));
  const algorithm =
    asked.name === "HMAC" ? hmacAlgorithm(asked, "generateKey") : aesAlgorithm(asked.name, readNumber(asked, "length", 0xffff));
  if (usages.length === 0) throw new DOMException(CRYPTO.noUsages, "SyntaxError");
  const material = computed(() => askBytes(NATIVE.RANDOM, Math.ceil((algorithm.length ?? 0) / 8)));
  return makeKey({ type: "secret", extractable, algorithm, usages, material: cutTo(material, algorithm.length ?? 0) });
}

export function importSecret(format: string, data: unknown, asked: Asked, extractable: boolean, usages: readonly string[]): CryptoKey {
  const { name } = asked;
  const isDerivation = name === "HKDF" || name === "PBKDF2";
  assertUsages(name, usages, usagesOf(name));
  if (isDerivation && extractable) throw new DOMException(CRYPTO.badUsages(name), "SyntaxError");
  if (format !== "raw" && (format !== "jwk" || isDerivation))
    throw new DOMException(CRYPTO.format(slice(format, 0, 20), name), "NotSupportedError");
  const hash = name === "HMAC" ? readHash(asked, "importKey").name : null;
  const material = format === "raw" ? copyOf(data as Bytes) : materialIn(readJwk(data), name, hash, extractable, usages);
  if (usages.length === 0) throw new DOMException(CRYPTO.noUsages, "SyntaxError");
  if (isDerivation) return makeKey({ type: "secret", extractable: false, algorithm: { name }, usages, material });
  const bits = lengthOf(material) * 8;
  if (name !== "HMAC") return makeKey({ type: "secret", extractable, algorithm: aesAlgorithm(name, bits, "DataError"), usages, material });
  const length = readNumber(asked, "length", KEY_BITS_MAX, true) ?? bits;
  if (bits === 0 || length > bits || length <= bits - 8) throw new DOMException(CRYPTO.badKey, "DataError");
  const algorithm = { name, hash: { name: hash ?? "" }, length };
  return makeKey({ type: "secret", extractable, algorithm, usages, material: cutTo(material, length) });
}

function materialIn(jwk: Jwk, name: string, hash: string | null, extractable: boolean, usages: readonly string[]): Bytes {
  const algs = hash === null ? [] : [`HS${hash === "SHA-1" ? "1" : slice(hash, 4)}`];
  assertJwk(jwk, { kty: "oct", use: hash === null ? "enc" : "sig", algs }, usages, extractable);
  const material = readField(jwk, "k");
  if (hash === null && jwk["alg"] !== undefined && jwk["alg"] !== aesAlg(name, lengthOf(material) * 8)) throw badField("alg");
  return material;
}

export function exportSecret(format: string, { algorithm, extractable, usages, material }: KeySlots): ArrayBuffer | Jwk {
  if (format === "raw") return copyOf(material).buffer;
  if (format !== "jwk") throw new DOMException(CRYPTO.format(slice(format, 0, 20), algorithm.name), "NotSupportedError");
  const { name, hash, length = 0 } = algorithm;
  const alg = hash === undefined ? aesAlg(name, length) : `HS${hash.name === "SHA-1" ? "1" : slice(hash.name, 4)}`;
  return { kty: "oct", k: toBase64Url(material), alg, key_ops: [...usages], ext: extractable };
}

/** How many bits a key of this kind has, where it is to be derived; null: as many as there are. */
export function derivedBits(asked: Asked): number | null {
  if (asked.name === "HMAC") {
    const length = readNumber(asked, "length", KEY_BITS_MAX, true);
    if (length === 0) throw new DOMException(CRYPTO.parameter("length"), "OperationError");
    return length ?? readHash(asked, "deriveKey").blockBits;
  }
  if (asked.name === "HKDF" || asked.name === "PBKDF2") return null;
  return aesAlgorithm(asked.name, readNumber(asked, "length", 0xffff)).length ?? 0;
}

function hmacAlgorithm(asked: Asked, method: string): KeyAlgorithm {
  const { name, blockBits } = readHash(asked, method);
  const length = readNumber(asked, "length", KEY_BITS_MAX, true) ?? blockBits;
  if (length === 0) throw new DOMException(CRYPTO.parameter("length"), "OperationError");
  return { name: "HMAC", hash: { name }, length };
}

function aesAlgorithm(name: string, bits: number, error = "OperationError"): KeyAlgorithm {
  if (bits !== 128 && bits !== 192 && bits !== 256) throw new DOMException(CRYPTO.badKey, error);
  return { name, length: bits };
}

function aesAlg(name: string, bits: number): string {
  return `A${toNumber(bits)}${slice(name, 4)}`;
}

// A length in bits that is no whole number of bytes: the last bits are zero.
function cutTo(material: Bytes, bits: number): Bytes {
  const rest = bits % 8;
  const last = lengthOf(material) - 1;
  if (rest !== 0) material[last] = (material[last] as number) & (0xff << (8 - rest));
  return material;
}
