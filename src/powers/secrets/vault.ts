import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { SECRETS } from "../../catalogue/texts.ts";
import { PowerError } from "../power.ts";
import { openDatabase } from "../storage/sqlite.ts";
import { findKeyring, type Keyring } from "./keyring.ts";
import {
  fitsProbe,
  isSecretName,
  newVault,
  open,
  parseVault,
  seal,
  sealProbe,
  VAULT,
  VAULT_LIMITS,
  writeVault,
  type Vault,
} from "./vault-format.ts";
import { makeKey, readKey } from "./vault-key.ts";
import { readOwnFile, writeOwnFile } from "./whole-file.ts";

/** Secrets on disk, encrypted. Everything rejects with PowerError; the values go to nobody but the host. */
export interface SecretVault {
  /** Sets a secret or replaces it. */
  set(name: string, value: string): Promise<void>;
  /** Names alone, sorted. */
  list(): Promise<readonly string[]>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
  /** The value, or null where there is none. */
  get(name: string): Promise<string | null>;
  /** Another one whenever the vault has been written, by whichever process. Waits for nothing. */
  stamp(): string;
}

export interface VaultOptions {
  readonly home: string;
  /** Default: the system's own, where the package for it is installed. */
  readonly keyring?: () => Promise<Keyring | null>;
}

const LOCK_MS = 3000;

export function createVault({ home, keyring: find = findKeyring }: VaultOptions): SecretVault {
  const file = join(home, VAULT.file);

  async function keyOf(vault: Vault): Promise<Buffer> {
    const key = await readKey(home, vault.id, vault.keyPlace, vault.keyPlace === "keyring" ? await find() : null);
    if (!fitsProbe(key, vault)) throw new PowerError("EIO", SECRETS.keyWrong);
    return key;
  }

  async function begin(): Promise<{ readonly vault: Vault; readonly key: Buffer }> {
    const { id, entries } = newVault("file");
    const { key, keyPlace } = await makeKey(home, id, await find());
    return { vault: { id, keyPlace, entries, probe: sealProbe(key) }, key };
  }

  function write(vault: Vault, entries: Vault["entries"]): void {
    writeOwnFile(file, writeVault({ ...vault, entries }), { replaces: true });
  }

  return {
    stamp: () => {
      const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    },
    set: async (name, value) => {
      assertSecret(name, value);
      await exclusively(home, async () => {
        const found = readVaultFile(file);
        const { vault, key } = found === null ? await begin() : { vault: found, key: await keyOf(found) };
        const entries = new Map(vault.entries).set(name, seal(key, name, value));
        if (entries.size > VAULT_LIMITS.count) throw new PowerError("EINVAL", SECRETS.tooMany(VAULT_LIMITS.count));
        write(vault, entries);
      });
    },
    list: () => settled(() => [...(readVaultFile(file)?.entries.keys() ?? [])].sort()),
    remove: async (name) => {
      if (readVaultFile(file)?.entries.has(name) !== true) return false;
      return await exclusively(home, () =>
        settled(() => {
          const vault = readVaultFile(file);
          const entries = new Map(vault?.entries);
          if (vault === null || !entries.delete(name)) return false;
          write(vault, entries);
          return true;
        }),
      );
    },
    get: async (name) => {
      const vault = readVaultFile(file);
      const sealed = vault?.entries.get(name);
      if (vault === null || sealed === undefined) return null;
      const value = open(await keyOf(vault), name, sealed);
      if (value === null) throw new PowerError("EIO", SECRETS.entryDamaged(name));
      return value;
    },
  };
}

function assertSecret(name: unknown, value: unknown): asserts value is string {
  if (!isSecretName(name)) throw new PowerError("EINVAL", SECRETS.name);
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) throw new PowerError("EINVAL", SECRETS.malformed);
  if (Array.from(value.trim()).length < VAULT_LIMITS.valueChars) throw new PowerError("EINVAL", SECRETS.short(VAULT_LIMITS.valueChars));
  if (Buffer.byteLength(value) > VAULT_LIMITS.valueBytes) throw new PowerError("EINVAL", SECRETS.long(VAULT_LIMITS.valueBytes));
}

function readVaultFile(file: string): Vault | null {
  let read: ReturnType<typeof readOwnFile>;
  try {
    read = readOwnFile(file, VAULT_LIMITS.fileBytes);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new PowerError(code, SECRETS.vaultUnreadable(code));
  }
  if (read === null) return null;
  if (read.text === null) throw new PowerError("EIO", SECRETS.vaultDamaged);
  return parseVault(read.text);
}

function settled<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => resolve(action()));
}

let last: Promise<unknown> = Promise.resolve();

// One after the other within this process, and by a lock among processes: SQLite's lock on an empty file, which the system
// itself lets go of when its holder dies.
function exclusively<T>(home: string, action: () => Promise<T>): Promise<T> {
  const turn = last.then(() => locked(home, action));
  last = turn.catch(() => undefined);
  return turn;
}

async function locked<T>(home: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, VAULT.lockFile);
  closeSync(openSync(file, "a", 0o600));
  const lock = openDatabase(file, { timeout: LOCK_MS });
  try {
    try {
      lock.exec("BEGIN EXCLUSIVE");
    } catch (cause) {
      const error = new PowerError("EBUSY", SECRETS.locked);
      error.cause = cause;
      throw error;
    }
    return await action();
  } finally {
    lock.close();
  }
}
