import { domainToASCII } from "node:url";
import { NATIVE, RANDOM_BYTES, type NativeLimits } from "../../bridge/natives.ts";
import { Arguments, assertWithin, Refusal } from "./arguments.ts";
import { hkdf, pbkdf2, scrypt } from "./derive.ts";
import { agree, convertKey, newKey, seal, sign, unseal, verify } from "./keys.ts";
import { openTransform, runTransform } from "./transform.ts";
import { Transforms } from "./transforms.ts";
import { crypto } from "./node.ts";

type Answer = Uint8Array | number;

/** Refuses everything: what stands before a cell has been told its limits. */
const NOTHING: NativeLimits = { nativeBytes: 0, nativeStreamCount: 0, deriveCount: 0 };
const DOMAIN_BYTES = 16 * 1024;
// What `set host` would read past, or as the end of a host (URL Standard, 4.4).
// `<` and `>` may become another character with what follows them; alone Node refuses them itself.
const NOT_IN_DOMAIN = /[\u0000-\u0020#%/:?@[\\\]^|\u007F]/u;

/**
 * Computes for the guest's runtime. Every argument's type and size is checked before anything is made of it, nothing of this
 * realm is handed back but fresh bytes, a number or one of a few texts, and nothing is thrown.
 */
export class Natives {
  limits = NOTHING;
  readonly #transforms = new Transforms();
  #owner = 0;

  /** The function that the guest's runtime holds. */
  readonly call = (...values: readonly unknown[]): Answer | string => {
    try {
      const answer = this.#answer(values[0], new Arguments(values));
      return typeof answer === "number" ? answer : exact(answer);
    } catch (error) {
      // What the libraries throw says what they did not like of the data.
      return error instanceof Refusal ? error.fault : "data";
    }
  };

  /** What is opened from here on belongs to this call. */
  begin(owner: number): void {
    this.#owner = owner;
  }

  /** Frees what a call that has ended left open. */
  endCall(owner: number): void {
    this.#transforms.dropOf(owner);
  }

  #answer(op: unknown, given: Arguments): Answer {
    const { nativeBytes, deriveCount } = this.limits;
    switch (op) {
      case NATIVE.RANDOM:
        assertWithin(given.a, 0, Math.min(RANDOM_BYTES, nativeBytes));
        return crypto().randomBytes(given.a);
      case NATIVE.EQUAL:
        return areEqual(given.x(nativeBytes), given.y(nativeBytes));
      case NATIVE.RUN:
        return runTransform(given, nativeBytes);
      case NATIVE.OPEN:
        return this.#transforms.add(this.#owner, this.limits.nativeStreamCount, () => openTransform(given, nativeBytes));
      case NATIVE.PUSH:
        return this.#transforms.get(given.a).push(given.x(nativeBytes), given.b === 1);
      case NATIVE.MORE:
        return this.#transforms.get(given.a).more();
      case NATIVE.END:
        return this.#transforms.end(given.a, given.x(nativeBytes));
      case NATIVE.DROP:
        this.#transforms.drop(given.a);
        return 0;
      case NATIVE.COPY:
        return this.#transforms.add(this.#owner, this.limits.nativeStreamCount, () => this.#transforms.get(given.a).copy());
      case NATIVE.HKDF:
        return hkdf(given, nativeBytes);
      case NATIVE.PBKDF2:
        return pbkdf2(given, nativeBytes, deriveCount);
      case NATIVE.SCRYPT:
        return scrypt(given, nativeBytes, deriveCount);
      case NATIVE.KEY_NEW:
        return newKey(given);
      case NATIVE.KEY_CONVERT:
        return convertKey(given);
      case NATIVE.SIGN:
        return sign(given, nativeBytes);
      case NATIVE.VERIFY:
        return verify(given, nativeBytes);
      case NATIVE.AGREE:
        return agree(given);
      case NATIVE.SEAL:
        return seal(given);
      case NATIVE.UNSEAL:
        return unseal(given);
      case NATIVE.DOMAIN:
        return asciiDomain(given.x(DOMAIN_BYTES));
      default:
        throw new Refusal("arguments");
    }
  }
}

function areEqual(left: Uint8Array, right: Uint8Array): number {
  return left.length === right.length && crypto().timingSafeEqual(left, right) ? 1 : 0;
}

function asciiDomain(utf8: Uint8Array): Uint8Array {
  const domain = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString("utf8");
  return Buffer.from(NOT_IN_DOMAIN.test(domain) ? "" : domainToASCII(domain), "latin1");
}

// Node makes small buffers inside a pool that others' bytes lie in, and a view crosses with all that it is a view of.
function exact(bytes: Uint8Array): Uint8Array {
  const isPlain = bytes.constructor === Uint8Array && bytes.byteLength === bytes.buffer.byteLength;
  return isPlain ? bytes : new Uint8Array(bytes);
}
