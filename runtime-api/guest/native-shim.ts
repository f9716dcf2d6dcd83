import { CIPHER, NATIVE, TRANSFORM } from "../../src/bridge/natives.ts";
import { NATIVES } from "../../src/catalogue/texts.ts";
import { randomBytes } from "./crypto.ts";
import { GuestTypeError, freeze } from "./intrinsics.ts";
import { NO_BYTES, askBytes, askNumber, concat, largestCrossing, lengthOf, part, type Bytes } from "./native.ts";
import { Codec, type CodecFormat, type CodecSettings } from "./native-codec.ts";
import { HASH_NAMES, Hasher, hashNumber } from "./native-hash.ts";

/** What the modules that stand for Node's get of the keeper's arithmetic. Bytes are views, copied before they cross. */
export type Natives = ReturnType<typeof createNatives>;

export interface CipherSettings {
  readonly name: "aes-gcm" | "aes-cbc" | "aes-ctr" | "aes-ecb" | "chacha20-poly1305";
  readonly key: Uint8Array;
  readonly vector: Uint8Array;
  /** Of those that have a tag: its length, and what is signed beside the text. */
  readonly tagBytes?: number;
  readonly additional?: Uint8Array;
  readonly isPadded?: boolean;
}

/** Each throws NativeError, whose `fault` is one of the bridge's NATIVE_FAULTS, or TypeError for a name that there is not. */
export function createNatives() {
  return freeze({
    hashNames: freeze(HASH_NAMES),
    randomBytes: (length: number): Bytes => drawn(length),
    areEqual: (left: Uint8Array, right: Uint8Array): boolean => askNumber(NATIVE.EQUAL, 0, 0, 0, left, right) === 1,
    createHash: (name: string, length = 0): Hasher => new Hasher(known(name), length),
    createHmac: (name: string, key: Uint8Array): Hasher => new Hasher(known(name), 0, key),
    createCipher: (settings: CipherSettings, isEncrypting: boolean): Cipher => new Cipher(settings, isEncrypting),
    hkdf: (name: string, key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Bytes =>
      askBytes(NATIVE.HKDF, known(name), length, 0, key, salt, info),
    pbkdf2: (name: string, password: Uint8Array, salt: Uint8Array, rounds: number, length: number): Bytes =>
      askBytes(NATIVE.PBKDF2, known(name), length, rounds, password, salt),
    scrypt: (password: Uint8Array, salt: Uint8Array, N: number, r: number, p: number, length: number): Bytes => {
      const cost = new DataView(new ArrayBuffer(12));
      for (const [index, factor] of [N, r, p].entries()) cost.setUint32(index * 4, factor);
      return askBytes(NATIVE.SCRYPT, 0, 0, length, password, salt, new Uint8Array(cost.buffer));
    },
    createCodec: (format: CodecFormat, isCompressing: boolean, settings?: CodecSettings): Codec =>
      new Codec(format, isCompressing, settings),
  });
}

const CROSSING_BYTES = 1024 * 1024;
const RANDOM_STEP = 65_536;

// However many are asked for: they lie in the isolate, and are counted there.
function drawn(length: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += RANDOM_STEP) bytes.set(randomBytes(length - at < RANDOM_STEP ? length - at : RANDOM_STEP), at);
  return bytes;
}

function known(name: string): number {
  const number = hashNumber(name);
  if (number === 0) throw new GuestTypeError(NATIVES.noHash(name));
  return number;
}

/** A cipher of bytes that come in pieces. */
class Cipher {
  readonly #number: number;

  constructor({ name, key, vector, tagBytes = 0, additional = NO_BYTES, isPadded = true }: CipherSettings, isEncrypting: boolean) {
    const kind = isEncrypting ? TRANSFORM.ENCRYPT : TRANSFORM.DECRYPT;
    this.#number = askNumber(NATIVE.OPEN, kind, cipherOf(name, isPadded), tagBytes, NO_BYTES, key, vector, additional);
  }

  update(bytes: Uint8Array): Bytes {
    const length = lengthOf(bytes);
    const step = CROSSING_BYTES < largestCrossing() ? CROSSING_BYTES : largestCrossing();
    const pieces: Bytes[] = [];
    for (let at = 0; at < length; at += step)
      pieces[pieces.length] = askBytes(NATIVE.PUSH, this.#number, 0, 0, part(bytes, at, at + step < length ? at + step : length));
    return concat(pieces);
  }

  /** The rest; of one that has a tag the tag comes last, and a decryption is given it. */
  final(tag: Uint8Array = NO_BYTES): Bytes {
    return askBytes(NATIVE.END, this.#number, 0, 0, tag);
  }

  close(): void {
    askNumber(NATIVE.DROP, this.#number);
  }
}

function cipherOf(name: CipherSettings["name"], isPadded: boolean): number {
  switch (name) {
    case "aes-gcm":
      return CIPHER.AES_GCM;
    case "aes-cbc":
      return isPadded ? CIPHER.AES_CBC : CIPHER.AES_CBC_BARE;
    case "aes-ctr":
      return CIPHER.AES_CTR;
    case "aes-ecb":
      return isPadded ? CIPHER.AES_ECB : CIPHER.AES_ECB_BARE;
    case "chacha20-poly1305":
      return CIPHER.CHACHA20_POLY1305;
  }
}
