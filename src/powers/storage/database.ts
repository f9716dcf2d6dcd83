import { chmodSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { STORAGE } from "../../catalogue/texts.ts";
import { overLimit, PowerError } from "../power.ts";
import { createDatabase, openDatabase, sqliteFault } from "./sqlite.ts";

export interface StorageQuota {
  readonly storageBytes: number;
  readonly storageCount: number;
}

export interface KeyPage {
  readonly keys: readonly string[];
  readonly hasMore: boolean;
}

const FILE = "storage.db";
// "tcel": what a stranger's database of the same name has not.
const APPLICATION_ID = 0x74_63_65_6c;
const VERSION = 1;
const BUSY_MS = 2000;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
  CREATE TABLE entries (
    capability TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (capability, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE totals (capability TEXT NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/**
 * What every capability of a home has stored, in one SQLite file that several engines may have open. Each change is one
 * transaction, its quota included: whatever ends the process, a value is the old one or the new one. Throws PowerError.
 */
export class StorageDatabase {
  readonly #database: DatabaseSync;
  readonly #get: StatementSync;
  readonly #list: StatementSync;
  readonly #size: StatementSync;
  readonly #total: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #setTotal: StatementSync;

  static open(home: string): StorageDatabase {
    return guarded(() => {
      const file = join(home, FILE);
      if (!existsSync(file)) createDatabase(file, SCHEMA);
      // SQLite takes an empty file for a new database; ours is never empty.
      if (statSync(file).size === 0) throw damaged();
      // The files beside it get the mode that it has.
      if (process.platform !== "win32") chmodSync(file, 0o600);
      const database = openDatabase(file, { timeout: BUSY_MS });
      try {
        assertSound(database);
        return new StorageDatabase(database);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  private constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec("PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF;");
    this.#get = database.prepare("SELECT value FROM entries WHERE capability = ? AND key = ?");
    this.#list = database.prepare("SELECT key FROM entries WHERE capability = ? AND key >= ? AND key > ? ORDER BY key");
    this.#size = database.prepare("SELECT bytes FROM entries WHERE capability = ? AND key = ?");
    this.#total = database.prepare("SELECT bytes, count FROM totals WHERE capability = ?");
    this.#put = database.prepare("INSERT OR REPLACE INTO entries (capability, key, value, bytes) VALUES (?, ?, ?, ?)");
    this.#remove = database.prepare("DELETE FROM entries WHERE capability = ? AND key = ?");
    this.#setTotal = database.prepare("INSERT OR REPLACE INTO totals (capability, bytes, count) VALUES (?, ?, ?)");
  }

  /** The value's JSON, or null where there is none. */
  get(capability: string, key: string): string | null {
    return guarded(() => textOf(this.#get.get(capability, key), "value"));
  }

  /** Keys that begin with `prefix` and come after `after`, in the order of their code points, about `bytes` of them. */
  list(capability: string, prefix: string, after: string, bytes: number): KeyPage {
    return guarded(() => {
      const keys: string[] = [];
      let left = bytes;
      for (const row of this.#list.iterate(capability, prefix, after)) {
        const key = textOf(row, "key") ?? "";
        if (!key.startsWith(prefix)) break;
        if (left <= 0) return { keys, hasMore: true };
        left -= JSON.stringify(key).length + 1;
        keys.push(key);
      }
      return { keys, hasMore: false };
    });
  }

  /** Puts a value in place of what was there, unless it would pass the quota. */
  set(capability: string, key: string, json: string, quota: StorageQuota): void {
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(json);
    this.#change(capability, key, (old, total) => {
      const next = { bytes: total.bytes - (old ?? 0) + bytes, count: total.count + (old === null ? 1 : 0) };
      if (old === null && next.count > quota.storageCount) throw overLimit(STORAGE.count(quota.storageCount));
      // What makes it smaller is always taken: an owner may have lowered the limit.
      if (next.bytes > quota.storageBytes && next.bytes > total.bytes) throw overLimit(STORAGE.total(quota.storageBytes));
      this.#put.run(capability, key, json, bytes);
      return next;
    });
  }

  /** Whether there was anything to delete. */
  delete(capability: string, key: string): boolean {
    let existed = false;
    this.#change(capability, key, (old, total) => {
      existed = old !== null;
      this.#remove.run(capability, key);
      return { bytes: total.bytes - (old ?? 0), count: total.count - (old === null ? 0 : 1) };
    });
    return existed;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #change(capability: string, key: string, apply: (old: number | null, total: Total) => Total): void {
    guarded(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const total = this.#total.get(capability);
        const next = apply(numberOf(this.#size.get(capability, key), "bytes"), {
          bytes: numberOf(total, "bytes") ?? 0,
          count: numberOf(total, "count") ?? 0,
        });
        this.#setTotal.run(capability, next.bytes, next.count);
        this.#database.exec("COMMIT");
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
        throw error;
      }
    });
  }
}

interface Total {
  readonly bytes: number;
  readonly count: number;
}

function assertSound(database: DatabaseSync): void {
  const read = (pragma: string): unknown => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (read("quick_check(1)") !== "ok" || read("application_id") !== APPLICATION_ID) throw damaged();
  if (read("user_version") !== VERSION) throw new PowerError("ENOTSUP", STORAGE.newer);
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof PowerError ? error : translated(error);
  }
}

function translated(error: unknown): unknown {
  switch (sqliteFault(error)) {
    case "busy":
      return new PowerError("EBUSY", STORAGE.busy);
    case "damaged":
      return damaged();
    case "full":
      return new PowerError("ENOSPC", STORAGE.full);
    case "unwritable":
      return new PowerError("EACCES", STORAGE.unwritable);
    case "io":
      return new PowerError("EIO", STORAGE.unwritable);
    case null:
      return error;
  }
}

function damaged(): PowerError {
  return new PowerError("EIO", STORAGE.damaged);
}

function textOf(row: Record<string, unknown> | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === "string" ? value : null;
}

function numberOf(row: Record<string, unknown> | undefined, column: string): number | null {
  const value = row?.[column];
  return typeof value === "number" ? value : null;
}
