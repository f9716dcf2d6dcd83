import { codes } from "../errors.ts";
import { toolcell } from "../toolcell.ts";
import { toBytes, toOutput } from "./bytes.ts";
import { knownName } from "./hashes.ts";
import { assertInteger, later } from "./random.ts";

type Callback = (error: Error | null, value?: unknown) => void;
interface ScryptOptions {
  readonly N?: number;
  readonly cost?: number;
  readonly r?: number;
  readonly blockSize?: number;
  readonly p?: number;
  readonly parallelization?: number;
}

const LENGTH_MAX = 2 ** 31 - 1;

export function pbkdf2Sync(password: unknown, salt: unknown, iterations: unknown, length: unknown, digest: unknown): unknown {
  return readPbkdf2(password, salt, iterations, length, digest)();
}

export function pbkdf2(password: unknown, salt: unknown, iterations: unknown, length: unknown, digest: unknown, callback: Callback): void {
  later(callback, readPbkdf2(password, salt, iterations, length, digest));
}

/** Whatever is wrong with the arguments is thrown at once, callback or not. */
function readPbkdf2(password: unknown, salt: unknown, iterations: unknown, length: unknown, digest: unknown): () => unknown {
  if (typeof digest !== "string") throw new codes.ERR_INVALID_ARG_TYPE("digest", "string", digest);
  const secret = toBytes(password, "password");
  const salted = toBytes(salt, "salt");
  assertInteger("iterations", iterations, 1, LENGTH_MAX);
  assertInteger("keylen", length, 0, LENGTH_MAX);
  const name = knownName(digest);
  if (name === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
  return () => toOutput(toolcell().natives.pbkdf2(name, secret, salted, iterations, length));
}

export function scryptSync(password: unknown, salt: unknown, length: unknown, options?: ScryptOptions): unknown {
  return readScrypt(password, salt, length, options)();
}

export function scrypt(password: unknown, salt: unknown, length: unknown, ...rest: unknown[]): void {
  const callback = rest.pop() as Callback;
  later(callback, readScrypt(password, salt, length, rest[0] as ScryptOptions | undefined));
}

function readScrypt(password: unknown, salt: unknown, length: unknown, options: ScryptOptions = {}): () => unknown {
  const secret = toBytes(password, "password");
  const salted = toBytes(salt, "salt");
  assertInteger("keylen", length, 0, LENGTH_MAX);
  const N = options.N ?? options.cost ?? 16_384;
  const r = options.r ?? options.blockSize ?? 8;
  const p = options.p ?? options.parallelization ?? 1;
  return () => toOutput(toolcell().natives.scrypt(secret, salted, N, r, p, length));
}

export function hkdfSync(digest: unknown, key: unknown, salt: unknown, info: unknown, length: unknown): unknown {
  return readHkdf(digest, key, salt, info, length)();
}

export function hkdf(digest: unknown, key: unknown, salt: unknown, info: unknown, length: unknown, callback: Callback): void {
  later(callback, readHkdf(digest, key, salt, info, length));
}

function readHkdf(digest: unknown, key: unknown, salt: unknown, info: unknown, length: unknown): () => ArrayBuffer {
  if (typeof digest !== "string") throw new codes.ERR_INVALID_ARG_TYPE("digest", "string", digest);
  const name = knownName(digest);
  if (name === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
  assertInteger("length", length, 0, LENGTH_MAX);
  const [secret, salted, context] = [toBytes(key, "ikm"), toBytes(salt, "salt"), toBytes(info, "info")];
  return () => {
    const bytes = toolcell().natives.hkdf(name, secret, salted, context, length);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  };
}
