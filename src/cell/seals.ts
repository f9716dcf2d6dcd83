import { findLeash } from "./leash.ts";
import { findWrappers, wrapperFault, type Wrapper } from "./wrapper.ts";
import { endsWithHost, type Seal } from "./spawn.ts";

/** A wrapper that this machine has and that did not work, with its own words. */
export interface Fallen {
  readonly wrapper: Wrapper;
  readonly reason: string;
  readonly at: number;
}

// For so long a wrapper that failed is passed over: a machine may have been out of something for a moment.
const PASSED_OVER_MS = 30_000;

/**
 * How keepers are started: in the strongest wrapper that works here. Whether one works shows at the first start, which costs
 * no trial where it does.
 */
export class Seals {
  readonly #base: Omit<Seal, "wrapper" | "leash">;
  readonly #onFallen: (fallen: Fallen) => void;
  readonly #fallen = new Map<Wrapper, Fallen>();
  #wrappers: Promise<readonly Wrapper[]> | null = null;

  constructor(base: Omit<Seal, "wrapper" | "leash">, onFallen: (fallen: Fallen) => void = () => undefined) {
    this.#base = base;
    this.#onFallen = onFallen;
  }

  async current(addonFile: string): Promise<Seal> {
    this.#wrappers ??= findWrappers(process.execPath, addonFile);
    const wrappers = await this.#wrappers;
    const before = performance.now() - PASSED_OVER_MS;
    const standing = wrappers.find((wrapper) => (this.#fallen.get(wrapper)?.at ?? -Infinity) < before);
    const wrapper = standing ?? null;
    // Where the wrapper sees to it nobody has to be looked for.
    return { wrapper, leash: endsWithHost(wrapper) ? null : await findLeash(), ...this.#base };
  }

  /** Whether a keeper ended because of its wrapper: the next one is started without it. Told once of each wrapper. */
  hasFallen({ wrapper }: Seal, stderr: string): boolean {
    const reason = wrapperFault(wrapper, stderr);
    if (wrapper === null || reason === null) return false;
    const fallen = { wrapper, reason, at: performance.now() };
    const isNews = !this.#fallen.has(wrapper);
    this.#fallen.set(wrapper, fallen);
    if (isNews) this.#onFallen(fallen);
    return true;
  }

  get fallen(): readonly Fallen[] {
    return [...this.#fallen.values()];
  }
}
