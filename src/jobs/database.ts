import { chmodSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { JobError } from "../catalogue/faults.ts";
import { JOBS } from "../catalogue/texts.ts";
import { createDatabase, openDatabase, sqliteFault } from "../powers/storage/sqlite.ts";
import { APPLICATION_ID, SCHEMA, VERSION } from "./schema.ts";

export type Row = Readonly<Record<string, unknown>>;

const FILE = "jobs.db";
const BUSY_MS = 2000;
// A larger file is looked at as it is read: reading all of it would hold every command up.
const CHECKED_BYTES = 16 * 1024 * 1024;

/**
 * The jobs of a home, in one SQLite file that many processes have open. It is opened at its first use, and again where its
 * owner has put another file in its place. Throws JobError for a file that cannot be used, with what to do about it.
 */
export class JobDatabase {
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  #database: DatabaseSync | null = null;
  #inode = -1;

  constructor(home: string) {
    this.#file = join(home, FILE);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | null {
    return guarded(() => this.#prepared(sql).get(...values) ?? null);
  }

  all(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return guarded(() => this.#prepared(sql).all(...values));
  }

  /** How many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return guarded(() => Number(this.#prepared(sql).run(...values).changes));
  }

  /** All of `change` or nothing of it, and nobody else's change in between. */
  change<T>(change: () => T): T {
    return guarded(() => {
      const database = this.#open();
      database.exec("BEGIN IMMEDIATE");
      try {
        const result = change();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  close(): void {
    this.#statements.clear();
    if (this.#database?.isOpen === true) this.#database.close();
    this.#database = null;
  }

  #prepared(sql: string): StatementSync {
    const database = this.#open();
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #open(): DatabaseSync {
    if (this.#database?.isTransaction === true) return this.#database;
    const stats = this.#stats();
    if (this.#database !== null && stats.ino === this.#inode) return this.#database;
    this.close();
    // SQLite takes an empty file for a new database; ours is never empty.
    if (stats.size === 0 || !stats.isFile()) throw new JobError("JOBS_DAMAGED", JOBS.damaged);
    // The files beside it get the mode that it has.
    if (process.platform !== "win32" && (stats.mode & 0o777) !== 0o600) chmodSync(this.#file, 0o600);
    const database = openDatabase(this.#file, { timeout: BUSY_MS });
    try {
      assertSound(database, stats.size);
      // What is told to have been begun stays told when the power fails: else it could be begun again.
      database.exec("PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = FAST;");
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.#inode = stats.ino;
    return database;
  }

  #stats(): Stats {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    if (stats !== undefined) return stats;
    createDatabase(this.#file, SCHEMA);
    return statSync(this.#file);
  }
}

function assertSound(database: DatabaseSync, bytes: number): void {
  const read = (pragma: string): unknown => Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (read("application_id") !== APPLICATION_ID) throw new JobError("JOBS_DAMAGED", JOBS.damaged);
  if (read("user_version") !== VERSION) throw new JobError("JOBS_DAMAGED", JOBS.newer);
  const tables = database.prepare("SELECT count(*) AS count FROM sqlite_schema WHERE name IN ('jobs', 'bodies', 'workers')").get();
  if (tables?.["count"] !== 3) throw new JobError("JOBS_DAMAGED", JOBS.damaged);
  if (bytes <= CHECKED_BYTES && read("quick_check(1)") !== "ok") throw new JobError("JOBS_DAMAGED", JOBS.damaged);
}

function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw error instanceof JobError ? error : translated(error);
  }
}

function translated(error: unknown): unknown {
  const cause = { cause: error };
  switch (sqliteFault(error)) {
    case "busy":
      return new JobError("JOBS_BUSY", JOBS.busy, cause);
    case "damaged":
      return new JobError("JOBS_DAMAGED", JOBS.damaged, cause);
    case "full":
      return new JobError("JOBS_DAMAGED", JOBS.diskFull, cause);
    case "unwritable":
    case "io":
      return new JobError("JOBS_DAMAGED", JOBS.unwritable, cause);
    case null:
      return error;
  }
}
