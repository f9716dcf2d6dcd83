import type { Bounds, CellProcess } from "./cell-process.ts";

/** Looks at every cell that has calls in flight, which ends one that outgrows its bound. Idle cells cost nothing. */
export class Watchdog {
  readonly #watched = new Map<CellProcess, Bounds>();
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | null = null;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  watch(cell: CellProcess, bounds: Bounds): void {
    this.#watched.set(cell, bounds);
    this.#timer ??= setInterval(() => this.#look(), this.#periodMs).unref();
  }

  /** The timer runs on and finds nothing: a call that follows at once starts none. */
  release(cell: CellProcess): void {
    this.#watched.delete(cell);
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer ?? undefined);
      this.#timer = null;
      return;
    }
    for (const [cell, bounds] of this.#watched) cell.look(bounds);
  }
}
