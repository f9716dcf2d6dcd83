/** The guest's timers, by their numbers. The guest's runtime counts them, so that no more can be set here than it allows. */
export class Timers {
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #onDue: (timer: number, owner: number) => void;

  constructor(onDue: (timer: number, owner: number) => void) {
    this.#onDue = onDue;
  }

  /** SET_TIMER: the delay in milliseconds, a space, the call that the timer belongs to. One of the same number is replaced. */
  set(timer: number, body: string): void {
    const [delayMs = 0, owner = 0] = body.split(" ", 2).map(Number);
    clearTimeout(this.#timers.get(timer));
    const due = (): void => {
      this.#timers.delete(timer);
      this.#onDue(timer, owner);
    };
    this.#timers.set(timer, setTimeout(due, delayMs));
  }

  clear(timer: number): void {
    clearTimeout(this.#timers.get(timer));
    this.#timers.delete(timer);
  }

  clearAll(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
