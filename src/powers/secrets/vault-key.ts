import { join } from "node:path";
import { SECRETS } from "../../catalogue/texts.ts";
import { PowerError } from "../power.ts";
import type { Keyring } from "./keyring.ts";
import { newKey, VAULT, type KeyPlace } from "./vault-format.ts";
import { readOwnFile, writeOwnFile } from "./whole-file.ts";

export interface KeyAndPlace {
  readonly key: Buffer;
  readonly keyPlace: KeyPlace;
}

const OTHERS = 0o077;

/** The key of a vault that there is. Throws PowerError: a key is never made anew for secrets that another has encrypted. */
export async function readKey(home: string, id: string, keyPlace: KeyPlace, keyring: Keyring | null): Promise<Buffer> {
  if (keyPlace === "keyring") return await readFromKeyring(id, keyring);
  const key = readKeyFile(home);
  if (key === null) throw new PowerError("ENOENT", SECRETS.keyMissing);
  return key;
}

/** A key for a vault that begins: in the system's keyring where that takes it and gives it back, else in a file of its own. */
export async function makeKey(home: string, id: string, keyring: Keyring | null): Promise<KeyAndPlace> {
  const key = newKey();
  if (keyring !== null && (await isKept(keyring, id, key))) return { key, keyPlace: "keyring" };
  // The key file of a vault that was moved away serves the next.
  return { key: readKeyFile(home) ?? writeKeyFile(home, key), keyPlace: "file" };
}

async function isKept(keyring: Keyring, id: string, key: Buffer): Promise<boolean> {
  try {
    await keyring.write(id, key.toString("base64"));
    return (await keyring.read(id)) === key.toString("base64");
  } catch {
    return false;
  }
}

async function readFromKeyring(id: string, keyring: Keyring | null): Promise<Buffer> {
  let text: string | null = null;
  try {
    text = (await keyring?.read(id)) ?? null;
  } catch (cause) {
    throw withCause(new PowerError("EIO", SECRETS.keyringGone), cause);
  }
  const key = text === null ? null : Buffer.from(text, "base64");
  if (key?.length !== VAULT.keyBytes) throw new PowerError("EIO", SECRETS.keyringGone);
  return key;
}

function readKeyFile(home: string): Buffer | null {
  const read = readFile(join(home, VAULT.keyFile));
  if (read === null) return null;
  const { text, stats } = read;
  if (!stats.isFile()) throw new PowerError("EACCES", SECRETS.keyNotFile);
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && stats.uid !== uid) throw new PowerError("EACCES", SECRETS.keyOwner);
  if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0) throw new PowerError("EACCES", SECRETS.keyMode);
  const [format, encoded, ...rest] = (text ?? "").trimEnd().split(" ");
  const key = Buffer.from(encoded ?? "", "base64");
  if (format !== VAULT.keyFormat || key.length !== VAULT.keyBytes || rest.length > 0) throw new PowerError("EIO", SECRETS.keyDamaged);
  return key;
}

function writeKeyFile(home: string, key: Buffer): Buffer {
  writeOwnFile(join(home, VAULT.keyFile), `${VAULT.keyFormat} ${key.toString("base64")}\n`, { replaces: false });
  return key;
}

function readFile(file: string): ReturnType<typeof readOwnFile> {
  try {
    return readOwnFile(file, 1024);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    if (code === "ELOOP") throw new PowerError("EACCES", SECRETS.keyNotFile);
    throw withCause(new PowerError(code, SECRETS.keyUnreadable(code)), error);
  }
}

function withCause(error: PowerError, cause: unknown): PowerError {
  error.cause = cause;
  return error;
}
