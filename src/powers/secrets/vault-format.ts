import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { isJsonObject, type Json } from "../../catalogue/json.ts";
import { SECRETS } from "../../catalogue/texts.ts";
import { PowerError } from "../power.ts";

/** The vault's files in the home, and the form of what is in them. */
export const VAULT = {
  file: "secrets.json",
  keyFile: "secrets.key",
  lockFile: "secrets.lock",
  format: "toolcell-secrets",
  keyFormat: "toolcell-secrets-key",
  version: 1,
  cipher: "aes-256-gcm",
  keyBytes: 32,
  nonceBytes: 12,
  tagBytes: 16,
} as const;

/** Limits of a vault, which its owner fills by hand. */
export const VAULT_LIMITS = { nameChars: 64, valueChars: 8, valueBytes: 16 * 1024, count: 1000, fileBytes: 64 * 1024 * 1024 } as const;

export interface Vault {
  /** Names the key in the keyring. */
  readonly id: string;
  readonly keyPlace: KeyPlace;
  /** An encrypted word that tells whether a key is the right one. */
  readonly probe: Sealed;
  readonly entries: ReadonlyMap<string, Sealed>;
}

export type KeyPlace = "file" | "keyring";

export interface Sealed {
  readonly nonce: Buffer;
  /** Ciphertext and tag. */
  readonly data: Buffer;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/u;
// No name of a secret holds a space.
const PROBE = "the probe";

export function isSecretName(name: unknown): name is string {
  return typeof name === "string" && name.length <= VAULT_LIMITS.nameChars && NAME.test(name);
}

export function newVault(keyPlace: KeyPlace, id: string = randomUUID()): Omit<Vault, "probe"> {
  return { id, keyPlace, entries: new Map() };
}

export function newKey(): Buffer {
  return randomBytes(VAULT.keyBytes);
}

export function sealProbe(key: Buffer): Sealed {
  return seal(key, PROBE, "");
}

export function fitsProbe(key: Buffer, { probe }: Pick<Vault, "probe">): boolean {
  return open(key, PROBE, probe) === "";
}

/** Encrypts a value under its name: moved under another name it does not decrypt. */
export function seal(key: Buffer, name: string, value: string): Sealed {
  const nonce = randomBytes(VAULT.nonceBytes);
  const cipher = createCipheriv(VAULT.cipher, key, nonce, { authTagLength: VAULT.tagBytes });
  cipher.setAAD(boundTo(name));
  return { nonce, data: Buffer.concat([cipher.update(value, "utf8"), cipher.final(), cipher.getAuthTag()]) };
}

/** The value, or null where it was not sealed by this key under this name. */
export function open(key: Buffer, name: string, { nonce, data }: Sealed): string | null {
  const decipher = createDecipheriv(VAULT.cipher, key, nonce, { authTagLength: VAULT.tagBytes });
  decipher.setAAD(boundTo(name));
  decipher.setAuthTag(data.subarray(data.length - VAULT.tagBytes));
  try {
    return Buffer.concat([decipher.update(data.subarray(0, data.length - VAULT.tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

function boundTo(name: string): Buffer {
  return Buffer.from(JSON.stringify([VAULT.format, VAULT.version, name]));
}

export function writeVault({ id, keyPlace, probe, entries }: Vault): string {
  const sealed = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, entry]) => [name, writeSealed(entry)] as const);
  const { format, version } = VAULT;
  return `${JSON.stringify({ format, version, id, key: keyPlace, probe: writeSealed(probe), entries: Object.fromEntries(sealed) }, null, 2)}\n`;
}

/** Throws PowerError for a text that is no vault, whole. */
export function parseVault(text: string): Vault {
  const json = parse(text);
  if (!isJsonObject(json) || json["format"] !== VAULT.format) throw damaged();
  const { version, id, key: keyPlace, probe, entries } = json;
  if (typeof version === "number" && version > VAULT.version) throw new PowerError("ENOTSUP", SECRETS.vaultNewer);
  if (version !== VAULT.version || typeof id !== "string" || (keyPlace !== "file" && keyPlace !== "keyring")) throw damaged();
  if (!isJsonObject(entries)) throw damaged();
  const read = new Map<string, Sealed>();
  for (const [name, sealed] of Object.entries(entries)) {
    if (!isSecretName(name)) throw damaged();
    read.set(name, readSealed(sealed));
  }
  return { id, keyPlace, probe: readSealed(probe), entries: read };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged();
  }
}

function writeSealed({ nonce, data }: Sealed): { readonly nonce: string; readonly data: string } {
  return { nonce: nonce.toString("base64"), data: data.toString("base64") };
}

function readSealed(json: Json | undefined): Sealed {
  if (!isJsonObject(json) || typeof json["nonce"] !== "string" || typeof json["data"] !== "string") throw damaged();
  const [nonce, data] = [Buffer.from(json["nonce"], "base64"), Buffer.from(json["data"], "base64")];
  if (nonce.length !== VAULT.nonceBytes || data.length < VAULT.tagBytes) throw damaged();
  return { nonce, data };
}

function damaged(): PowerError {
  return new PowerError("EIO", SECRETS.vaultDamaged);
}
