import type { KeeperProcess } from "./keeper-process.ts";

/** Looks at the memory of every cell that has calls in flight, and kills one that outgrows its bound. Idle cells cost nothing. */
export class Watchdog {
  readonly #watched = new Map<KeeperProcess, number>();
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  watch(keeper: KeeperProcess, residentBytes: number): void {
    this.#watched.set(keeper, residentBytes);
    this.#timer ??= setInterval(() => this.#look(), this.#periodMs).unref();
  }

  /** The timer runs on and finds nothing: a call that follows at once starts none. */
  release(keeper: KeeperProcess): void {
    this.#watched.delete(keeper);
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer ?? undefined);
      this.#timer = null;
      return;
    }
    for (const [keeper, bound] of this.#watched) {
      if ((keeper.residentBytes() ?? 0) > bound) keeper.kill("memory");
    }
  }
}
