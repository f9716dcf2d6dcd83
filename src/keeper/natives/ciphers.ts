import type { CipherGCM, DecipherGCM } from "node:crypto";
import { CIPHER } from "../../bridge/natives.ts";
import { Refusal, assertWithin, type Arguments } from "./arguments.ts";
import type { Transform } from "./transform.ts";
import { crypto } from "./node.ts";

const KEY_BYTES = 32;
// What OpenSSL takes for GCM, the most of all.
const VECTOR_BYTES = 128;
const TAG_BYTES = 16;

/** The whole at once: encrypted with its tag behind it, or decrypted with the tag taken off the end. */
export function runCipher(given: Arguments, isEncrypting: boolean, data: Uint8Array, nativeBytes: number): Uint8Array {
  const { c: tagBytes } = given;
  if (!isEncrypting && data.length < tagBytes) throw new Refusal("data");
  const cipher = openCipher(given, isEncrypting, nativeBytes);
  const end = isEncrypting ? data.length : data.length - tagBytes;
  return Buffer.concat([cipher.push(data.subarray(0, end), false), cipher.end(data.subarray(end))]);
}

/** What is to be encrypted or decrypted piece by piece. Of a decryption nothing is sure before its end. */
export function openCipher(given: Arguments, isEncrypting: boolean, nativeBytes: number): Transform {
  const { b: cipher, c: tagBytes } = given;
  const [key, vector, additional] = [given.y(KEY_BYTES), given.z(VECTOR_BYTES), given.w(nativeBytes)];
  const { name, hasTag = false, hasPadding = false } = factsOf(cipher, key.length * 8);
  assertWithin(tagBytes, hasTag ? 1 : 0, hasTag ? TAG_BYTES : 0);
  // Node knows the kinds of ciphers by their names' letters; here the name is not one of its constants.
  const aead = name as "aes-256-gcm";
  const options = hasTag ? { authTagLength: tagBytes } : undefined;
  const engine = isEncrypting ? crypto().createCipheriv(aead, key, vector, options) : crypto().createDecipheriv(aead, key, vector, options);
  engine.setAutoPadding(hasPadding);
  if (additional.length > 0) engine.setAAD(additional, { plaintextLength: 0 });
  return new CipherTransform(engine, hasTag);
}

interface CipherFacts {
  /** OpenSSL's word for it. */
  readonly name: string;
  readonly hasTag?: true;
  readonly hasPadding?: true;
}

function factsOf(cipher: number, bits: number): CipherFacts {
  if (bits !== 256 && (cipher === CIPHER.CHACHA20_POLY1305 || (bits !== 128 && bits !== 192))) throw new Refusal("arguments");
  switch (cipher) {
    case CIPHER.AES_GCM:
      return { name: `aes-${bits}-gcm`, hasTag: true };
    case CIPHER.AES_CBC:
      return { name: `aes-${bits}-cbc`, hasPadding: true };
    case CIPHER.AES_CBC_BARE:
      return { name: `aes-${bits}-cbc` };
    case CIPHER.AES_CTR:
      return { name: `aes-${bits}-ctr` };
    case CIPHER.AES_ECB:
      return { name: `aes-${bits}-ecb`, hasPadding: true };
    case CIPHER.AES_ECB_BARE:
      return { name: `aes-${bits}-ecb` };
    case CIPHER.AES_KW:
      return { name: `id-aes${bits}-wrap` };
    case CIPHER.CHACHA20_POLY1305:
      return { name: "chacha20-poly1305", hasTag: true };
    default:
      throw new Refusal("arguments");
  }
}

class CipherTransform implements Transform {
  readonly hasEnded = true;
  readonly #engine: CipherGCM | DecipherGCM;
  readonly #hasTag: boolean;

  constructor(engine: CipherGCM | DecipherGCM, hasTag: boolean) {
    this.#engine = engine;
    this.#hasTag = hasTag;
  }

  push(bytes: Uint8Array): Uint8Array {
    return this.#engine.update(bytes);
  }

  more(): Uint8Array {
    return new Uint8Array(0);
  }

  end(tag: Uint8Array): Uint8Array {
    if (!this.#hasTag) return this.#engine.final();
    if ("setAuthTag" in this.#engine) {
      this.#engine.setAuthTag(tag);
      return this.#engine.final();
    }
    return Buffer.concat([this.#engine.final(), this.#engine.getAuthTag()]);
  }

  copy(): Transform {
    throw new Refusal("state");
  }

  close(): void {
    // The collector frees it.
  }
}
