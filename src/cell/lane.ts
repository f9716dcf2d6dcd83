import { setTimeout as pause } from "node:timers/promises";
import { START } from "../catalogue/texts.ts";
import { Breaker, type BreakerLimits } from "./breaker.ts";
import { StartError } from "./call-end.ts";
import type { Cell } from "./cell.ts";

export interface LaneParts {
  readonly capability: string;
  readonly limits: BreakerLimits & { readonly drainMs: number };
}

interface Starting {
  readonly id: string;
  readonly cell: Promise<Cell>;
}

/**
 * The cells of one capability, one after the other. `id` says what a cell is made of: where that changes, the cell of old
 * takes no more calls, ends those it has, unloads, and only then is the next one called. A cell that is replaced for any
 * other reason, such as a limit that was met in it, keeps nobody waiting.
 */
export class Lane {
  readonly breaker: Breaker;
  readonly #parts: LaneParts;
  #current: { readonly id: string; readonly cell: Cell } | null = null;
  #starting: Starting | null = null;
  /** Resolves when the cell of old is out of the way; null where there is none. */
  #gate: Promise<void> | null = null;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.breaker = new Breaker(parts.limits);
  }

  /** The cell that would serve a call of another `id` until that one takes its place, or null. */
  predecessorOf(id: string): Cell | null {
    return this.#current === null || this.#current.id === id ? null : this.#current.cell;
  }

  /** The cell that takes calls of `id` now, or null. */
  serving(id: string): Cell | null {
    const current = this.#current;
    return current?.id === id && this.#gate === null && !current.cell.isRetired ? current.cell : null;
  }

  /**
   * The cell for calls of `id`, started by `start` if there is none; one start serves all who wait. What `isAside` may start
   * beside the cell that it follows. Rejects with StartError.
   */
  acquire(id: string, isAside: boolean, start: () => Promise<Cell>): Cell | Promise<Cell> {
    if (this.#current?.id === id && !this.#current.cell.isRetired) {
      const { cell } = this.#current;
      return this.#gate === null ? cell : this.#gate.then(() => cell);
    }
    if (this.#starting?.id === id) return this.#starting.cell;
    const quarantinedMs = this.breaker.quarantinedMs;
    if (quarantinedMs > 0) return Promise.reject(new StartError("QUARANTINED", START.quarantined(this.#parts.capability, quarantinedMs)));
    return this.#begin(id, isAside, start);
  }

  /** Calls are of `id` from now on: a cell of another one goes, and `next`, made ready aside, takes its place if there is one. */
  succeed(id: string, next: Cell | null): void {
    if (this.#starting?.id !== id) this.#starting = null;
    if (next === null && this.#current?.id === id) return;
    this.#leave();
    this.#current = next === null ? null : { id, cell: next };
  }

  /** Nothing is called any more. */
  release(): void {
    this.#leave();
    this.#starting = null;
  }

  /** Called when a cell takes no more calls. One that stops for want of work still has its unloading to do. */
  drop(cell: Cell): void {
    if (this.#current?.cell !== cell) return;
    this.#current = null;
    if (!cell.isTorn) this.#await(cell);
  }

  #begin(id: string, isAside: boolean, start: () => Promise<Cell>): Promise<Cell> {
    this.#leave();
    const starting: Starting = { id, cell: this.#started(id, isAside, start, () => this.#starting === starting) };
    this.#starting = starting;
    return starting.cell;
  }

  async #started(id: string, isAside: boolean, start: () => Promise<Cell>, isWanted: () => boolean): Promise<Cell> {
    // Never in the same turn: whoever begins a start has to be known as its owner first.
    await (isAside ? null : this.#gate);
    try {
      const cell = await start();
      await this.#gate;
      if (isWanted() && !cell.isRetired) this.#current = { id, cell };
      else cell.retire();
      return cell;
    } finally {
      if (isWanted()) this.#starting = null;
    }
  }

  #leave(): void {
    const cell = this.#current?.cell;
    this.#current = null;
    if (cell === undefined) return;
    cell.retire();
    this.#await(cell);
  }

  // Two in a row: the gate opens when both are out of the way.
  #await(cell: Cell): void {
    const gate = Promise.all([this.#gate, isGone(cell, this.#parts.limits.drainMs)]).then(() => {
      if (this.#gate === gate) this.#gate = null;
    });
    this.#gate = gate;
  }
}

// Past `drainMs` a call of old code keeps nobody waiting any more, and still ends in its own time.
async function isGone(cell: Cell, drainMs: number): Promise<void> {
  const giveUp = new AbortController();
  const isDrained = await Promise.race([
    cell.drained.then(() => true),
    pause(drainMs, false, { signal: giveUp.signal, ref: false }).catch(() => false),
  ]);
  giveUp.abort();
  if (isDrained) await cell.over;
}
