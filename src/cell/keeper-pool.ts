import { FROM_CELL } from "../bridge/messages.ts";
import { START } from "../catalogue/texts.ts";
import { AddonError } from "./addon.ts";
import { StartError } from "./call-end.ts";
import { KeeperProcess } from "./keeper-process.ts";
import { KEEPER_FILE } from "./spawn.ts";
import { largestFromCell, largestResident, largestToCell, type CellLimits } from "./limits.ts";

/** Keepers that stand ready and belong to nobody yet: a first call waits for no process to start. */
export class KeeperPool {
  readonly #limits: CellLimits;
  readonly #addonFile: () => string;
  readonly #spares: Promise<KeeperProcess>[] = [];
  readonly #living = new Set<KeeperProcess>();
  #isClosed = false;

  constructor(limits: CellLimits, addonFile: () => string) {
    this.#limits = limits;
    this.#addonFile = addonFile;
  }

  /** A keeper that is ready; the next spare is started behind it. Rejects with StartError. */
  async take(): Promise<KeeperProcess> {
    let keeper = await this.#takeSpare();
    keeper ??= await this.#start();
    this.#living.delete(keeper);
    this.#fill();
    return keeper;
  }

  /** Ends the spares, and those that are still starting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#living].map((keeper) => {
      keeper.kill("closed");
      return keeper.closed;
    });
    await Promise.allSettled([...this.#spares, ...ended]);
  }

  // A spare may have died while it waited: the next one, or a new one, serves.
  async #takeSpare(): Promise<KeeperProcess | undefined> {
    for (let spare = this.#spares.shift(); spare !== undefined; spare = this.#spares.shift()) {
      const keeper = await spare.catch(() => undefined);
      if (keeper !== undefined && this.#living.has(keeper)) return keeper;
    }
    return undefined;
  }

  #fill(): void {
    while (!this.#isClosed && this.#spares.length < this.#limits.spareCount) {
      const spare = this.#start();
      spare.catch(() => undefined);
      this.#spares.push(spare);
    }
  }

  async #start(): Promise<KeeperProcess> {
    if (this.#isClosed) throw new StartError("CANCELLED", START.closed);
    const keeper = new KeeperProcess(this.#options(), this.#limits.stderrBytes);
    this.#living.add(keeper);
    void keeper.closed.then(() => this.#living.delete(keeper));
    await this.#whenReady(keeper);
    return keeper;
  }

  #whenReady(keeper: KeeperProcess): Promise<void> {
    const { startMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const overdue = setTimeout(() => keeper.kill("start"), startMs);
      keeper.onFrame = ({ type }) => {
        clearTimeout(overdue);
        if (type === FROM_CELL.READY) resolve();
        else keeper.kill("protocol");
      };
      void keeper.closed.then(({ killedFor, stderr }) => {
        clearTimeout(overdue);
        if (killedFor === "closed") reject(new StartError("CANCELLED", START.closed));
        else if (killedFor === "start") reject(new StartError("START_TIMEOUT", START.keeperTimeout(startMs), stderr));
        else reject(new StartError("CELL_CRASHED", START.keeperDied, stderr));
      });
    });
  }

  #options() {
    const { cpuMs, memoryBytes, graceMs, watchMs, keeperHeapBytes } = this.#limits;
    return {
      keeperFile: KEEPER_FILE,
      addonFile: this.#findAddon(),
      memoryBytes,
      cpuMs,
      graceMs,
      watchMs,
      residentBytes: largestResident(this.#limits),
      bodyBytes: largestFromCell(this.#limits),
      frameBytes: largestToCell(this.#limits),
      heapBytes: keeperHeapBytes,
    };
  }

  #findAddon(): string {
    try {
      return this.#addonFile();
    } catch (error) {
      if (error instanceof AddonError) throw new StartError("CELL_CRASHED", error.message);
      throw error;
    }
  }
}
