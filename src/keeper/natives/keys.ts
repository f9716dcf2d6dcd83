import type { KeyObject, SigningOptions } from "node:crypto";
import { KEY, KEY_BYTES, KEY_FORM, RSA_BITS } from "../../bridge/natives.ts";
import { Refusal, assertWithin, type Arguments } from "./arguments.ts";
import { hashOf } from "./hashes.ts";
import { curveOf, isRsa, readKey, writeKey } from "./key-forms.ts";
import { crypto } from "./node.ts";

// What an RSA key of the largest size takes or gives at once.
const RSA_BYTES = RSA_BITS.max / 8;
const SALT_BYTES = RSA_BYTES;
const LABEL_BYTES = 64 * 1024;

export function newKey({ a: kind, b: bits }: Arguments): Uint8Array {
  if (!isRsa(kind)) return writeKey(kind, generatedOf(curveOf(kind)), KEY_FORM.PKCS8);
  assertWithin(bits, RSA_BITS.min, RSA_BITS.max);
  return writeKey(kind, crypto().generateKeyPairSync("rsa", { modulusLength: bits }).privateKey, KEY_FORM.PKCS8);
}

function generatedOf(curve: string): KeyObject {
  if (curve === "Ed25519") return crypto().generateKeyPairSync("ed25519").privateKey;
  if (curve === "X25519") return crypto().generateKeyPairSync("x25519").privateKey;
  return crypto().generateKeyPairSync("ec", { namedCurve: curve }).privateKey;
}

export function convertKey(given: Arguments): Uint8Array {
  const { a: kind, b: from, c: to } = given;
  return writeKey(kind, readKey(kind, from, given.x(KEY_BYTES)), to);
}

export function sign(given: Arguments, nativeBytes: number): Uint8Array {
  const { a: kind, b: hash, c: saltBytes } = given;
  const key = privateKeyOf(kind, given.y(KEY_BYTES));
  return crypto().sign(hashNameOf(kind, hash), given.x(nativeBytes), { key, ...signingOptions(kind, saltBytes) });
}

export function verify(given: Arguments, nativeBytes: number): number {
  const { a: kind, b: hash, c: saltBytes } = given;
  const key = publicKeyOf(kind, given.y(KEY_BYTES));
  const options = { key, ...signingOptions(kind, saltBytes) };
  return crypto().verify(hashNameOf(kind, hash), given.x(nativeBytes), options, given.z(KEY_BYTES)) ? 1 : 0;
}

export function agree(given: Arguments): Uint8Array {
  const { a: kind } = given;
  if (isRsa(kind) || kind === KEY.ED25519) throw new Refusal("arguments");
  return crypto().diffieHellman({ privateKey: privateKeyOf(kind, given.x(KEY_BYTES)), publicKey: publicKeyOf(kind, given.y(KEY_BYTES)) });
}

export function seal(given: Arguments): Uint8Array {
  const { a: kind, b: hash } = given;
  if (!isRsa(kind)) throw new Refusal("arguments");
  return crypto().publicEncrypt({ key: publicKeyOf(kind, given.y(KEY_BYTES)), ...oaep(hash, given.z(LABEL_BYTES)) }, given.x(RSA_BYTES));
}

export function unseal(given: Arguments): Uint8Array {
  const { a: kind, b: hash } = given;
  if (!isRsa(kind)) throw new Refusal("arguments");
  return crypto().privateDecrypt({ key: privateKeyOf(kind, given.y(KEY_BYTES)), ...oaep(hash, given.z(LABEL_BYTES)) }, given.x(RSA_BYTES));
}

function oaep(hash: number, label: Uint8Array): { padding: number; oaepHash: string; oaepLabel?: Uint8Array } {
  const options = { padding: crypto().constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hashOf(hash).name };
  return label.length === 0 ? options : { ...options, oaepLabel: label };
}

function privateKeyOf(kind: number, pkcs8: Uint8Array): KeyObject {
  return readKey(kind, KEY_FORM.PKCS8, pkcs8);
}

function publicKeyOf(kind: number, spki: Uint8Array): KeyObject {
  return readKey(kind, KEY_FORM.SPKI, spki);
}

// Edwards curves bring their own hash.
function hashNameOf(kind: number, hash: number): string | null {
  if (kind === KEY.X25519) throw new Refusal("arguments");
  return kind === KEY.ED25519 ? null : hashOf(hash).name;
}

function signingOptions(kind: number, saltBytes: number): SigningOptions {
  if (kind === KEY.RSA) return { padding: crypto().constants.RSA_PKCS1_PADDING };
  if (kind !== KEY.RSA_PSS) return { dsaEncoding: "ieee-p1363" };
  assertWithin(saltBytes, 0, SALT_BYTES);
  return { padding: crypto().constants.RSA_PKCS1_PSS_PADDING, saltLength: saltBytes };
}
