import { CRYPTO } from "../../src/catalogue/texts.ts";
import { isIn } from "./crypto-algorithm.ts";
import { fromBase64Url } from "./crypto-base64.ts";
import { GuestTypeError, isArray } from "./intrinsics.ts";
import type { Bytes } from "./native.ts";
import { DOMException } from "./web/dom-exception.ts";

export type Jwk = Record<string, unknown>;

/** A JSON Web Key as it was handed over. Throws TypeError for whatever is no object. */
export function readJwk(value: unknown): Jwk {
  if (typeof value !== "object" || value === null) throw new GuestTypeError(CRYPTO.badKey);
  return value as Jwk;
}

/** Throws a DataError where a key says that it is not for this (RFC 7517, 4). */
export function assertJwk(
  jwk: Jwk,
  wanted: { kty: string; use: "sig" | "enc"; algs: readonly string[]; crv?: string },
  usages: readonly string[],
  extractable: boolean,
): void {
  const { kty, use, alg, ext, key_ops: operations, crv } = jwk;
  if (kty !== wanted.kty) throw badField("kty");
  if (wanted.crv !== undefined && crv !== wanted.crv) throw badField("crv");
  if (use !== undefined && usages.length > 0 && use !== wanted.use) throw badField("use");
  if (alg !== undefined && wanted.algs.length > 0 && !(typeof alg === "string" && isIn(wanted.algs, alg))) throw badField("alg");
  if (ext === false && extractable) throw badField("ext");
  if (operations === undefined) return;
  if (!isArray(operations)) throw badField("key_ops");
  for (let index = 0; index < usages.length; index += 1)
    if (!isIn(operations as string[], usages[index] as string)) throw badField("key_ops");
}

/** The bytes of a field of a key. */
export function readField(jwk: Jwk, name: string): Bytes {
  const value = jwk[name];
  const bytes = typeof value === "string" ? fromBase64Url(value) : null;
  if (bytes === null) throw badField(name);
  return bytes;
}

export function badField(name: string): DOMException {
  return new DOMException(CRYPTO.badJwk(name), "DataError");
}
