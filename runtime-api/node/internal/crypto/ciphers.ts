import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { toolcell } from "../toolcell.ts";
import { toBytes, toOutput } from "./bytes.ts";
import { streamOnUse } from "./lazy-stream.ts";

interface Mode {
  readonly name: "aes-gcm" | "aes-cbc" | "aes-ctr" | "aes-ecb" | "chacha20-poly1305";
  readonly keyBytes: number;
  readonly hasTag: boolean;
}
interface Options {
  readonly authTagLength?: number;
}
type Native = ReturnType<ReturnType<typeof toolcell>["natives"]["createCipher"]>;

const TAG_BYTES = 16;
const NAMES = ["cbc", "ctr", "ecb", "gcm"].flatMap((mode) => [128, 192, 256].map((bits) => `aes-${bits}-${mode}`));

/** What `createCipheriv` and `createDecipheriv` give. The keeper is asked once the first bytes come: till then it can be set up. */
class Cipheriv {
  readonly #mode: Mode;
  readonly #isEncrypting: boolean;
  readonly #key: Uint8Array;
  readonly #vector: Uint8Array;
  readonly #tagBytes: number;
  #additional: Uint8Array = new Uint8Array(0);
  #isPadded = true;
  #tag: Uint8Array | null = null;
  #native: Native | null = null;
  #isEnded = false;

  constructor(algorithm: unknown, key: unknown, vector: unknown, options: Options, isEncrypting: boolean) {
    if (typeof algorithm !== "string") throw new codes.ERR_INVALID_ARG_TYPE("cipher", "string", algorithm);
    this.#mode = modeOf(algorithm);
    this.#isEncrypting = isEncrypting;
    this.#key = toBytes(key, "key");
    this.#vector = vector === null ? new Uint8Array(0) : toBytes(vector, "iv");
    this.#tagBytes = this.#mode.hasTag ? (options.authTagLength ?? TAG_BYTES) : 0;
    if (this.#key.length !== this.#mode.keyBytes) throw coded(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
    const isVectorRight = this.#mode.hasTag ? this.#vector.length > 0 : this.#vector.length === (this.#mode.name === "aes-ecb" ? 0 : 16);
    if (!isVectorRight) throw coded(TypeError, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
  }
  update(data: unknown, inputEncoding?: unknown, outputEncoding?: unknown): unknown {
    if (this.#isEnded) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation update");
    return toOutput(this.#open().update(toBytes(data, "data", inputEncoding)), outputEncoding);
  }
  final(outputEncoding?: unknown): unknown {
    if (this.#isEnded) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation final");
    const rest = this.#end();
    if (!this.#mode.hasTag || !this.#isEncrypting) return toOutput(rest, outputEncoding);
    this.#tag = rest.subarray(rest.length - this.#tagBytes);
    return toOutput(rest.slice(0, rest.length - this.#tagBytes), outputEncoding);
  }
  setAAD(bytes: unknown): this {
    this.#additional = toBytes(bytes, "buffer");
    return this;
  }
  setAutoPadding(isPadded = true): this {
    this.#isPadded = isPadded;
    return this;
  }
  setAuthTag(tag: unknown, encoding?: unknown): this {
    this.#tag = toBytes(tag, "buffer", encoding);
    return this;
  }
  getAuthTag(): unknown {
    if (this.#tag === null || !this.#isEncrypting) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation getAuthTag");
    return Buffer.from(this.#tag);
  }
  pushed(chunk: unknown, encoding: string): unknown {
    return this.update(chunk, encoding);
  }
  ended(): unknown {
    return this.final();
  }
  #open(): Native {
    return (this.#native ??= toolcell().natives.createCipher(
      {
        name: this.#mode.name,
        key: this.#key,
        vector: this.#vector,
        tagBytes: this.#tagBytes,
        additional: this.#additional,
        isPadded: this.#isPadded,
      },
      this.#isEncrypting,
    ));
  }
  #end(): Uint8Array {
    this.#isEnded = true;
    try {
      return this.#open().final(this.#isEncrypting ? undefined : (this.#tag ?? undefined));
    } catch (error) {
      if ((error as { fault?: unknown }).fault !== "data") throw error;
      if (this.#mode.hasTag) throw new Error("Unsupported state or unable to authenticate data", { cause: error });
      throw coded(Error, "ERR_OSSL_BAD_DECRYPT", "error:1C800064:Provider routines::bad decrypt");
    }
  }
}
streamOnUse(Cipheriv);

export function createCipheriv(algorithm: unknown, key: unknown, vector: unknown, options: Options = {}): Cipheriv {
  return new Cipheriv(algorithm, key, vector, options, true);
}

export function createDecipheriv(algorithm: unknown, key: unknown, vector: unknown, options: Options = {}): Cipheriv {
  return new Cipheriv(algorithm, key, vector, options, false);
}

export function getCiphers(): string[] {
  return [...NAMES, "chacha20-poly1305"];
}

function modeOf(algorithm: string): Mode {
  const name = algorithm.toLowerCase().replace(/^(?:id-)?aes(\d+)-?/, "aes-$1-");
  if (name === "chacha20-poly1305") return { name, keyBytes: 32, hasTag: true };
  const [, bits, mode] = /^aes-(128|192|256)-(cbc|ctr|ecb|gcm)$/.exec(name) ?? [];
  if (mode === undefined) throw coded(Error, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
  return { name: `aes-${mode as "cbc" | "ctr" | "ecb" | "gcm"}`, keyBytes: Number(bits) / 8, hasTag: mode === "gcm" };
}

function coded(Class: ErrorConstructor, code: string, message: string): Error {
  return Object.assign(new Class(message), { code });
}
