import { HASH } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import type { KeyAlgorithm } from "./crypto-key.ts";
import { GuestTypeError, apply, hasOwn, isArray, slice, toNumber, toText } from "./intrinsics.ts";
import { NativeError, copyOf, type Bytes } from "./native.ts";
import { bytesIn } from "./web/bytes.ts";
import { DOMException } from "./web/dom-exception.ts";

/** An algorithm as a caller named it: the name as it is written in the specification, and the parameters beside it. */
export interface Asked {
  readonly name: string;
  readonly given: Record<string, unknown>;
}

const NAMES = [
  "SHA-1",
  "SHA-256",
  "SHA-384",
  "SHA-512",
  "HMAC",
  "AES-GCM",
  "AES-CBC",
  "AES-CTR",
  "AES-KW",
  "HKDF",
  "PBKDF2",
  "ECDSA",
  "ECDH",
  "Ed25519",
  "X25519",
  "RSASSA-PKCS1-v1_5",
  "RSA-PSS",
  "RSA-OAEP",
] as const;
const USAGES = ["encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"];
const HASHES = {
  __proto__: null,
  "SHA-1": { number: HASH.SHA1, bytes: 20, blockBits: 512 },
  "SHA-256": { number: HASH.SHA256, bytes: 32, blockBits: 512 },
  "SHA-384": { number: HASH.SHA384, bytes: 48, blockBits: 1024 },
  "SHA-512": { number: HASH.SHA512, bytes: 64, blockBits: 1024 },
} as unknown as Readonly<Record<string, HashFacts>>;
const toLowerCase = String.prototype.toLowerCase;

export interface HashFacts {
  readonly number: number;
  readonly bytes: number;
  readonly blockBits: number;
}

/** Normalizes an algorithm (Web Crypto, 18.4). Throws TypeError, or a NotSupportedError that names `method`. */
export function readAlgorithm(value: unknown, method: string): Asked {
  const given = (typeof value === "object" && value !== null ? value : { name: value }) as Record<string, unknown>;
  const { name } = given;
  if (name === undefined || typeof name === "symbol") throw new GuestTypeError(CRYPTO.notAlgorithm);
  const text = toText(name);
  const wanted = apply(toLowerCase, text, []);
  for (let index = 0; index < NAMES.length; index += 1) {
    const known = NAMES[index] as string;
    if (apply(toLowerCase, known, []) === wanted) return { name: known, given };
  }
  throw unsupported(text, method);
}

export function unsupported(name: string, method: string): DOMException {
  return new DOMException(CRYPTO.unsupported(slice(name, 0, 40), method), "NotSupportedError");
}

/** The hash that the parameters name, with what is known of it. */
export function readHash({ given }: Asked, method: string): HashFacts & { readonly name: string } {
  if (given["hash"] === undefined) throw new GuestTypeError(CRYPTO.parameter("hash"));
  const { name } = readAlgorithm(given["hash"], method);
  if (!hasOwn(HASHES, name)) throw unsupported(name, method);
  return { name, ...(HASHES[name] as HashFacts) };
}

export function hashFacts(algorithm: KeyAlgorithm): HashFacts {
  return HASHES[algorithm.hash?.name ?? ""] as HashFacts;
}

/** A parameter that is bytes, copied before anything else runs. */
export function readBytes({ given }: Asked, name: string): Bytes;
export function readBytes({ given }: Asked, name: string, isOptional: true): Bytes | null;
export function readBytes({ given }: Asked, name: string, isOptional = false): Bytes | null {
  const value = given[name];
  if (value === undefined && isOptional) return null;
  const bytes = bytesIn(value);
  if (bytes === null) throw new GuestTypeError(CRYPTO.parameter(name));
  return copyOf(bytes);
}

/** A parameter that is a whole number from 0 to `largest` (Web IDL: `[EnforceRange]`). */
export function readNumber({ given }: Asked, name: string, largest: number): number;
export function readNumber({ given }: Asked, name: string, largest: number, isOptional: true): number | null;
export function readNumber({ given }: Asked, name: string, largest: number, isOptional = false): number | null {
  const value = given[name];
  if (value === undefined && isOptional) return null;
  const number = Math.trunc(toNumber(value));
  if (!(number >= 0 && number <= largest)) throw new GuestTypeError(CRYPTO.parameter(name));
  return number;
}

/** Data that is bytes, copied: what a caller does to it later reaches nothing. */
export function readData(value: unknown): Bytes {
  const bytes = bytesIn(value);
  if (bytes === null) throw new GuestTypeError(CRYPTO.notBytes);
  return copyOf(bytes);
}

/** Usages in the order of the specification, each once. */
export function readUsages(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) throw new GuestTypeError(CRYPTO.parameter("keyUsages"));
  const asked = isArray(value) ? value : [...(value as Iterable<unknown>)];
  const wanted: string[] = [];
  for (let index = 0; index < asked.length; index += 1) {
    const usage = toText(asked[index]);
    if (!isIn(USAGES, usage)) throw new GuestTypeError(CRYPTO.badUsages(slice(usage, 0, 40)));
    wanted[wanted.length] = usage;
  }
  return those(USAGES, wanted);
}

/** Those of `all` that are in `wanted`. */
export function those(all: readonly string[], wanted: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index < all.length; index += 1) if (isIn(wanted, all[index] as string)) found[found.length] = all[index] as string;
  return found;
}

export function isIn(all: readonly string[], wanted: string): boolean {
  for (let index = 0; index < all.length; index += 1) if (all[index] === wanted) return true;
  return false;
}

/** Throws a SyntaxError where a usage is none of those that there are for this kind of key. */
export function assertUsages(name: string, usages: readonly string[], allowed: readonly string[]): void {
  if (those(allowed, usages).length !== usages.length) throw new DOMException(CRYPTO.badUsages(name), "SyntaxError");
}

/** Runs what the keeper computes; where it does not, the error is named as Web Crypto names it. */
export function computed<T>(run: () => T, name: "OperationError" | "DataError" = "OperationError"): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof NativeError)) throw error;
    throw new DOMException(error.fault === "data" ? (name === "DataError" ? CRYPTO.badKey : CRYPTO.failed) : error.message, name);
  }
}
