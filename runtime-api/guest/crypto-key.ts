import { CRYPTO } from "../../src/catalogue/texts.ts";
import { GuestTypeError, create, freeze, keysOf } from "./intrinsics.ts";

export type KeyType = "secret" | "private" | "public";

/** What a key is for: its name, and whatever its kind has beside (`length`, `hash`, `namedCurve`, ...). */
export interface KeyAlgorithm {
  readonly name: string;
  readonly length?: number;
  readonly hash?: { readonly name: string };
  readonly namedCurve?: string;
  readonly modulusLength?: number;
  readonly publicExponent?: Uint8Array;
}

/** What nobody but this runtime sees of a key. A secret's material is its bytes, a private key's PKCS #8, a public one's SPKI. */
export interface KeySlots {
  readonly type: KeyType;
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: readonly string[];
  readonly material: Uint8Array;
}

const token = create(null);

/** CryptoKey (Web Crypto, 13). */
export class CryptoKey {
  readonly #slots: KeySlots;
  #shownAlgorithm: object | null = null;
  #shownUsages: readonly string[] | null = null;

  constructor(given?: unknown, slots?: KeySlots) {
    if (given !== token || slots === undefined) throw new GuestTypeError(CRYPTO.illegal);
    this.#slots = slots;
  }

  get type(): KeyType {
    return this.#slots.type;
  }

  get extractable(): boolean {
    return this.#slots.extractable;
  }

  // What a package does to these two changes nothing for the key.
  get algorithm(): object {
    this.#shownAlgorithm ??= copyOf(this.#slots.algorithm);
    return this.#shownAlgorithm;
  }

  get usages(): readonly string[] {
    this.#shownUsages ??= [...this.#slots.usages];
    return this.#shownUsages;
  }

  static slotsOf(key: unknown): KeySlots | null {
    return typeof key === "object" && key !== null && #slots in key ? key.#slots : null;
  }
}

const { slotsOf } = CryptoKey;
delete (CryptoKey as { slotsOf?: unknown }).slotsOf;

export function makeKey(slots: KeySlots): CryptoKey {
  return new CryptoKey(token, freeze({ ...slots }));
}

/** The slots of a key. Throws TypeError for whatever is none. */
export function openKey(key: unknown): KeySlots {
  const slots = slotsOf(key);
  if (slots === null) throw new GuestTypeError(CRYPTO.notKey);
  return slots;
}

function copyOf(algorithm: KeyAlgorithm): object {
  const copy: Record<string, unknown> = {};
  const names = keysOf(algorithm) as (keyof KeyAlgorithm)[];
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as keyof KeyAlgorithm;
    const value = algorithm[name];
    copy[name] = name === "hash" ? { name: algorithm.hash?.name } : value instanceof Uint8Array ? new Uint8Array(value) : value;
  }
  return copy;
}
