/** The part of the engine's limits that a breaker holds to. */
export interface BreakerLimits {
  readonly crashCount: number;
  readonly crashWindowMs: number;
  readonly quarantineMs: number;
  readonly quarantineMaxMs: number;
}

/**
 * Keeps a capability off that crashes again and again: after `crashCount` crashes within the window for `quarantineMs`, and
 * twice as long each time that it crashes soon after. Times on the monotonic clock.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  #crashes: number[] = [];
  #strikes = 0;
  #until = 0;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  /** How long it is still kept off, in milliseconds; 0 for not at all. */
  get quarantinedMs(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Other code, another chance. */
  reset(): void {
    this.#crashes = [];
    this.#strikes = 0;
    this.#until = 0;
  }

  /** Counts a crash. Returns the length of the quarantine that it opens, or null. */
  crash(): number | null {
    const now = performance.now();
    const { crashCount, crashWindowMs, quarantineMs, quarantineMaxMs } = this.#limits;
    // A cell that was still running when the others had crashed has nothing new to say.
    if (now < this.#until) return null;
    if (this.#strikes > 0 && now - this.#until > crashWindowMs) this.#strikes = 0;
    this.#crashes = [...this.#crashes.filter((time) => now - time < crashWindowMs), now].slice(-crashCount);
    if (this.#strikes === 0 && this.#crashes.length < crashCount) return null;
    const ms = Math.min(quarantineMaxMs, quarantineMs * 2 ** this.#strikes);
    this.#strikes += 1;
    this.#crashes = [];
    this.#until = now + ms;
    return ms;
  }
}
