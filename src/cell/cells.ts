import type { GuestConfig } from "../bridge/messages.ts";
import { START } from "../catalogue/texts.ts";
import { findAddon } from "./addon.ts";
import { StartError } from "./call-end.ts";
import { Cell } from "./cell.ts";
import type { Death, KeeperProcess } from "./keeper-process.ts";
import { largestResident, type CellLimits } from "./limits.ts";
import { KeeperPool } from "./keeper-pool.ts";
import type { WallPolicy } from "./walls.ts";
import { Watchdog } from "./watchdog.ts";

/** What a capability's cell is made of. */
export interface CellPlan {
  readonly capability: string;
  /** The same for plans that may share a cell: one capability's, of the same code and the same limits. */
  id(): string;
  /** The engine's limits, lowered by the capability's own. */
  readonly limits: CellLimits;
  /** What the cell that starts now is told. */
  config(): Omit<GuestConfig, "memoryBytes" | "cpuMs" | "residentBytes">;
  bundle(): Promise<string>;
}

export interface CellsEvents {
  onDeath(capability: string, death: Death): void;
  /** A wall that is there and does not work, and that no policy requires: cells start without it. */
  onWeaker?(message: string): void;
}

/**
 * The cells of an engine, one a capability: started at the first call, stopped when idle, replaced when a limit was met. At
 * most `cellCount` at once: the one idle for longest makes room.
 */
export class Cells {
  readonly #limits: CellLimits;
  readonly #events: CellsEvents;
  readonly #watchdog: Watchdog;
  readonly #pool: KeeperPool;
  readonly #current = new Map<string, Cell>();
  readonly #starting = new Map<string, Promise<Cell>>();
  readonly #living = new Set<Cell>();
  /** Cells that have their room and no process yet. */
  #launching = 0;
  /** Resolves when there may be room again; null while nobody waits for it. */
  #room: PromiseWithResolvers<void> | null = null;
  #sweep: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(limits: CellLimits, events: CellsEvents, policy: WallPolicy = {}) {
    this.#limits = limits;
    this.#events = events;
    this.#watchdog = new Watchdog(limits.watchMs);
    this.#pool = new KeeperPool(
      limits,
      () => findAddon().file,
      policy,
      (message) => events.onWeaker?.(message),
    );
  }

  /** The capability's cell, started if need be; one start serves all who wait. Rejects with StartError. */
  acquire(plan: CellPlan): Cell | Promise<Cell> {
    const id = plan.id();
    const cell = this.#current.get(id);
    if (cell !== undefined && !cell.isRetired) return cell;
    let starting = this.#starting.get(id);
    if (starting === undefined) {
      starting = this.#start(plan, id).finally(() => this.#starting.delete(id));
      this.#starting.set(id, starting);
    }
    return starting;
  }

  /** Starts the spares before anyone calls. */
  warm(): void {
    this.#pool.warm();
  }

  /** Lets the cell of a plan that is not called any more finish what it has and end. */
  release(id: string): void {
    this.#current.get(id)?.retire();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep ?? undefined);
    const living = [...this.#living];
    for (const cell of living) cell.end("closed");
    this.#announceRoom();
    await Promise.allSettled([...this.#starting.values(), ...living.map((cell) => cell.closed), this.#pool.close()]);
    await Promise.all([...this.#living].map((cell) => (cell.end("closed"), cell.closed)));
  }

  async #start(plan: CellPlan, id: string): Promise<Cell> {
    if (this.#isClosed) throw new StartError("CANCELLED", START.closed);
    const { bundle, keeper, cell } = await this.#launch(plan, id);
    const { cpuMs, memoryBytes, startMs } = plan.limits;
    const overdue = setTimeout(() => keeper.kill("start"), startMs);
    try {
      await cell.load({ ...plan.config(), cpuMs, memoryBytes, residentBytes: largestResident(plan.limits) }, bundle);
    } catch (error) {
      cell.retire();
      throw error;
    } finally {
      clearTimeout(overdue);
    }
    if (this.#isClosed || cell.isRetired) {
      cell.end("closed");
      throw new StartError("CANCELLED", START.closed);
    }
    this.#current.set(id, cell);
    return cell;
  }

  async #launch(plan: CellPlan, id: string): Promise<{ readonly bundle: string; readonly keeper: KeeperProcess; readonly cell: Cell }> {
    await this.#takeRoom();
    try {
      const bundle = await plan.bundle();
      const keeper = await this.#pool.take();
      return { bundle, keeper, cell: this.#adopt(plan, id, keeper) };
    } finally {
      this.#launching -= 1;
      this.#announceRoom();
    }
  }

  #adopt(plan: CellPlan, id: string, keeper: KeeperProcess): Cell {
    const { capability, limits } = plan;
    const cell = new Cell({
      keeper,
      limits,
      watchdog: this.#watchdog,
      onRetired: () => {
        if (this.#current.get(id) === cell) this.#current.delete(id);
      },
      onIdle: () => this.#announceRoom(),
      onDeath: (death) => {
        this.#living.delete(cell);
        this.#announceRoom();
        this.#events.onDeath(capability, death);
      },
    });
    this.#living.add(cell);
    this.#sweep ??= setInterval(() => this.#stopIdle(), Math.max(10, this.#limits.idleStopMs / 4)).unref();
    return cell;
  }

  // Where no cell is idle, the first one that is makes room: whoever waits has a time of their own for that.
  async #takeRoom(): Promise<void> {
    while (this.#living.size + this.#launching >= this.#limits.cellCount && !this.#isClosed) {
      const idle = [...this.#living].filter((cell) => cell.inFlight === 0 && !cell.isRetired);
      idle.sort((a, b) => a.idleSince - b.idleSince)[0]?.retire();
      this.#room ??= Promise.withResolvers();
      await this.#room.promise;
    }
    this.#launching += 1;
  }

  // A cell has nothing to do, or is gone. Its own next call, if that is on its way already, comes before those who wait.
  #announceRoom(): void {
    const room = this.#room;
    if (room === null) return;
    this.#room = null;
    setImmediate(() => room.resolve());
  }

  #stopIdle(): void {
    const before = performance.now() - this.#limits.idleStopMs;
    for (const cell of this.#living) if (cell.inFlight === 0 && cell.idleSince <= before) cell.retire();
    if (this.#living.size > 0) return;
    clearInterval(this.#sweep ?? undefined);
    this.#sweep = null;
  }
}
