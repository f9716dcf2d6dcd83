import type { DatabaseSync, DatabaseSyncOptions } from "node:sqlite";

interface Sqlite {
  readonly DatabaseSync: typeof DatabaseSync;
}

/** Opens a database file with Node's own SQLite. */
export function openDatabase(file: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  return new Database(file, { allowExtension: false, ...options });
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
