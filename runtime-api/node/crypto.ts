import * as constants from "unenv/node/internal/crypto/constants";
import { createCipheriv, createDecipheriv, getCiphers } from "./internal/crypto/ciphers.ts";
import { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } from "./internal/crypto/derive.ts";
import { createHash, createHmac, getHashes, hash } from "./internal/crypto/hashes.ts";
import { randomBytes, randomFill, randomFillSync, randomInt } from "./internal/crypto/random.ts";
import { toBytes } from "./internal/crypto/bytes.ts";
import { createSecretKey, KeyObject } from "./internal/crypto/key-object.ts";
import { codes } from "./internal/errors.ts";
import { realm } from "./internal/realm.ts";
import { toolcell } from "./internal/toolcell.ts";

const { crypto } = realm;

function timingSafeEqual(one: unknown, other: unknown): boolean {
  const [left, right] = [toBytes(one, "buf1"), toBytes(other, "buf2")];
  if (left.length !== right.length) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return toolcell().natives.areEqual(left, right);
}

/** What of Node's `crypto` the keeper computes, with Node's names over it; keys in pairs are `subtle`'s alone. */
export const shim = {
  constants: { ...constants },
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  getCiphers,
  getFips: () => 0,
  getHashes,
  getRandomValues: (array: unknown) => Reflect.apply(crypto["getRandomValues"] as (array: unknown) => unknown, crypto, [array]),
  hash,
  hkdf,
  hkdfSync,
  KeyObject,
  pbkdf2,
  pbkdf2Sync,
  pseudoRandomBytes: randomBytes,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID: () => Reflect.apply(crypto["randomUUID"] as () => string, crypto, []),
  scrypt,
  scryptSync,
  subtle: crypto["subtle"],
  timingSafeEqual,
  webcrypto: crypto,
};
