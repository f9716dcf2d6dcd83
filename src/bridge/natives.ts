/**
 * What the keeper computes for the guest's runtime in the middle of a turn: pure functions of numbers and bytes. A call is
 * `native(op, a, b, c, x, y, z, w)`, three numbers and four byte arrays of which an op reads those that it names; the
 * answer is bytes, a number, or a text: one of NATIVE_FAULTS. Each side switches over these numbers in its source.
 */
export const NATIVE = {
  /** `a` random bytes. */
  RANDOM: 1,
  /** Whether `x` and `y` are the same bytes, in a time that tells nothing of where they differ: 1 or 0. */
  EQUAL: 2,
  /** The whole of `x` through a transform of kind `a`: what OPEN, PUSH and END would give together. */
  RUN: 3,
  /** A transform of kind `a`, with the parameters that TRANSFORM names: its number. It lives until END, DROP or the end of the call. */
  OPEN: 4,
  /** `x` into transform `a`, flushed where `b` is 1: what comes out of it. Of a codec no more than PIECE_BYTES; as many bytes mean: ask MORE. */
  PUSH: 5,
  /** What a codec `a` still holds of what was pushed. As many bytes as PIECE_BYTES mean: ask again. */
  MORE: 6,
  /** What transform `a` gives at its end; for decryption `x` is the tag. A codec that gives PIECE_BYTES has not ended: ask END again. */
  END: 7,
  DROP: 8,
  /** A second transform in the state of hash `a`: its number. */
  COPY: 9,
  /** `b` bytes by HKDF with hash `a` from key `x`, salt `y`, info `z`. */
  HKDF: 10,
  /** `b` bytes by PBKDF2 with hash `a`, `c` rounds, from password `x`, salt `y`. */
  PBKDF2: 11,
  /** `c` bytes by scrypt from password `x`, salt `y`; `z` is N, r and p as three 32-bit numbers, the highest byte first. */
  SCRYPT: 12,
  /** A new private key of kind `a` (RSA: of `b` bits) as PKCS #8. */
  KEY_NEW: 13,
  /** The key of kind `a` in `x`, which is of form `b`, as form `c`. Refuses a key of another kind. */
  KEY_CONVERT: 14,
  /** Signature of `x` with the private key `y` of kind `a`, hash `b`; `c` is the salt's length for RSA-PSS. */
  SIGN: 15,
  /** Whether `z` is the signature of `x` by the public key `y`: 1 or 0. Numbers as for SIGN. */
  VERIFY: 16,
  /** The secret that the private key `x` and the public key `y` of kind `a` share. */
  AGREE: 17,
  /** `x` encrypted for the public RSA key `y` by OAEP with hash `b` and label `z`; */
  SEAL: 18,
  /** and decrypted with the private key. */
  UNSEAL: 19,
  /** ToASCII of the domain that `x` is the UTF-8 of (UTS 46, not transitional, not strict); empty where there is none. */
  DOMAIN: 20,
} as const;

/** The kinds of transforms, and what OPEN and RUN read for each. */
export const TRANSFORM = {
  /** `b` the hash, `c` the length of what it gives where the hash leaves that open, else 0. */
  HASH: 1,
  /** `b` the hash, `y` the key. */
  HMAC: 2,
  /** `b` the cipher, `c` the tag's bytes, `y` the key, `z` the initialization vector, `w` additional data. The tag comes last. */
  ENCRYPT: 3,
  /** The same; RUN takes the tag off the end of `x`, END is given it. */
  DECRYPT: 4,
  /** `b` the format, `y` its level, window bits, memory level and strategy, a byte each, 255 for the usual; `z` a dictionary. */
  COMPRESS: 5,
  DECOMPRESS: 6,
} as const;

export const HASH = {
  MD5: 1,
  SHA1: 2,
  SHA224: 3,
  SHA256: 4,
  SHA384: 5,
  SHA512: 6,
  SHA512_256: 7,
  SHA3_224: 8,
  SHA3_256: 9,
  SHA3_384: 10,
  SHA3_512: 11,
  SHAKE128: 12,
  SHAKE256: 13,
  RIPEMD160: 14,
  BLAKE2B512: 15,
  BLAKE2S256: 16,
} as const;

/** The key's length in bits follows from the key; a cipher refuses one of another length. */
export const CIPHER = {
  AES_GCM: 1,
  AES_CBC: 2,
  AES_CTR: 3,
  AES_ECB: 4,
  AES_CBC_BARE: 5,
  AES_ECB_BARE: 6,
  AES_KW: 7,
  CHACHA20_POLY1305: 8,
} as const;

export const FORMAT = { GZIP: 1, DEFLATE: 2, DEFLATE_RAW: 3, BROTLI: 4 } as const;

export const KEY = { P256: 1, P384: 2, P521: 3, ED25519: 4, X25519: 5, RSA: 6, RSA_PSS: 7 } as const;

/**
 * PARTS: what a JWK has of a key, each part two bytes of length and its bytes: x, y, d of a curve's; x, d of an Edwards or a
 * Montgomery curve's; n, e, d, p, q, dp, dq, qi of RSA. A public key leaves the private ones out.
 */
export const KEY_FORM = { PKCS8: 1, SPKI: 2, RAW: 3, PARTS: 4 } as const;

/**
 * `arguments`: none of the above. `size`: over `nativeBytes` or what the op itself allows. `work`: over `deriveCount`.
 * `count`: over `nativeStreamCount`. `data`: not what it should be, or it does not decrypt. `state`: no such transform,
 * or one that has ended. `missing`: this Node does not have it.
 */
export const NATIVE_FAULTS = ["arguments", "size", "work", "count", "data", "state", "missing"] as const;
export type NativeFault = (typeof NATIVE_FAULTS)[number];

/** The limits that the keeper holds the guest's runtime to. */
export interface NativeLimits {
  readonly nativeBytes: number;
  readonly nativeStreamCount: number;
  readonly deriveCount: number;
}

/** The most that a codec gives at once. */
export const PIECE_BYTES = 256 * 1024;
/** The quota of Web Crypto, 10.1.1. */
export const RANDOM_BYTES = 65_536;
/** No key that is used anywhere is larger. */
export const KEY_BYTES = 16 * 1024;
export const RSA_BITS = { min: 1024, max: 4096 } as const;
