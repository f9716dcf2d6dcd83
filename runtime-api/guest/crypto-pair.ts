import { KEY, KEY_FORM, NATIVE, RSA_BITS } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import { assertUsages, computed, readBytes, readHash, readNumber, those, unsupported, type Asked } from "./crypto-algorithm.ts";
import { toBase64Url } from "./crypto-base64.ts";
import { assertJwk, badField, readField, readJwk, type Jwk } from "./crypto-jwk.ts";
import { makeKey, type CryptoKey, type KeyAlgorithm, type KeySlots, type KeyType } from "./crypto-key.ts";
import { GuestTypeError, hasOwn, slice, toText } from "./intrinsics.ts";
import { askBytes, concat, copyOf, lengthOf, part, type Bytes } from "./native.ts";
import { DOMException } from "./web/dom-exception.ts";

export interface CryptoKeyPair {
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

const GuestUint8Array = Uint8Array;
const CURVES = { __proto__: null, "P-256": KEY.P256, "P-384": KEY.P384, "P-521": KEY.P521 } as unknown as Readonly<Record<string, number>>;
const EC_FIELDS = ["x", "y", "d"];
const OKP_FIELDS = ["x", "d"];
const RSA_FIELDS = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];
const RSA_PUBLIC_FIELDS = 2;

/** The keeper's number for a kind of key. */
export function kindOf({ name, namedCurve = "" }: KeyAlgorithm): number {
  switch (name) {
    case "Ed25519":
      return KEY.ED25519;
    case "X25519":
      return KEY.X25519;
    case "RSA-PSS":
      return KEY.RSA_PSS;
    case "RSASSA-PKCS1-v1_5":
    case "RSA-OAEP":
      return KEY.RSA;
    default:
      return CURVES[namedCurve] as number;
  }
}

export function isPair(name: string): boolean {
  return usagesOf(name, "private").length > 0;
}

function usagesOf(name: string, type: KeyType): readonly string[] {
  switch (name) {
    case "ECDSA":
    case "Ed25519":
    case "RSA-PSS":
    case "RSASSA-PKCS1-v1_5":
      return type === "public" ? ["verify"] : ["sign"];
    case "RSA-OAEP":
      return type === "public" ? ["encrypt", "wrapKey"] : ["decrypt", "unwrapKey"];
    case "ECDH":
    case "X25519":
      return type === "public" ? [] : ["deriveKey", "deriveBits"];
    default:
      return [];
  }
}

export function generatePair(asked: Asked, extractable: boolean, usages: readonly string[]): CryptoKeyPair {
  const { name } = asked;
  const [forPublic, forPrivate] = [usagesOf(name, "public"), usagesOf(name, "private")];
  assertUsages(name, usages, [...forPublic, ...forPrivate]);
  const algorithm = algorithmOf(asked, "generateKey", true);
  const privateUsages = those(forPrivate, usages);
  if (privateUsages.length === 0) throw new DOMException(CRYPTO.noUsages, "SyntaxError");
  const kind = kindOf(algorithm);
  const pkcs8 = computed(() => askBytes(NATIVE.KEY_NEW, kind, algorithm.modulusLength ?? 0));
  const spki = computed(() => askBytes(NATIVE.KEY_CONVERT, kind, KEY_FORM.PKCS8, KEY_FORM.SPKI, pkcs8));
  return {
    publicKey: makeKey({ type: "public", extractable: true, algorithm, usages: those(forPublic, usages), material: spki }),
    privateKey: makeKey({ type: "private", extractable, algorithm, usages: privateUsages, material: pkcs8 }),
  };
}

function algorithmOf(asked: Asked, method: string, isNew: boolean): KeyAlgorithm {
  const { name, given } = asked;
  if (name === "Ed25519" || name === "X25519") return { name };
  if (name === "ECDSA" || name === "ECDH") {
    if (given["namedCurve"] === undefined) throw new GuestTypeError(CRYPTO.parameter("namedCurve"));
    const namedCurve = toText(given["namedCurve"]);
    if (!hasOwn(CURVES, namedCurve)) throw unsupported(namedCurve, method);
    return { name, namedCurve };
  }
  const hash = { name: readHash(asked, method).name };
  if (!isNew) return { name, hash };
  const modulusLength = readNumber(asked, "modulusLength", 0xffff_ffff);
  const publicExponent = readBytes(asked, "publicExponent");
  if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max || modulusLength % 8 !== 0)
    throw new DOMException(CRYPTO.parameter("modulusLength"), "OperationError");
  if (toBase64Url(publicExponent) !== "AQAB") throw new DOMException(CRYPTO.parameter("publicExponent"), "OperationError");
  return { name, modulusLength, publicExponent, hash };
}

export function importPair(format: string, data: unknown, asked: Asked, extractable: boolean, usages: readonly string[]): CryptoKey {
  const { name } = asked;
  const algorithm = algorithmOf(asked, "importKey", false);
  const kind = kindOf(algorithm);
  const isRsa = algorithm.hash !== undefined;
  const jwk = format === "jwk" ? readJwk(data) : null;
  const type: KeyType = format === "pkcs8" || (jwk !== null && jwk["d"] !== undefined) ? "private" : "public";
  assertUsages(name, usages, usagesOf(name, type));
  const form = formOf(format);
  if (form === 0 || (form === KEY_FORM.RAW && isRsa))
    throw new DOMException(CRYPTO.format(slice(format, 0, 20), name), "NotSupportedError");
  const bytes = jwk === null ? (data as Bytes) : partsIn(jwk, algorithm, type, extractable, usages);
  const to = type === "private" ? KEY_FORM.PKCS8 : KEY_FORM.SPKI;
  const material = computed(() => askBytes(NATIVE.KEY_CONVERT, kind, form, to, bytes), "DataError");
  if (type === "private" && usages.length === 0) throw new DOMException(CRYPTO.noUsages, "SyntaxError");
  const known = isRsa ? { ...algorithm, ...rsaFacts(kind, to, material) } : algorithm;
  return makeKey({ type, extractable, algorithm: known, usages, material });
}

function formOf(format: string): number {
  switch (format) {
    case "pkcs8":
      return KEY_FORM.PKCS8;
    case "spki":
      return KEY_FORM.SPKI;
    case "raw":
      return KEY_FORM.RAW;
    case "jwk":
      return KEY_FORM.PARTS;
    default:
      return 0;
  }
}

export function exportPair(format: string, { type, algorithm, extractable, usages, material }: KeySlots): ArrayBuffer | Jwk {
  const { name } = algorithm;
  const from = type === "private" ? KEY_FORM.PKCS8 : KEY_FORM.SPKI;
  const form = formOf(format);
  if (form === 0) throw new DOMException(CRYPTO.format(slice(format, 0, 20), name), "NotSupportedError");
  const isWrongType = (form === KEY_FORM.PKCS8) !== (type === "private") && form !== KEY_FORM.PARTS;
  if (isWrongType) throw new DOMException(CRYPTO.format(format, name), "InvalidAccessError");
  if (form === KEY_FORM.RAW && algorithm.hash !== undefined) throw new DOMException(CRYPTO.format(format, name), "NotSupportedError");
  if (form === from) return copyOf(material).buffer;
  const written = computed(() => askBytes(NATIVE.KEY_CONVERT, kindOf(algorithm), from, form, material));
  if (form !== KEY_FORM.PARTS) return written.buffer;
  const jwk: Jwk = { key_ops: [...usages], ext: extractable, kty: ktyOf(algorithm) };
  if (algorithm.hash !== undefined) jwk["alg"] = rsaAlg(algorithm);
  else jwk["crv"] = algorithm.namedCurve ?? name;
  const parts = split(written);
  const fields = fieldsOf(algorithm);
  for (let index = 0; index < parts.length; index += 1) jwk[fields[index] as string] = toBase64Url(parts[index] as Uint8Array);
  return jwk;
}

function partsIn(jwk: Jwk, algorithm: KeyAlgorithm, type: KeyType, extractable: boolean, usages: readonly string[]): Bytes {
  const { name, namedCurve, hash } = algorithm;
  const isCurve = hash === undefined;
  const use = name === "ECDH" || name === "X25519" || name === "RSA-OAEP" ? "enc" : "sig";
  const algs = isCurve
    ? name === "Ed25519"
      ? ["Ed25519", "EdDSA"]
      : name === "ECDSA"
        ? [ecdsaAlg(namedCurve ?? "")]
        : []
    : [rsaAlg(algorithm)];
  assertJwk(jwk, { kty: ktyOf(algorithm), use, algs, ...(isCurve ? { crv: namedCurve ?? name } : {}) }, usages, extractable);
  if (jwk["oth"] !== undefined) throw badField("oth");
  const fields = fieldsOf(algorithm);
  const count = type === "private" ? fields.length : isCurve ? fields.length - 1 : RSA_PUBLIC_FIELDS;
  const pieces: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const bytes = readField(jwk, fields[index] as string);
    const head = new GuestUint8Array(2);
    if (lengthOf(bytes) > 0xffff) throw badField(fields[index] as string);
    head[0] = lengthOf(bytes) >> 8;
    head[1] = lengthOf(bytes) & 0xff;
    pieces[pieces.length] = head;
    pieces[pieces.length] = bytes;
  }
  return concat(pieces);
}

function split(bytes: Bytes): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 2 + (((bytes[at] as number) << 8) | (bytes[at + 1] as number));
    parts[parts.length] = part(bytes, at + 2, end);
    at = end;
  }
  return parts;
}

function fieldsOf({ name, hash }: KeyAlgorithm): readonly string[] {
  return hash !== undefined ? RSA_FIELDS : name === "Ed25519" || name === "X25519" ? OKP_FIELDS : EC_FIELDS;
}

function ktyOf({ name, hash }: KeyAlgorithm): string {
  return hash !== undefined ? "RSA" : name === "Ed25519" || name === "X25519" ? "OKP" : "EC";
}

// RFC 7518, 3.1.
function ecdsaAlg(curve: string): string {
  return curve === "P-521" ? "ES512" : `ES${slice(curve, 2)}`;
}

function rsaAlg({ name, hash }: KeyAlgorithm): string {
  const digest = hash?.name ?? "";
  const bits = digest === "SHA-1" ? "1" : slice(digest, 4);
  if (name === "RSA-OAEP") return bits === "1" ? "RSA-OAEP" : `RSA-OAEP-${bits}`;
  return `${name === "RSA-PSS" ? "PS" : "RS"}${bits}`;
}

function rsaFacts(kind: number, form: number, material: Bytes): Pick<KeyAlgorithm, "modulusLength" | "publicExponent"> {
  const [modulus, exponent] = split(computed(() => askBytes(NATIVE.KEY_CONVERT, kind, form, KEY_FORM.PARTS, material)));
  const first = modulus?.[0] ?? 0;
  const leading = first === 0 ? 8 : Math.clz32(first) - 24;
  return { modulusLength: lengthOf(modulus as Uint8Array) * 8 - leading, publicExponent: copyOf(exponent as Uint8Array) };
}
