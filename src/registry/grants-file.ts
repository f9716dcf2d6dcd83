import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { GrantError } from "../catalogue/faults.ts";
import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { GRANTS } from "../catalogue/texts.ts";

/** What the owner gave a capability, and what it was when the owner looked at it. */
export interface GrantEntry {
  readonly permissions: JsonObject;
  readonly seen: Seen;
}

export interface Seen {
  /** SHA-256 of the code that a cell loads. */
  readonly code: string;
  /** SHA-256 of what each tool says of itself, by the tool's name. */
  readonly says: { readonly [tool: string]: string };
  readonly asks: JsonObject;
}

export type GrantEntries = ReadonlyMap<string, GrantEntry>;

const VERSION = 1;
const LOCK_WAIT_MS = 20;
const LOCK_TRIES = 250;
// A lock of a process that died; nobody holds one for longer than a write takes.
const LOCK_STALE_MS = 10_000;

/** `<home>/grants.json`: read anew whenever it has changed, so that what another process gives or takes holds here too. */
export class GrantsFile {
  readonly #file: string;
  #stamp = "";
  #entries: GrantEntries = new Map();
  #fault: string | null = null;

  constructor(home: string) {
    this.#file = join(home, "grants.json");
  }

  /** Every entry; none at all where the file is damaged. */
  entries(): GrantEntries {
    this.#readIfChanged();
    return this.#entries;
  }

  /** Why the file gives nothing, or null. */
  fault(): string | null {
    this.#readIfChanged();
    return this.#fault;
  }

  /** Writes the entries that `change` makes of the current ones. Throws GrantError rather than write over a damaged file. */
  async update(change: (entries: Map<string, GrantEntry>) => void): Promise<void> {
    mkdirSync(join(this.#file, ".."), { recursive: true, mode: 0o700 });
    const release = await this.#lock();
    try {
      const fault = this.fault();
      if (fault !== null) throw new GrantError("GRANTS_DAMAGED", fault);
      const entries = new Map(this.#entries);
      change(entries);
      const text = JSON.stringify({ version: VERSION, grants: Object.fromEntries(entries) }, null, 2);
      const temporary = `${this.#file}.${process.pid}.new`;
      writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
      renameSync(temporary, this.#file);
    } finally {
      release();
    }
  }

  #readIfChanged(): void {
    const stats = statSync(this.#file, { bigint: true, throwIfNoEntry: false });
    const stamp = stats === undefined ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#fault = null;
    this.#entries = new Map();
    if (stats === undefined) return;
    try {
      this.#entries = parseEntries(readFileSync(this.#file, "utf8"));
    } catch (error) {
      this.#fault = GRANTS.damaged(error instanceof Error ? error.message : "unreadable");
    }
  }

  async #lock(): Promise<() => void> {
    const lock = `${this.#file}.lock`;
    for (let attempt = 0; attempt < LOCK_TRIES; attempt += 1) {
      try {
        closeSync(openSync(lock, "wx", 0o600));
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
        if (Date.now() - since > LOCK_STALE_MS) rmSync(lock, { force: true });
        await pause(LOCK_WAIT_MS);
      }
    }
    throw new GrantError("GRANTS_BUSY", GRANTS.busy);
  }
}

// Strict: an entry in any other form than ours gives nothing, and neither do the others.
function parseEntries(text: string): GrantEntries {
  const file: unknown = JSON.parse(text);
  if (!isJsonObject(file) || file["version"] !== VERSION || !isJsonObject(file["grants"])) throw new Error(GRANTS.badForm);
  return new Map(Object.entries(file["grants"]).map(([name, entry]) => [name, parseEntry(entry)]));
}

function parseEntry(entry: unknown): GrantEntry {
  if (!isJsonObject(entry) || !isJsonObject(entry["permissions"]) || !isJsonObject(entry["seen"])) throw new Error(GRANTS.badForm);
  const { code, says, asks } = entry["seen"];
  if (typeof code !== "string" || !isJsonObject(says) || !isJsonObject(asks)) throw new Error(GRANTS.badForm);
  const hashes = Object.entries(says);
  if (!hashes.every((pair): pair is [string, string] => typeof pair[1] === "string")) throw new Error(GRANTS.badForm);
  return { permissions: entry["permissions"], seen: { code, says: Object.fromEntries(hashes), asks } };
}
