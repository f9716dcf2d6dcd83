import type { ReloadLimits } from "./limits.ts";

interface Burst {
  readonly firstMs: number;
  lastMs: number;
}

/**
 * Turns bursts into single calls: `onSettled` runs once a key was left alone for `settleMs`, and in the midst of a burst
 * that does not end, `settleMaxMs` after it began. Times are those of the monotonic clock: setting the time of day
 * changes none of them. No timer keeps the process alive.
 */
export class Settler {
  readonly #limits: Pick<ReloadLimits, "settleMs" | "settleMaxMs">;
  readonly #onSettled: (key: string) => void;
  readonly #bursts = new Map<string, Burst>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(limits: Pick<ReloadLimits, "settleMs" | "settleMaxMs">, onSettled: (key: string) => void) {
    this.#limits = limits;
    this.#onSettled = onSettled;
  }

  touch(key: string): void {
    const nowMs = performance.now();
    const burst = this.#bursts.get(key);
    // One timer a burst, and not one an event: a flood costs two fields.
    if (burst !== undefined) burst.lastMs = nowMs;
    else this.#wait(key, { firstMs: nowMs, lastMs: nowMs }, nowMs);
  }

  drop(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#bursts.delete(key);
  }

  close(): void {
    for (const key of this.#timers.keys()) this.drop(key);
  }

  #wait(key: string, burst: Burst, nowMs: number): void {
    this.#bursts.set(key, burst);
    const leftMs = this.#dueMs(burst) - nowMs;
    this.#timers.set(key, setTimeout(() => this.#lookAt(key, burst), Math.ceil(leftMs)).unref());
  }

  #lookAt(key: string, burst: Burst): void {
    const nowMs = performance.now();
    if (this.#dueMs(burst) > nowMs) return this.#wait(key, burst, nowMs);
    this.drop(key);
    this.#onSettled(key);
  }

  #dueMs({ firstMs, lastMs }: Burst): number {
    const { settleMs, settleMaxMs } = this.#limits;
    return Math.min(lastMs + settleMs, firstMs + settleMaxMs);
  }
}
