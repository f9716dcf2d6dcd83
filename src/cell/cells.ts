import type { GuestConfig } from "../bridge/messages.ts";
import { START } from "../catalogue/texts.ts";
import { findAddon } from "./addon.ts";
import { StartError } from "./call-end.ts";
import { Cell } from "./cell.ts";
import type { Death, KeeperProcess } from "./keeper-process.ts";
import { largestResident, type CellLimits } from "./limits.ts";
import { KeeperPool } from "./keeper-pool.ts";
import { Watchdog } from "./watchdog.ts";

/** What a capability's cell is made of. */
export interface CellPlan {
  readonly capability: string;
  /** The engine's limits, lowered by the capability's own. */
  readonly limits: CellLimits;
  readonly config: Omit<GuestConfig, "memoryBytes" | "cpuMs" | "residentBytes">;
  bundle(): Promise<string>;
}

export interface CellsEvents {
  onDeath(capability: string, death: Death): void;
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
  #sweep: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(limits: CellLimits, events: CellsEvents) {
    this.#limits = limits;
    this.#events = events;
    this.#watchdog = new Watchdog(limits.watchMs);
    this.#pool = new KeeperPool(limits, () => findAddon().file);
  }

  /** The capability's cell, started if need be; one start serves all who wait. Rejects with StartError. */
  acquire(plan: CellPlan): Cell | Promise<Cell> {
    const cell = this.#current.get(plan.capability);
    if (cell !== undefined && !cell.isRetired) return cell;
    let starting = this.#starting.get(plan.capability);
    if (starting === undefined) {
      starting = this.#start(plan).finally(() => this.#starting.delete(plan.capability));
      this.#starting.set(plan.capability, starting);
    }
    return starting;
  }

  /** Processes that live now, spares not counted. */
  get count(): number {
    return this.#living.size;
  }

  /** Lets a capability's cell finish what it has and end. */
  release(capability: string): void {
    this.#current.get(capability)?.retire();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep ?? undefined);
    const living = [...this.#living];
    for (const cell of living) cell.end("closed");
    await Promise.allSettled([...this.#starting.values(), ...living.map((cell) => cell.closed), this.#pool.close()]);
    await Promise.all([...this.#living].map((cell) => (cell.end("closed"), cell.closed)));
  }

  async #start(plan: CellPlan): Promise<Cell> {
    if (this.#isClosed) throw new StartError("CANCELLED", START.closed);
    await this.#makeRoom();
    const bundle = await plan.bundle();
    const keeper = await this.#pool.take();
    const cell = this.#adopt(plan, keeper);
    const { cpuMs, memoryBytes, startMs } = plan.limits;
    const overdue = setTimeout(() => keeper.kill("start"), startMs);
    try {
      await cell.load({ ...plan.config, cpuMs, memoryBytes, residentBytes: largestResident(plan.limits) }, bundle);
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
    this.#current.set(plan.capability, cell);
    return cell;
  }

  #adopt(plan: CellPlan, keeper: KeeperProcess): Cell {
    const { capability, limits } = plan;
    const cell = new Cell({
      keeper,
      limits,
      watchdog: this.#watchdog,
      onRetired: () => {
        if (this.#current.get(capability) === cell) this.#current.delete(capability);
      },
      onDeath: (death) => {
        this.#living.delete(cell);
        this.#events.onDeath(capability, death);
      },
    });
    this.#living.add(cell);
    this.#sweep ??= setInterval(() => this.#stopIdle(), Math.max(10, this.#limits.idleStopMs / 4)).unref();
    return cell;
  }

  // Where no cell is idle, the first one that ends makes room: whoever waits has a time of their own for that.
  async #makeRoom(): Promise<void> {
    while (this.#living.size >= this.#limits.cellCount && !this.#isClosed) {
      const idle = [...this.#living].filter((cell) => cell.inFlight === 0 && !cell.isRetired);
      idle.sort((a, b) => a.idleSince - b.idleSince)[0]?.retire();
      await Promise.race([...this.#living].map((cell) => cell.closed));
    }
  }

  #stopIdle(): void {
    const before = performance.now() - this.#limits.idleStopMs;
    for (const cell of this.#living) if (cell.inFlight === 0 && cell.idleSince <= before) cell.retire();
    if (this.#living.size > 0) return;
    clearInterval(this.#sweep ?? undefined);
    this.#sweep = null;
  }
}
