/** Who waits in a line. */
export interface Waiter {
  /** Called once, when it has its place. */
  onTurn(): void;
}

/** Places for so many at once: those who find one free enter, the others wait, first come, first served. */
export class Line {
  #places: number;
  #taken = 0;
  readonly #waiting = new Set<Waiter>();

  constructor(places: number) {
    this.#places = places;
  }

  get isFree(): boolean {
    return this.#taken < this.#places && this.#waiting.size === 0;
  }

  get running(): number {
    return this.#taken;
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.size;
  }

  widen(places: number): void {
    if (places === this.#places) return;
    this.#places = places;
    this.#admit();
  }

  /** Takes a free place. */
  enter(): void {
    this.#taken += 1;
  }

  leave(): void {
    this.#taken -= 1;
    this.#admit();
  }

  /** Its turn may come before this returns. */
  wait(waiter: Waiter): void {
    this.#waiting.add(waiter);
    this.#admit();
  }

  /** False for one that does not wait here any more. */
  forget(waiter: Waiter): boolean {
    return this.#waiting.delete(waiter);
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (this.#taken >= this.#places) return;
      this.#waiting.delete(waiter);
      this.#taken += 1;
      waiter.onTurn();
    }
  }
}
