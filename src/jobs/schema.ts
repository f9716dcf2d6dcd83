/** "tcjb": what a stranger's database of the same name has not. */
export const APPLICATION_ID = 0x74_63_6a_62;
export const VERSION = 1;

// `agent`: the folder of the agent that it is of, or null. What a job was given and what came of it stands in a table of its own: whoever looks for work reads past neither.
// `begun`: its tool may have done something. `retry_safe`: what its tool said of itself as it was begun. `losses`: workers that
// were gone after that; `misses`: before it.
export const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};
  CREATE TABLE workers (id TEXT NOT NULL PRIMARY KEY, mark TEXT NOT NULL, beat INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tool TEXT NOT NULL,
    capability TEXT NOT NULL,
    workspace TEXT NOT NULL,
    agent TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'cancelled')),
    fingerprint TEXT NOT NULL,
    key TEXT,
    options TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    worker TEXT REFERENCES workers (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,
    misses INTEGER NOT NULL DEFAULT 0,
    begun INTEGER NOT NULL DEFAULT 0,
    retry_safe INTEGER NOT NULL DEFAULT 0,
    cancel_asked INTEGER NOT NULL DEFAULT 0,
    fraction REAL,
    detail TEXT,
    submitted_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    CHECK ((state = 'running') = (worker IS NOT NULL)),
    CHECK ((state IN ('pending', 'running')) = (ended_ms IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX jobs_by_key ON jobs (key) WHERE key IS NOT NULL;
  CREATE INDEX jobs_by_state ON jobs (state, workspace, agent, capability, seq);
  CREATE INDEX jobs_by_worker ON jobs (worker) WHERE worker IS NOT NULL;
  CREATE INDEX jobs_alive ON jobs (fingerprint) WHERE state IN ('pending', 'running');
  CREATE INDEX jobs_by_end ON jobs (ended_ms) WHERE ended_ms IS NOT NULL;
  CREATE TABLE bodies (seq INTEGER PRIMARY KEY REFERENCES jobs (seq) ON DELETE CASCADE, args TEXT, outcome TEXT) STRICT;
`;
