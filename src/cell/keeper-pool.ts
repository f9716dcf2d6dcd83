import { FROM_CELL, TO_CELL } from "../bridge/messages.ts";
import { START, WALL } from "../catalogue/texts.ts";
import { AddonError } from "./addon.ts";
import { StartError } from "./call-end.ts";
import { assertWalls } from "./detect-walls.ts";
import { KeeperProcess } from "./keeper-process.ts";
import { keeperOptions, sharedOptions, type CellLimits } from "./limits.ts";
import { Seals } from "./seals.ts";
import { KEEPER_FILE, type Seal } from "./spawn.ts";
import { assertWallPolicy, wallsAskedFor, type WallPolicy } from "./walls.ts";
import type { Wrapper } from "./wrapper.ts";

// Longer than a first call takes.
const WARM_AFTER_MS = 50;

/** Keepers that stand ready and belong to nobody yet: a first call waits for no process to start. */
export class KeeperPool {
  readonly #limits: CellLimits;
  readonly #addonFile: () => string;
  readonly #policy: WallPolicy;
  readonly #seals: Seals;
  readonly #walls = new Map<Wrapper | null, Promise<void>>();
  readonly #spares: Promise<KeeperProcess>[] = [];
  readonly #living = new Set<KeeperProcess>();
  #warming: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: CellLimits, addonFile: () => string, policy: WallPolicy = {}, onWeaker: (message: string) => void = () => undefined) {
    this.#limits = limits;
    this.#addonFile = addonFile;
    assertWallPolicy(policy);
    this.#policy = policy;
    this.#seals = new Seals(wallsAskedFor(policy, limits.dataBytes), ({ wrapper, reason }) => onWeaker(WALL.fell(wrapper.kind, reason)));
  }

  /** A keeper that is ready; the next spare is started behind it. Rejects with StartError. */
  async take(): Promise<KeeperProcess> {
    let keeper = await this.#takeSpare();
    keeper ??= await this.#start();
    this.#living.delete(keeper);
    // A process that starts takes a processor from the call that this one is taken for.
    clearTimeout(this.#warming);
    this.#warming = setTimeout(() => this.warm(), WARM_AFTER_MS).unref();
    return keeper;
  }

  /** A keeper of so many places, for nobody else. Rejects with StartError. */
  async startShared(placeCount: number): Promise<KeeperProcess> {
    const keeper = await this.#start(placeCount);
    this.#living.delete(keeper);
    return keeper;
  }

  /** Starts the spares that are wanting. One that cannot start is found out by whoever takes it. */
  warm(): void {
    while (!this.#isClosed && this.#spares.length < this.#limits.spareCount) {
      const spare = this.#start().then((keeper) => (keeper.send(TO_CELL.REHEARSE, 0, ""), keeper));
      spare.catch(() => undefined);
      this.#spares.push(spare);
    }
  }

  /** Ends the spares, and those that are still starting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#warming);
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

  async #start(placeCount = 0): Promise<KeeperProcess> {
    const addonFile = this.#findAddon();
    for (;;) {
      const seal = await this.#sealFor(addonFile);
      if (this.#isClosed) throw new StartError("CANCELLED", START.closed);
      const options = {
        ...keeperOptions(this.#limits, addonFile),
        ...sharedOptions(this.#limits, seal, placeCount),
        keeperFile: KEEPER_FILE,
      };
      const keeper = new KeeperProcess(options, this.#limits.stderrBytes);
      this.#living.add(keeper);
      void keeper.closed.then(() => this.#living.delete(keeper));
      try {
        await this.#whenReady(keeper);
        return keeper;
      } catch (error) {
        if (!(error instanceof StartError && this.#seals.hasFallen(seal, error.detail ?? ""))) throw error;
      }
    }
  }

  // A wrapper may fall at any start: what comes after it has to be all that the policy requires as well.
  async #sealFor(addonFile: string): Promise<Seal> {
    for (;;) {
      const seal = await this.#seals.current(addonFile);
      await this.#assertWalls(seal, addonFile);
      if ((await this.#seals.current(addonFile)).wrapper === seal.wrapper) return seal;
    }
  }

  // Once for each way of starting keepers; after a failure again, since what was missing may have been put right.
  #assertWalls({ wrapper }: Seal, addonFile: string): Promise<void> {
    let walls = this.#walls.get(wrapper);
    if (walls === undefined) {
      walls = assertWalls(this.#seals, this.#limits, this.#policy, addonFile);
      this.#walls.set(wrapper, walls);
      walls.catch(() => this.#walls.delete(wrapper));
    }
    return walls;
  }

  #whenReady(keeper: KeeperProcess): Promise<void> {
    const { startMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const overdue = setTimeout(() => keeper.kill("start"), startMs);
      keeper.onFrame = ({ type }) => {
        clearTimeout(overdue);
        if (type === FROM_CELL.READY) resolve();
        else if (type !== FROM_CELL.PONG) keeper.kill("protocol");
      };
      void keeper.closed.then(({ killedFor, stderr }) => {
        clearTimeout(overdue);
        if (killedFor === "closed") reject(new StartError("CANCELLED", START.closed));
        else if (killedFor === "start") reject(new StartError("START_TIMEOUT", START.keeperTimeout(startMs), stderr));
        else reject(new StartError("CELL_CRASHED", START.keeperDied, stderr));
      });
    });
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
