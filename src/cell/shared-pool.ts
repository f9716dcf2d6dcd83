import { START } from "../catalogue/texts.ts";
import { StartError } from "./call-end.ts";
import type { CellProcess } from "./cell-process.ts";
import type { KeeperPool } from "./keeper-pool.ts";
import type { CellLimits } from "./limits.ts";
import { SharedProcess } from "./shared-process.ts";
import { Suspects } from "./suspects.ts";

/** What decides where a capability's cell stands. */
export interface Tenant {
  readonly capability: string;
  /** Those of the same trust may share a process; null for one that shares none. */
  readonly trust: string | null;
  readonly limits: CellLimits;
}

// A process that is gone before anybody came in: so many are tried.
const STARTS = 3;

/** The processes that hold several cells, by the trust of those in them. Whoever shares with nobody has a keeper of its own. */
export class SharedPool {
  readonly #pool: KeeperPool;
  readonly #limits: CellLimits;
  readonly #suspects: Suspects;
  /** By trust, those that take more, the oldest first: it is filled before the next, so that the others may come to their end. */
  readonly #open = new Map<string, Set<SharedProcess>>();
  readonly #starting = new Map<string, Promise<void>>();
  readonly #living = new Set<SharedProcess>();
  #isClosed = false;

  constructor(pool: KeeperPool, limits: CellLimits) {
    this.#pool = pool;
    this.#limits = limits;
    this.#suspects = new Suspects(limits.crashWindowMs);
  }

  /** What a capability's next cell runs in. Rejects with StartError. */
  async take({ capability, trust, limits }: Tenant): Promise<CellProcess> {
    if (trust === null || this.#suspects.has(capability)) return await this.#pool.take();
    for (let starts = 0; starts <= STARTS; starts += 1) {
      for (const process of this.#openOf(trust)) {
        const cell = process.take(capability, limits.memoryBytes);
        if (cell !== null) return cell;
      }
      await this.#start(trust);
    }
    throw new StartError("CELL_CRASHED", START.keeperDied);
  }

  /** Its code is another: whatever the old one did says nothing of it. */
  clear(capability: string): void {
    this.#suspects.clear(capability);
  }

  /** Ends every shared process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const process of this.#living) process.kill("closed");
    await Promise.all([...this.#living].map(({ closed }) => closed));
  }

  #openOf(trust: string): Set<SharedProcess> {
    let open = this.#open.get(trust);
    if (open === undefined) this.#open.set(trust, (open = new Set()));
    return open;
  }

  // One at a time: those who wait for it fill it, and the first who finds no place in it starts the next.
  #start(trust: string): Promise<void> {
    let starting = this.#starting.get(trust);
    if (starting === undefined) {
      starting = this.#begin(trust).finally(() => this.#starting.delete(trust));
      this.#starting.set(trust, starting);
    }
    return starting;
  }

  async #begin(trust: string): Promise<void> {
    const keeper = await this.#pool.startShared(this.#limits.sharedCellCount);
    const open = this.#openOf(trust);
    const process = new SharedProcess(keeper, {
      limits: this.#limits,
      onOver: () => open.delete(process),
      onSuspects: (capabilities, isCertain) => this.#suspects.add(capabilities, isCertain),
    });
    this.#living.add(process);
    void process.closed.then(() => this.#living.delete(process));
    if (this.#isClosed) process.kill("closed");
    else open.add(process);
  }
}
