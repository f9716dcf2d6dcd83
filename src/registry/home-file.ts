import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import { GrantError, type FaultCode } from "../catalogue/faults.ts";
import type { Json } from "../catalogue/json.ts";
import { GRANTS } from "../catalogue/texts.ts";
import { FreshFile, type FreshFileForm } from "./fresh-file.ts";

/** What one of the owner's files holds, and what its faults are called. */
export interface HomeFileForm<T> extends Omit<FreshFileForm<T>, "toFault"> {
  /** Its name in the home. */
  readonly name: string;
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
  readonly #file: FreshFile<T>;

  constructor(home: string, form: HomeFileForm<T>) {
    this.#path = join(home, form.name);
    this.#form = form;
    this.#file = new FreshFile(this.#path, { ...form, toFault: (reason) => GRANTS.damaged(form.name, reason) });
  }

  read(): T {
    return this.#file.read();
  }

  /** Why what the file says does not hold, or null. */
  fault(): string | null {
    return this.#file.fault();
  }

  /** Writes what `change` makes of it now. Throws GrantError rather than write over a damaged file. */
  async update(change: (value: T) => T): Promise<void> {
    mkdirSync(join(this.#path, ".."), { recursive: true, mode: 0o700 });
    const release = await this.#lock();
    try {
      const fault = this.fault();
      if (fault !== null) throw new GrantError(this.#form.codes.damaged, fault);
      const text = JSON.stringify(this.#form.format(change(this.#file.read())), null, 2);
      const temporary = `${this.#path}.${process.pid}.new`;
      writeFileSync(temporary, `${text}\n`, { mode: 0o600 });
      renameSync(temporary, this.#path);
    } finally {
      release();
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
