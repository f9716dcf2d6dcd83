import { randomUUID } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

interface Sqlite {
  readonly DatabaseSync: typeof DatabaseSync;
}

/** Opens a database file with Node's own SQLite. */
export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  return new Database(file, { allowExtension: false, ...options });
}

/**
 * Makes a database file of mode 0600, unless there is one. It is made whole under another name and then linked to its own:
 * nobody ever opens half a database, and of two engines that begin at once one wins.
 */
export function createDatabase(file: string, schema: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // What was seen before there was a file belongs to one that was moved away, and would be played into the new one.
  const leftBehind = ["-wal", "-shm"].map((suffix) => ({ path: file + suffix, stamp: stampOf(file + suffix) }));
  if (existsSync(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    closeSync(openSync(draft, "wx", 0o600));
    const database = openDatabase(draft);
    try {
      database.exec(schema);
    } finally {
      database.close();
    }
    for (const { path, stamp } of leftBehind) if (stamp !== null && stampOf(path) === stamp) rmSync(path, { force: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
  }
}

function stampOf(file: string): string | null {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.birthtimeNs}`;
}

/** What an error of SQLite's or of the file system means for a database file, or null for any other error. */
export type SqliteFault = "busy" | "damaged" | "full" | "unwritable" | "io";

// SQLite's own numbers: https://sqlite.org/rescode.html
export function sqliteFault(error: unknown): SqliteFault | null {
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  switch (typeof errcode === "number" ? errcode & 0xff : code) {
    case 5:
    case 6:
      return "busy";
    case 1: // No such table
    case 11:
    case 26:
      return "damaged";
    case 13:
    case "ENOSPC":
      return "full";
    case 3:
    case 8:
    case 14:
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "EEXIST": // A file where its folder would be
    case "ENOTDIR":
    case "ELOOP":
      return "unwritable";
    case 10:
    case "EIO":
    case "EMFILE":
    case "ENFILE":
      return "io";
    default:
      return null;
  }
}

let loaded: Sqlite | null = null;

// Some releases of Node 24 say once that SQLite is experimental, on the stderr of whoever embeds the engine. The module is
// loaded without an await in between, so that no warning of anyone else's can fall into the gap.
function loadSqlite(): Sqlite {
  if (loaded !== null) return loaded;
  const emitWarning = Reflect.get(process, "emitWarning");
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith("SQLite is")) Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    loaded = process.getBuiltinModule("node:sqlite");
    return loaded;
  } finally {
    process.emitWarning = emitWarning;
  }
}
