import { CRYPTO } from "../../src/catalogue/texts.ts";
import { computed, isIn, readAlgorithm, readData, readHash, readUsages, unsupported, type Asked } from "./crypto-algorithm.ts";
import { encipher } from "./crypto-cipher.ts";
import type { Jwk } from "./crypto-jwk.ts";
import { openKey, type CryptoKey, type KeySlots } from "./crypto-key.ts";
import { exportPair, generatePair, importPair, isPair, type CryptoKeyPair } from "./crypto-pair.ts";
import { derivedBits, exportSecret, generateSecret, importSecret, isSecret } from "./crypto-secret.ts";
import { deriveFrom, signData, verifyData } from "./crypto-sign.ts";
import { GuestTypeError, create, parseJson, slice, toJson, toNumber, toText } from "./intrinsics.ts";
import { hashOf } from "./native-hash.ts";
import { DOMException } from "./web/dom-exception.ts";
import { decodeUtf8, encodeUtf8 } from "./web/utf8.ts";

const token = create(null);

/** SubtleCrypto (Web Crypto, 14): what it computes, the keeper computes; keys and their rules stay here. */
export class SubtleCrypto {
  readonly #isReal: boolean;

  constructor(given?: unknown) {
    if (given !== token) throw new GuestTypeError(CRYPTO.illegal);
    this.#isReal = true;
  }

  async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
    this.#assert();
    const asked = readAlgorithm(algorithm, "digest");
    if (slice(asked.name, 0, 4) !== "SHA-") throw unsupported(asked.name, "digest");
    const bytes = readData(data);
    const { number } = readHash({ name: asked.name, given: { hash: asked.name } }, "digest");
    return computed(() => hashOf(number, bytes)).buffer;
  }

  async encrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    this.#assert();
    return encipher(true, ...usedFor("encrypt", CIPHERS, algorithm, key), readData(data)).buffer;
  }

  async decrypt(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    this.#assert();
    return encipher(false, ...usedFor("decrypt", CIPHERS, algorithm, key), readData(data)).buffer;
  }

  async sign(algorithm: unknown, key: unknown, data: unknown): Promise<ArrayBuffer> {
    this.#assert();
    return signData(...usedFor("sign", SIGNERS, algorithm, key), readData(data)).buffer;
  }

  async verify(algorithm: unknown, key: unknown, signature: unknown, data: unknown): Promise<boolean> {
    this.#assert();
    const [asked, slots] = usedFor("verify", SIGNERS, algorithm, key);
    return verifyData(asked, slots, readData(signature), readData(data));
  }

  async deriveBits(algorithm: unknown, key: unknown, length: unknown = null): Promise<ArrayBuffer> {
    this.#assert();
    return deriveFrom(...usedFor("deriveBits", DERIVERS, algorithm, key), lengthOf(length)).buffer;
  }

  async deriveKey(algorithm: unknown, key: unknown, derivedType: unknown, extractable: unknown, usages: unknown): Promise<CryptoKey> {
    this.#assert();
    const asked = usedFor("deriveKey", DERIVERS, algorithm, key);
    const wanted = readAlgorithm(derivedType, "deriveKey");
    if (!isSecret(wanted.name)) throw unsupported(wanted.name, "deriveKey");
    const named = readUsages(usages);
    const bits = deriveFrom(...asked, derivedBits(wanted));
    return importSecret("raw", bits, wanted, Boolean(extractable), named);
  }

  async generateKey(algorithm: unknown, extractable: unknown, usages: unknown): Promise<CryptoKey | CryptoKeyPair> {
    this.#assert();
    const asked = readAlgorithm(algorithm, "generateKey");
    const named = readUsages(usages);
    if (isPair(asked.name)) return generatePair(asked, Boolean(extractable), named);
    if (!isSecret(asked.name) || asked.name === "HKDF" || asked.name === "PBKDF2") throw unsupported(asked.name, "generateKey");
    return generateSecret(asked, Boolean(extractable), named);
  }

  async importKey(format: unknown, keyData: unknown, algorithm: unknown, extractable: unknown, usages: unknown): Promise<CryptoKey> {
    this.#assert();
    const form = toText(format);
    const data = form === "jwk" ? keyData : readData(keyData);
    return take(form, data, readAlgorithm(algorithm, "importKey"), Boolean(extractable), readUsages(usages));
  }

  async exportKey(format: unknown, key: unknown): Promise<ArrayBuffer | Jwk> {
    this.#assert();
    return give(toText(format), openKey(key));
  }

  async wrapKey(format: unknown, key: unknown, wrappingKey: unknown, algorithm: unknown): Promise<ArrayBuffer> {
    this.#assert();
    const asked = usedFor("wrapKey", WRAPPERS, algorithm, wrappingKey);
    const given = give(toText(format), openKey(key));
    const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : encodeUtf8(toJson(given));
    return encipher(true, ...asked, bytes).buffer;
  }

  async unwrapKey(
    format: unknown,
    wrappedKey: unknown,
    unwrappingKey: unknown,
    algorithm: unknown,
    keyAlgorithm: unknown,
    extractable: unknown,
    usages: unknown,
  ): Promise<CryptoKey> {
    this.#assert();
    const form = toText(format);
    const asked = usedFor("unwrapKey", WRAPPERS, algorithm, unwrappingKey);
    const wanted = readAlgorithm(keyAlgorithm, "importKey");
    const named = readUsages(usages);
    const bytes = encipher(false, ...asked, readData(wrappedKey));
    return take(form, form === "jwk" ? jwkIn(bytes) : bytes, wanted, Boolean(extractable), named);
  }

  #assert(): void {
    if (!this.#isReal) throw new GuestTypeError(CRYPTO.illegalInvocation);
  }
}

const CIPHERS = ["AES-GCM", "AES-CBC", "AES-CTR", "RSA-OAEP"];
const WRAPPERS = [...CIPHERS, "AES-KW"];
const SIGNERS = ["HMAC", "ECDSA", "Ed25519", "RSASSA-PKCS1-v1_5", "RSA-PSS"];
const DERIVERS = ["HKDF", "PBKDF2", "ECDH", "X25519"];

export function makeSubtle(): SubtleCrypto {
  return new SubtleCrypto(token);
}

// An algorithm and a key that go together, where the key may be used so.
function usedFor(usage: string, names: readonly string[], algorithm: unknown, key: unknown): readonly [Asked, KeySlots] {
  const asked = readAlgorithm(algorithm, usage);
  if (!isIn(names, asked.name)) throw unsupported(asked.name, usage);
  const slots = openKey(key);
  if (slots.algorithm.name !== asked.name) throw new DOMException(CRYPTO.otherKey(slots.algorithm.name, asked.name), "InvalidAccessError");
  if (!isIn(slots.usages, usage)) throw new DOMException(CRYPTO.usage(usage), "InvalidAccessError");
  return [asked, slots];
}

function take(format: string, data: unknown, asked: Asked, extractable: boolean, usages: readonly string[]): CryptoKey {
  if (isPair(asked.name)) return importPair(format, data, asked, extractable, usages);
  if (!isSecret(asked.name)) throw unsupported(asked.name, "importKey");
  return importSecret(format, data, asked, extractable, usages);
}

function give(format: string, slots: KeySlots): ArrayBuffer | Jwk {
  const { name } = slots.algorithm;
  if (name === "HKDF" || name === "PBKDF2") throw unsupported(name, "exportKey");
  if (!slots.extractable) throw new DOMException(CRYPTO.notExtractable, "InvalidAccessError");
  return slots.type === "secret" ? exportSecret(format, slots) : exportPair(format, slots);
}

function jwkIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(bytes));
  } catch {
    throw new DOMException(CRYPTO.badKey, "DataError");
  }
}

function lengthOf(length: unknown): number | null {
  if (length === null || length === undefined) return null;
  const number = Math.trunc(toNumber(length));
  if (!(number >= 0 && number <= 0xffff_ffff)) throw new GuestTypeError(CRYPTO.parameter("length"));
  return number;
}
