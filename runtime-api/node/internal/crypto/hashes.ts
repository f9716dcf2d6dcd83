import { codes } from "../errors.ts";
import { toolcell } from "../toolcell.ts";
import { toBytes, toOutput } from "./bytes.ts";
import { streamOnUse } from "./lazy-stream.ts";

interface Hasher {
  update(bytes: Uint8Array): void;
  digest(): Uint8Array;
  copy(): Hasher;
}

/** What `createHash` and `createHmac` give. */
class Hash {
  readonly #isHmac: boolean;
  #hasher: Hasher;
  #isEnded = false;

  constructor(hasher: Hasher, isHmac: boolean) {
    this.#hasher = hasher;
    this.#isHmac = isHmac;
  }
  update(data: unknown, encoding?: unknown): this {
    if (this.#isEnded) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    this.#hasher.update(toBytes(data, "data", encoding));
    return this;
  }
  digest(encoding?: unknown): unknown {
    // Of an HMAC that has ended Node gives nothing, of a hash an error.
    if (this.#isEnded && this.#isHmac) return toOutput(new Uint8Array(0), encoding);
    if (this.#isEnded) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    this.#isEnded = true;
    return toOutput(this.#hasher.digest(), encoding);
  }
  copy(): Hash {
    if (this.#isEnded) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
    return new Hash(this.#hasher.copy(), this.#isHmac);
  }
  pushed(chunk: unknown, encoding: string): null {
    this.update(chunk, encoding);
    return null;
  }
  ended(): unknown {
    return this.digest();
  }
}
streamOnUse(Hash);

export function createHash(algorithm: unknown, options?: { readonly outputLength?: number }): Hash {
  if (typeof algorithm !== "string") throw new codes.ERR_INVALID_ARG_TYPE("algorithm", "string", algorithm);
  return new Hash(toolcell().natives.createHash(hashName(algorithm), options?.outputLength), false);
}

export function createHmac(algorithm: unknown, key: unknown, options?: { readonly encoding?: string }): Hash {
  if (typeof algorithm !== "string") throw new codes.ERR_INVALID_ARG_TYPE("hmac", "string", algorithm);
  const name = knownName(algorithm);
  if (name === null) throw new codes.ERR_CRYPTO_INVALID_DIGEST(algorithm);
  return new Hash(toolcell().natives.createHmac(name, toBytes(key, "key", options?.encoding)), true);
}

/** The hash of the whole at once. */
export function hash(algorithm: unknown, data: unknown, output: unknown = "hex"): unknown {
  const encoding = typeof output === "object" && output !== null ? Reflect.get(output, "outputEncoding") : output;
  return createHash(algorithm)
    .update(data)
    .digest(encoding ?? "hex");
}

export function getHashes(): string[] {
  return [...toolcell().natives.hashNames];
}

/** A hash by the name that the keeper knows it by. Throws as OpenSSL does. */
export function hashName(algorithm: string): string {
  const name = knownName(algorithm);
  if (name === null) throw new Error("Digest method not supported");
  return name;
}

/** "SHA-256", "RSA-SHA256" and "sha256" are one; null where there is none of the name. */
export function knownName(algorithm: string): string | null {
  const name = algorithm
    .toLowerCase()
    .replace(/^rsa-/, "")
    .replace(/^sha-(?=\d)/, "sha")
    .replace(/^sha512\//, "sha512-");
  return toolcell().natives.hashNames.includes(name) ? name : null;
}
