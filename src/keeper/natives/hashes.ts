import { HASH } from "../../bridge/natives.ts";
import { Refusal } from "./arguments.ts";

interface HashFacts {
  /** OpenSSL's word for it. */
  readonly name: string;
  /** Bytes that it gives. */
  readonly bytes: number;
  /** Whether the caller says how much it gives. */
  readonly isOpenEnded?: true;
}

/** What a hash of the guest's is here. */
export function hashOf(hash: number): HashFacts {
  switch (hash) {
    case HASH.MD5:
      return { name: "md5", bytes: 16 };
    case HASH.SHA1:
      return { name: "sha1", bytes: 20 };
    case HASH.SHA224:
      return { name: "sha224", bytes: 28 };
    case HASH.SHA256:
      return { name: "sha256", bytes: 32 };
    case HASH.SHA384:
      return { name: "sha384", bytes: 48 };
    case HASH.SHA512:
      return { name: "sha512", bytes: 64 };
    case HASH.SHA512_256:
      return { name: "sha512-256", bytes: 32 };
    case HASH.SHA3_224:
      return { name: "sha3-224", bytes: 28 };
    case HASH.SHA3_256:
      return { name: "sha3-256", bytes: 32 };
    case HASH.SHA3_384:
      return { name: "sha3-384", bytes: 48 };
    case HASH.SHA3_512:
      return { name: "sha3-512", bytes: 64 };
    case HASH.SHAKE128:
      return { name: "shake128", bytes: 16, isOpenEnded: true };
    case HASH.SHAKE256:
      return { name: "shake256", bytes: 32, isOpenEnded: true };
    case HASH.RIPEMD160:
      return { name: "ripemd160", bytes: 20 };
    case HASH.BLAKE2B512:
      return { name: "blake2b512", bytes: 64 };
    case HASH.BLAKE2S256:
      return { name: "blake2s256", bytes: 32 };
    default:
      throw new Refusal("arguments");
  }
}
