import type { JsonWebKey, KeyObject } from "node:crypto";
import { KEY, KEY_FORM, RSA_BITS } from "../../bridge/natives.ts";
import { Refusal } from "./arguments.ts";
import { crypto } from "./node.ts";

const EC_PARTS = ["x", "y", "d"] as const;
const OKP_PARTS = ["x", "d"] as const;
const RSA_PARTS = ["n", "e", "d", "p", "q", "dp", "dq", "qi"] as const;
// The first byte of a point with both of its numbers (SEC 1, 2.3.3).
const UNCOMPRESSED = 4;
// RFC 8017 asks for no more than these do; others only cost time.
const LARGEST_EXPONENT = 0x1_0000_0001n;

export function isRsa(kind: number): boolean {
  return kind === KEY.RSA || kind === KEY.RSA_PSS;
}

/** The curve of a kind of key, in the words of Web Crypto and of JWK. */
export function curveOf(kind: number): string {
  switch (kind) {
    case KEY.P256:
      return "P-256";
    case KEY.P384:
      return "P-384";
    case KEY.P521:
      return "P-521";
    case KEY.ED25519:
      return "Ed25519";
    case KEY.X25519:
      return "X25519";
    default:
      throw new Refusal("arguments");
  }
}

/** A key out of its bytes; one of another kind than it is said to be is none. */
export function readKey(kind: number, form: number, bytes: Uint8Array): KeyObject {
  const key = keyIn(kind, form, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  if (!isOfKind(key, kind)) throw new Refusal("data");
  return key.asymmetricKeyType === "rsa" && key.type === "private" ? rebuilt(key) : key;
}

// OpenSSL computes with whatever primes a key says that its modulus has, however many and however large: with those of JWK
// alone, none larger than the modulus.
function rebuilt(key: KeyObject): KeyObject {
  const jwk = key.export({ format: "jwk" });
  const largest = jwk.n?.length ?? 0;
  for (const name of RSA_PARTS) if ((jwk[name]?.length ?? Infinity) > largest) throw new Refusal("data");
  return crypto().createPrivateKey({ key: jwk, format: "jwk" });
}

function keyIn(kind: number, form: number, bytes: Buffer): KeyObject {
  switch (form) {
    case KEY_FORM.PKCS8:
      return crypto().createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
    case KEY_FORM.SPKI:
      return crypto().createPublicKey({ key: bytes, format: "der", type: "spki" });
    case KEY_FORM.RAW:
      return crypto().createPublicKey({ key: rawJwk(kind, bytes), format: "jwk" });
    case KEY_FORM.PARTS: {
      const jwk = jwkOf(kind, splitParts(bytes));
      return "d" in jwk ? crypto().createPrivateKey({ key: jwk, format: "jwk" }) : crypto().createPublicKey({ key: jwk, format: "jwk" });
    }
    default:
      throw new Refusal("arguments");
  }
}

function isOfKind(key: KeyObject, kind: number): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = key;
  switch (kind) {
    case KEY.P256:
      return type === "ec" && details.namedCurve === "prime256v1";
    case KEY.P384:
      return type === "ec" && details.namedCurve === "secp384r1";
    case KEY.P521:
      return type === "ec" && details.namedCurve === "secp521r1";
    case KEY.ED25519:
      return type === "ed25519";
    case KEY.X25519:
      return type === "x25519";
    case KEY.RSA:
    case KEY.RSA_PSS: {
      const { modulusLength = 0, publicExponent = 0n } = details;
      return type === "rsa" && modulusLength >= RSA_BITS.min && modulusLength <= RSA_BITS.max && publicExponent <= LARGEST_EXPONENT;
    }
    default:
      throw new Refusal("arguments");
  }
}

export function writeKey(kind: number, key: KeyObject, form: number): Uint8Array {
  switch (form) {
    case KEY_FORM.PKCS8:
      if (key.type !== "private") throw new Refusal("data");
      return key.export({ format: "der", type: "pkcs8" });
    case KEY_FORM.SPKI:
      return publicOf(key).export({ format: "der", type: "spki" });
    case KEY_FORM.RAW:
      return rawOf(kind, publicOf(key).export({ format: "jwk" }));
    case KEY_FORM.PARTS:
      return joinParts(kind, key.export({ format: "jwk" }));
    default:
      throw new Refusal("arguments");
  }
}

function publicOf(key: KeyObject): KeyObject {
  return key.type === "private" ? crypto().createPublicKey(key) : key;
}

function rawJwk(kind: number, bytes: Buffer): JsonWebKey {
  const crv = curveOf(kind);
  if (kind === KEY.ED25519 || kind === KEY.X25519) return { kty: "OKP", crv, x: bytes.toString("base64url") };
  const half = (bytes.length - 1) / 2;
  if (bytes[0] !== UNCOMPRESSED || half !== coordinateBytes(kind)) throw new Refusal("data");
  return { kty: "EC", crv, x: bytes.toString("base64url", 1, 1 + half), y: bytes.toString("base64url", 1 + half) };
}

function rawOf(kind: number, { x = "", y }: JsonWebKey): Uint8Array {
  if (isRsa(kind)) throw new Refusal("arguments");
  const first = Buffer.from(x, "base64url");
  return y === undefined ? first : Buffer.concat([Buffer.of(UNCOMPRESSED), first, Buffer.from(y, "base64url")]);
}

function coordinateBytes(kind: number): number {
  return kind === KEY.P256 ? 32 : kind === KEY.P384 ? 48 : 66;
}

function partsOf(kind: number): readonly (keyof JsonWebKey & string)[] {
  return isRsa(kind) ? RSA_PARTS : kind === KEY.ED25519 || kind === KEY.X25519 ? OKP_PARTS : EC_PARTS;
}

function jwkOf(kind: number, parts: readonly Buffer[]): JsonWebKey {
  const names = partsOf(kind);
  if (parts.length > names.length) throw new Refusal("data");
  const fields = parts.map((part, index) => [names[index], part.toString("base64url")]);
  const jwk = Object.fromEntries(fields) as JsonWebKey;
  return isRsa(kind) ? { kty: "RSA", ...jwk } : { kty: names === OKP_PARTS ? "OKP" : "EC", crv: curveOf(kind), ...jwk };
}

function splitParts(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + 2 > bytes.length) throw new Refusal("data");
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length || parts.length === RSA_PARTS.length) throw new Refusal("data");
    parts.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return parts;
}

function joinParts(kind: number, jwk: JsonWebKey): Uint8Array {
  const pieces: Buffer[] = [];
  for (const name of partsOf(kind)) {
    const value = jwk[name];
    if (typeof value !== "string") break;
    const part = Buffer.from(value, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(part.length);
    pieces.push(length, part);
  }
  return Buffer.concat(pieces);
}
