/** Bytes that may be held at once, by whomever: who wants more than is left waits for its turn. */
export class Budget {
  readonly #total: number;
  #left: number;
  readonly #waiting: { readonly bytes: number; go(): void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#left = total;
  }

  /** Runs `use` when `bytes` are free. One that wants more than there are at all gets them alone. */
  async hold<T>(bytes: number, use: () => Promise<T>): Promise<T> {
    const wanted = Math.min(bytes, this.#total);
    if (this.#waiting.length > 0 || this.#left < wanted)
      await new Promise<void>((go) => this.#waiting.push({ bytes: wanted, go: () => go() }));
    else this.#left -= wanted;
    try {
      return await use();
    } finally {
      this.#left += wanted;
      this.#admit();
    }
  }

  // In the order in which they came: a large one is not kept waiting by small ones.
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#left; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#left -= next.bytes;
      next.go();
    }
  }
}
