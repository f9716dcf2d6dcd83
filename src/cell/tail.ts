/** The last bytes of a stream, however much flows. */
export class Tail {
  readonly #bytes: number;
  #kept = Buffer.alloc(0);

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  push(chunk: Buffer): void {
    const joined = Buffer.concat([this.#kept, chunk.subarray(-this.#bytes)]);
    this.#kept = Buffer.from(joined.subarray(-this.#bytes));
  }

  text(): string {
    return this.#kept.toString("utf8");
  }
}
