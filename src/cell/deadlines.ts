/** When a cell's calls are over, on the monotonic clock: one timer for all of them, since most end long before. */
export class Deadlines {
  readonly #onDue: (now: number) => number;
  #timer: NodeJS.Timeout | null = null;
  /** When the timer is due. */
  #at = Infinity;

  /** `onDue` ends what is over and returns the next deadline, Infinity where there is none. */
  constructor(onDue: (now: number) => number) {
    this.#onDue = onDue;
  }

  /** A call that ends by then begins. While there are calls the timer holds the event loop open: whoever waits for one lives to see its end. */
  add(at: number): void {
    if (at < this.#at) this.#arm(at);
    else this.#timer?.ref();
  }

  /** No call is left. What the timer waits for may be the next one's deadline as well. */
  rest(): void {
    this.#timer?.unref();
  }

  close(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#at = Infinity;
  }

  #arm(at: number): void {
    clearTimeout(this.#timer ?? undefined);
    this.#at = at;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, at - performance.now()));
  }

  #look(): void {
    this.#at = Infinity;
    this.#timer = null;
    const next = this.#onDue(performance.now());
    if (next < this.#at) this.#arm(next);
  }
}
