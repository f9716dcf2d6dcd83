import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { GrantError, type FaultCode } from "../catalogue/faults.ts";
import type { Json } from "../catalogue/json.ts";
import { GRANTS } from "../catalogue/texts.ts";

/** What one of the owner's files holds, and what its faults are called. */
export interface HomeFileForm<T> {
  /** Its name in the home. */
  readonly name: string;
  /** What holds where there is no such file. */
  readonly none: T;
  /** What holds where the file is damaged: nothing that it may have given. */
  readonly damaged: T;
  /** Strict: throws for any other form than ours. */
  parse(value: unknown): T;
  format(value: T): Json;
  readonly codes: { readonly damaged: FaultCode; readonly busy: FaultCode };
}

const LOCK_WAIT_MS = 20;
const LOCK_TRIES = 250;
// A lock of a process that died; nobody holds one for longer than a write takes.
const LOCK_STALE_MS = 10_000;

/** A file of the owner's decisions in the home, read anew whenever it has changed: what another process writes holds here too. */
export class HomeFile<T> {
  readonly #path: string;
  readonly #form: HomeFileForm<T>;
  #stamp = "";
  #value: T;
  #fault: string | null = null;

  constructor(home: string, form: HomeFileForm<T>) {
    this.#path = join(home, form.name);
    this.#form = form;
    this.#value = form.none;
  }

  read(): T {
    this.#readIfChanged();
    return this.#value;
  }

  /** Why what the file says does not hold, or null. */
  fault(): string | null {
    this.#readIfChanged();
    return this.#fault;
  }

  /** Writes what `change` makes of it now. Throws GrantError rather than write over a damaged file. */
  async update(change: (value: T) => T): Promise<void> {
    mkdirSync(join(this.#path, ".."), { recursive: true, mode: 0o700 });
    const release = await this.#lock();
    try {
      const fault = this.fault();
      if (fault !== null) throw new GrantError(this.#form.codes.damaged, fault);
      const text = JSON.stringify(this.#form.format(change(this.#value)), null, 2);
      const temporary = `${this.#path}.${process.pid}.new`;
      writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } finally {
      release();
    }
  }

  #readIfChanged(): void {
    const stats = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const stamp = stats === undefined ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#fault = null;
    this.#value = this.#form.none;
    if (stats === undefined) return;
    try {
      this.#value = this.#form.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch (error) {
      this.#value = this.#form.damaged;
      this.#fault = GRANTS.damaged(this.#form.name, error instanceof Error ? error.message : "unreadable");
    }
  }

  async #lock(): Promise<() => void> {
    const lock = `${this.#path}.lock`;
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
    throw new GrantError(this.#form.codes.busy, GRANTS.busy(this.#form.name));
  }
}
