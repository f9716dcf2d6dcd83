import { START } from "../catalogue/texts.ts";
import { findAddon } from "./addon.ts";
import { StartError } from "./call-end.ts";
import { Cell } from "./cell.ts";
import type { CellPlan } from "./cell-plan.ts";
import type { CellProcess } from "./cell-process.ts";
import type { CellsEvents } from "./cells-events.ts";
import { Lane } from "./lane.ts";
import { largestResident, type CellLimits } from "./limits.ts";
import { KeeperPool } from "./keeper-pool.ts";
import { SharedPool } from "./shared-pool.ts";
import type { WallPolicy } from "./walls.ts";
import { Watchdog } from "./watchdog.ts";

interface Launched {
  readonly bundle: string;
  readonly config: Awaited<ReturnType<CellPlan["config"]>>;
  readonly keeper: CellProcess;
  readonly cell: Cell;
}

/**
 * The cells of an engine, one a capability: started at the first call, stopped when idle, replaced when a limit was met or
 * the code is another. At most `cellCount` at once: the one idle for longest makes room.
 */
export class Cells {
  readonly #limits: CellLimits;
  readonly #events: CellsEvents;
  readonly #watchdog: Watchdog;
  readonly #pool: KeeperPool;
  readonly #shared: SharedPool;
  readonly #lanes = new Map<string, Lane>();
  readonly #starting = new Set<Promise<Cell>>();
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
    this.#shared = new SharedPool(this.#pool, limits);
  }

  /** The capability's cell where it takes calls now, else null. */
  serving(plan: CellPlan): Cell | null {
    return this.#lanes.get(plan.capability)?.serving(plan.id()) ?? null;
  }

  /** The capability's cell, started if need be; one start serves all who wait, and prepares `tool` at once. Rejects with StartError. */
  acquire(plan: CellPlan, tool: string): Cell | Promise<Cell> {
    return this.#laneOf(plan.capability).acquire(plan.id(), isAside(plan), () => this.#start(plan, tool));
  }

  /**
   * Makes a capability's next cell ready beside the one that serves, with the modules that stand in that one and are among
   * `tools`; null where nothing else serves, or nothing may run beside it. Rejects with StartError where the new code does not load.
   */
  async prepareNext(plan: CellPlan, tools: readonly string[]): Promise<Cell | null> {
    const serving = this.#lanes.get(plan.capability)?.predecessorOf(plan.id()) ?? null;
    if (serving === null || !isAside(plan) || this.#isFull()) return null;
    const cell = await this.#start(plan, null);
    let isOverdue = false;
    const overdue = setTimeout(() => {
      isOverdue = true;
      cell.stop();
    }, plan.limits.startMs);
    try {
      for (const tool of serving.prepared) if (tools.includes(tool)) await cell.prepare(tool);
      return cell;
    } catch (error) {
      cell.retire();
      throw isOverdue ? new StartError("LOAD_FAILED", START.nextOverdue(plan.limits.startMs)) : error;
    } finally {
      clearTimeout(overdue);
    }
  }

  /** From now on calls go to `next`, or to a cell that they start: the one of old ends what it has, unloads and ends. */
  succeed(plan: CellPlan, next: Cell | null): void {
    const lane = this.#lanes.get(plan.capability);
    lane?.breaker.reset();
    this.#shared.clear(plan.capability);
    lane?.succeed(plan.id(), next);
  }

  /** Ends the cell of a capability that is not there any more, once it has finished what it has. */
  release(capability: string): void {
    this.#lanes.get(capability)?.release();
  }

  /** For how long a capability is still kept off after crashes, in milliseconds. */
  quarantinedMs(capability: string): number {
    return this.#lanes.get(capability)?.breaker.quarantinedMs ?? 0;
  }

  /** Starts the spares before anyone calls. */
  warm(): void {
    this.#pool.warm();
  }

  /** Ends every cell, each after its tools' unloading. Calls in flight end as cancelled at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep ?? undefined);
    const closing = [...this.#living].map((cell) => cell.close());
    this.#announceRoom();
    await Promise.allSettled([...this.#starting, ...closing, this.#pool.close()]);
    for (const cell of this.#living) cell.end("closed");
    await this.#shared.close();
    await Promise.all([...this.#living].map((cell) => cell.closed));
  }

  #laneOf(capability: string): Lane {
    let lane = this.#lanes.get(capability);
    if (lane === undefined) this.#lanes.set(capability, (lane = new Lane({ capability, limits: this.#limits })));
    return lane;
  }

  async #start(plan: CellPlan, tool: string | null): Promise<Cell> {
    const starting = this.#load(plan, tool);
    this.#starting.add(starting);
    try {
      const cell = await starting;
      this.#events.onStart?.(plan.capability);
      return cell;
    } catch (error) {
      // One that ended with what it shares, or was ended from outside, is not to blame.
      if (error instanceof StartError && error.code === "CELL_CRASHED" && error.retry === "never") this.#onCrash(plan.capability);
      throw error;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #load(plan: CellPlan, tool: string | null): Promise<Cell> {
    if (this.#isClosed) throw new StartError("CANCELLED", START.closed);
    const { bundle, config, keeper, cell } = await this.#launch(plan);
    const { cpuMs, memoryBytes, startMs } = plan.limits;
    const overdue = setTimeout(() => keeper.kill("start"), startMs);
    try {
      const loading = cell.load(
        { ...config, cpuMs, memoryBytes, residentBytes: keeper.sharedBytes ?? largestResident(plan.limits) },
        bundle,
      );
      // Sent behind it: whoever waits for the tool learns what becomes of that.
      if (tool !== null) cell.prepare(tool).catch(() => undefined);
      await loading;
    } catch (error) {
      cell.retire();
      throw error;
    } finally {
      clearTimeout(overdue);
    }
    if (!this.#isClosed && !cell.isRetired) return cell;
    cell.end("closed");
    throw new StartError("CANCELLED", START.closed);
  }

  async #launch(plan: CellPlan): Promise<Launched> {
    await this.#takeRoom();
    try {
      const bundling = plan.bundle();
      const configuring = plan.config();
      for (const begun of [bundling, configuring]) begun.catch(() => undefined);
      const keeper = await (plan.runtime === "worker" ? this.#startThread(plan) : this.#shared.take(plan));
      try {
        return { bundle: await bundling, config: await configuring, keeper, cell: this.#adopt(plan, keeper) };
      } catch (error) {
        keeper.kill("done");
        throw error;
      }
    } finally {
      this.#launching -= 1;
      this.#announceRoom();
    }
  }

  async #startThread({ capability, limits }: CellPlan): Promise<CellProcess> {
    // Only what an owner trusts runs so: piscina is loaded for that alone.
    const { THREAD_FILE, ThreadProcess } = await import("./thread-process.ts");
    return new ThreadProcess({ threadFile: THREAD_FILE, limits, onLine: (level, line) => this.#events.onLine?.(capability, level, line) });
  }

  #adopt(plan: CellPlan, keeper: CellProcess): Cell {
    const { capability, limits } = plan;
    const cell = new Cell({
      keeper,
      limits,
      watchdog: this.#watchdog,
      unloading: (tool) => plan.unloading(tool),
      onRetired: () => this.#lanes.get(capability)?.drop(cell),
      onIdle: () => this.#announceRoom(),
      onDeath: (death, isCrash) => {
        this.#living.delete(cell);
        this.#announceRoom();
        if (isCrash) this.#onCrash(capability);
        this.#events.onDeath(capability, death);
      },
    });
    this.#living.add(cell);
    this.#sweep ??= setInterval(() => this.#stopIdle(), Math.max(10, this.#limits.idleStopMs / 4)).unref();
    return cell;
  }

  // Where no cell is idle, the first one that is makes room: whoever waits has a time of their own for that.
  async #takeRoom(): Promise<void> {
    while (this.#isFull() && !this.#isClosed) {
      const idle = [...this.#living].filter((cell) => cell.isIdle);
      idle.sort((a, b) => a.idleSince - b.idleSince)[0]?.retire();
      this.#room ??= Promise.withResolvers();
      await this.#room.promise;
    }
    this.#launching += 1;
  }

  #isFull(): boolean {
    return this.#living.size + this.#launching >= this.#limits.cellCount;
  }

  #onCrash(capability: string): void {
    const ms = this.#laneOf(capability).breaker.crash();
    if (ms !== null) this.#events.onQuarantine?.(capability, ms);
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
    for (const cell of this.#living) if (cell.isIdle && cell.idleSince <= before) cell.retire();
    if (this.#living.size > 0) return;
    clearInterval(this.#sweep ?? undefined);
    this.#sweep = null;
  }
}

// A worker has all of the machine: what its code of old holds, such as a port, has to be let go before the new takes it.
function isAside({ runtime }: CellPlan): boolean {
  return runtime === "isolate";
}
