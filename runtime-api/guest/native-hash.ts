import { HASH, NATIVE, TRANSFORM } from "../../src/bridge/natives.ts";
import { hasOwn } from "./intrinsics.ts";
import { NO_BYTES, askBytes, askNumber, concat, copyOf, largestCrossing, lengthOf, part, type Bytes } from "./native.ts";

// So much waits here: one crossing does for a short text, however many pieces it comes in.
const WAITING_BYTES = 32 * 1024;
const CROSSING_BYTES = 1024 * 1024;

/** The hashes by the names that `createHash` of Node knows them by, dashes left out. */
const HASHES = {
  __proto__: null,
  md5: HASH.MD5,
  sha1: HASH.SHA1,
  sha224: HASH.SHA224,
  sha256: HASH.SHA256,
  sha384: HASH.SHA384,
  sha512: HASH.SHA512,
  "sha512-256": HASH.SHA512_256,
  "sha3-224": HASH.SHA3_224,
  "sha3-256": HASH.SHA3_256,
  "sha3-384": HASH.SHA3_384,
  "sha3-512": HASH.SHA3_512,
  shake128: HASH.SHAKE128,
  shake256: HASH.SHAKE256,
  ripemd160: HASH.RIPEMD160,
  blake2b512: HASH.BLAKE2B512,
  blake2s256: HASH.BLAKE2S256,
} as unknown as Readonly<Record<string, number>>;

export const HASH_NAMES: readonly string[] = Object.keys(HASHES);

/** A hash's number, or 0 where there is none of this name. */
export function hashNumber(name: string): number {
  return hasOwn(HASHES, name) ? (HASHES[name] as number) : 0;
}

/** A hash or an HMAC of bytes that come in pieces. The keeper holds a state for it only where they are many. */
export class Hasher {
  readonly #kind: number;
  readonly #hash: number;
  readonly #length: number;
  readonly #key: Bytes;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #opened = 0;

  /** With a key it is an HMAC. `length` is for hashes that leave theirs open. */
  constructor(hash: number, length = 0, key?: Uint8Array) {
    this.#kind = key === undefined ? TRANSFORM.HASH : TRANSFORM.HMAC;
    this.#hash = hash;
    this.#length = length;
    this.#key = key === undefined ? NO_BYTES : copyOf(key);
  }

  update(bytes: Uint8Array): void {
    this.#waitingBytes += lengthOf(bytes);
    if (this.#waitingBytes <= WAITING_BYTES) {
      this.#waiting[this.#waiting.length] = copyOf(bytes);
      return;
    }
    if (this.#opened === 0) this.#opened = askNumber(NATIVE.OPEN, this.#kind, this.#hash, this.#length, NO_BYTES, this.#key);
    this.#flush();
    const step = CROSSING_BYTES < largestCrossing() ? CROSSING_BYTES : largestCrossing();
    const length = lengthOf(bytes);
    for (let at = 0; at < length; at += step)
      askBytes(NATIVE.PUSH, this.#opened, 0, 0, part(bytes, at, at + step < length ? at + step : length));
  }

  digest(): Bytes {
    if (this.#opened === 0) return askBytes(NATIVE.RUN, this.#kind, this.#hash, this.#length, concat(this.#waiting), this.#key);
    this.#flush();
    const opened = this.#opened;
    this.#opened = 0;
    return askBytes(NATIVE.END, opened);
  }

  copy(): Hasher {
    const copy = new Hasher(this.#hash, this.#length, this.#kind === TRANSFORM.HMAC ? this.#key : undefined);
    copy.#waiting = [concat(this.#waiting)];
    copy.#waitingBytes = this.#waitingBytes;
    if (this.#opened !== 0) copy.#opened = askNumber(NATIVE.COPY, this.#opened);
    return copy;
  }

  #flush(): void {
    const whole = concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const step = largestCrossing();
    for (let at = 0; at < whole.length; at += step)
      askBytes(NATIVE.PUSH, this.#opened, 0, 0, part(whole, at, at + step < whole.length ? at + step : whole.length));
  }
}

/** The hash of the whole. */
export function hashOf(hash: number, bytes: Uint8Array, length = 0): Bytes {
  const hasher = new Hasher(hash, length);
  hasher.update(bytes);
  return hasher.digest();
}

/** The HMAC of the whole. */
export function hmacOf(hash: number, key: Uint8Array, bytes: Uint8Array): Bytes {
  const hasher = new Hasher(hash, 0, key);
  hasher.update(bytes);
  return hasher.digest();
}
