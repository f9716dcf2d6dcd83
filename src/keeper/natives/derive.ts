import { Refusal, assertWithin, type Arguments } from "./arguments.ts";
import { hashOf } from "./hashes.ts";
import { crypto } from "./node.ts";

// A key, a salt or a password is no file.
const SECRET_BYTES = 64 * 1024;
// RFC 5869, 2.3: so many blocks of the hash and no more.
const HKDF_BLOCKS = 255;
const BLOCK_BYTES = 128;
const COST_BYTES = 12;
// OpenSSL takes no more, and Node says so.
const INFO_BYTES = 1024;

/** HKDF (RFC 5869). */
export function hkdf(given: Arguments, nativeBytes: number): Uint8Array {
  const { name, bytes } = hashOf(given.a);
  const secretBytes = Math.min(SECRET_BYTES, nativeBytes);
  assertWithin(given.b, 0, Math.min(HKDF_BLOCKS * bytes, nativeBytes));
  // Node refuses to make nothing.
  if (given.b === 0) return new Uint8Array(0);
  return new Uint8Array(crypto().hkdfSync(name, given.x(secretBytes), given.y(secretBytes), given.z(INFO_BYTES), given.b));
}

/** PBKDF2 (RFC 8018, 5.2). Its work is its rounds, and reading the salt, for every block of the hash that it gives. */
export function pbkdf2(given: Arguments, nativeBytes: number, deriveCount: number): Uint8Array {
  const { a: hash, b: length, c: rounds } = given;
  const { name, bytes } = hashOf(hash);
  assertWithin(length, 0, nativeBytes);
  if (rounds === 0) throw new Refusal("arguments");
  const secretBytes = Math.min(SECRET_BYTES, nativeBytes);
  const [password, salt] = [given.x(secretBytes), given.y(secretBytes)];
  if (Math.ceil(length / bytes) * (rounds + saltWork(salt.length)) > deriveCount) throw new Refusal("work");
  if (length === 0) return new Uint8Array(0);
  return crypto().pbkdf2Sync(password, salt, rounds, length, name);
}

/**
 * scrypt (RFC 7914). Its work is N, r and p multiplied, and the two rounds of PBKDF2 around that: one reads the salt for each
 * 32 of `128 r p` bytes, the other these bytes for each 32 that it gives. It fills `128 N r` bytes of memory.
 */
export function scrypt(given: Arguments, nativeBytes: number, deriveCount: number): Uint8Array {
  const { c: length } = given;
  const [N, r, p] = costOf(given.z(COST_BYTES));
  assertWithin(length, 0, nativeBytes);
  const secretBytes = Math.min(SECRET_BYTES, nativeBytes);
  const [password, salt] = [given.x(secretBytes), given.y(secretBytes)];
  const mixedBytes = BLOCK_BYTES * r * p;
  // Past 2^53 the last digits of a product are wrong, and it is too much whatever they are.
  const work = N * r * p + (mixedBytes / 32) * saltWork(salt.length) + Math.ceil(length / 32) * saltWork(mixedBytes);
  if (work > deriveCount) throw new Refusal("work");
  if (length === 0) return new Uint8Array(0);
  return crypto().scryptSync(password, salt, length, { N, r, p, maxmem: BLOCK_BYTES * (N * r + r * p + 4 * r) + 4096 });
}

function costOf(bytes: Uint8Array): readonly [N: number, r: number, p: number] {
  if (bytes.length !== COST_BYTES) throw new Refusal("arguments");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [N, r, p] = [view.getUint32(0), view.getUint32(4), view.getUint32(8)];
  if (N < 2 || (N & (N - 1)) !== 0 || r === 0 || p === 0) throw new Refusal("arguments");
  return [N, r, p];
}

// A round reads two blocks of 64 bytes; so much of a salt costs as much, and a usual one is counted with the first round.
function saltWork(saltBytes: number): number {
  return Math.floor(saltBytes / 128);
}
