import { createRequire } from "node:module";

/** Where the operating system keeps a user's passwords. */
export interface Keyring {
  /** Null where the keyring answers and has none. Rejects where it does not answer. */
  read(account: string): Promise<string | null>;
  write(account: string, value: string): Promise<void>;
}

const PACKAGE = "@napi-rs/keyring";
const SERVICE = "toolcell";
// Without this, the package falls back to the kernel's own keyring, which forgets everything when the machine starts again.
// Releases before the second do not know the option.
const OPTIONS = { linux: { store: "secret-service" } } as const;
const OLDEST_MAJOR = 2;

interface KeyringPackage {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options: typeof OPTIONS,
  ) => { getPassword(): Promise<string | null>; setPassword(value: string): Promise<void> };
}

/** The keyring, where its owner has installed `@napi-rs/keyring` beside toolcell; null elsewhere. */
export async function findKeyring(): Promise<Keyring | null> {
  try {
    const { version } = createRequire(import.meta.url)(`${PACKAGE}/package.json`) as { version: string };
    if (Number.parseInt(version, 10) < OLDEST_MAJOR) return null;
    const { AsyncEntry } = (await import(PACKAGE)) as KeyringPackage;
    return {
      read: async (account) => await new AsyncEntry(SERVICE, account, OPTIONS).getPassword(),
      write: async (account, value) => await new AsyncEntry(SERVICE, account, OPTIONS).setPassword(value),
    };
  } catch {
    return null;
  }
}
