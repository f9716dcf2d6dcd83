import { NATIVE, RANDOM_BYTES } from "../../src/bridge/natives.ts";
import { CRYPTO } from "../../src/catalogue/texts.ts";
import { CryptoKey } from "./crypto-key.ts";
import { SubtleCrypto, makeSubtle } from "./crypto-subtle.ts";
import { GuestTypeError, apply, create, isView, numberText, slice } from "./intrinsics.ts";
import { askBytes, lengthOf, part, type Bytes } from "./native.ts";
import { DOMException } from "./web/dom-exception.ts";
import { installAttribute, installInterface } from "./web/interface.ts";

const GuestUint8Array = Uint8Array;
const { set } = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get as (
  this: unknown,
) => string | undefined;
const token = create(null);
// A UUID takes 16 bytes and a crossing a hundred times as long as making it.
const POOL_BYTES = 1024;
let pool: Bytes = new GuestUint8Array(0);
let taken = 0;

/** Crypto (Web Crypto, 10). */
class Crypto {
  readonly #subtle: SubtleCrypto;

  constructor(given?: unknown) {
    if (given !== token) throw new GuestTypeError(CRYPTO.illegal);
    this.#subtle = makeSubtle();
  }

  get subtle(): SubtleCrypto {
    return this.#subtle;
  }

  getRandomValues<T>(array: T): T {
    void this.#subtle;
    if (!isIntegerArray(array)) throw new DOMException(CRYPTO.notInteger, "TypeMismatchError");
    const bytes = new GuestUint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength);
    if (lengthOf(bytes) > RANDOM_BYTES) throw new DOMException(CRYPTO.quota(RANDOM_BYTES), "QuotaExceededError");
    apply(set, bytes, [randomBytes(lengthOf(bytes))]);
    return array;
  }

  randomUUID(): string {
    void this.#subtle;
    const bytes = randomBytes(16);
    // RFC 9562, 5.4.
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    let text = "";
    for (let at = 0; at < 16; at += 1) {
      if (at === 4 || at === 6 || at === 8 || at === 10) text += "-";
      text += slice(numberText((bytes[at] as number) + 0x100, 16), 1);
    }
    return text;
  }
}

/** Puts `crypto` and its classes on the global object. */
export function installCrypto(target: object): void {
  const crypto = new Crypto(token);
  installInterface(target, "Crypto", Crypto);
  installInterface(target, "SubtleCrypto", SubtleCrypto);
  installInterface(target, "CryptoKey", CryptoKey);
  installAttribute(target, "crypto", () => crypto);
}

/** Random bytes, each handed out once. */
export function randomBytes(length: number): Bytes {
  if (length > POOL_BYTES / 4) return askBytes(NATIVE.RANDOM, length);
  if (taken + length > lengthOf(pool)) {
    pool = askBytes(NATIVE.RANDOM, POOL_BYTES);
    taken = 0;
  }
  const bytes = new GuestUint8Array(length);
  const given = part(pool, taken, taken + length);
  for (let at = 0; at < length; at += 1) {
    bytes[at] = given[at] as number;
    given[at] = 0;
  }
  taken += length;
  return bytes;
}

function isIntegerArray(value: unknown): value is ArrayBufferView {
  if (!isView(value)) return false;
  const tag = apply(tagOf, value, []);
  return tag !== undefined && slice(tag, 0, 5) !== "Float";
}
