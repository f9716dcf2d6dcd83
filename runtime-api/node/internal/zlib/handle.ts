import { constants } from "./constants.ts";
import { ending, openCodec, type Codec, type Kind, type ZlibOptions } from "./whole.ts";

/**
 * What a stream of Node's zlib works with. Packages that want bytes at once drive it themselves, through the stream's
 * `_handle`, as they would drive Node's own binding.
 */
export class Handle {
  readonly #kind: Kind;
  readonly #options: ZlibOptions;
  #codec: Codec | null = null;
  #pieces: Iterator<Uint8Array> = [].values();
  #rest: Uint8Array = new Uint8Array(0);
  /** After `writeSync`: how much room was left, and how much of the input. */
  readonly state = new Uint32Array(2);

  constructor(kind: Kind, options: ZlibOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  *push(bytes: Uint8Array, isFlushed: boolean): Generator<Uint8Array, void> {
    this.#codec ??= openCodec(this.#kind, bytes, this.#options);
    yield* this.#codec.push(bytes, isFlushed);
  }

  *end(): Generator<Uint8Array, void> {
    this.#codec ??= openCodec(this.#kind, new Uint8Array(0), this.#options);
    yield* ending(this.#codec, this.#options);
  }

  /** Takes all of the input, and puts as much as there is room for where it is wanted; a call without input goes on. */
  writeSync(flush: number, input: Uint8Array | null, from: number, length: number, output: Uint8Array, at: number, room: number): void {
    if (length > 0 || this.#codec === null)
      this.#pieces = this.#follow(this.#pieces, this.through(flush, input?.subarray(from, from + length)));
    let filled = 0;
    while (filled < room) {
      if (this.#rest.length === 0) {
        const { done, value } = this.#pieces.next();
        if (done === true) break;
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, room - filled);
      output.set(part, at + filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    this.state[0] = room - filled;
    this.state[1] = 0;
  }

  /** What comes out of bytes that are flushed in one of zlib's ways. */
  *through(flush: number, bytes: Uint8Array = new Uint8Array(0)): Generator<Uint8Array, void> {
    const isEnd = flush === constants["Z_FINISH"];
    yield* this.push(bytes, !isEnd && flush !== constants["Z_NO_FLUSH"]);
    if (isEnd) yield* this.end();
  }

  close(): void {
    this.#codec?.close();
  }

  // The codec gives its pieces one after the other, and each input's before the next goes in.
  *#follow(first: Iterator<Uint8Array>, second: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    for (let step = first.next(); step.done !== true; step = first.next()) yield step.value;
    yield* second;
  }
}
