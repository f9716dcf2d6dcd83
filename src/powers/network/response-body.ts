import { setImmediate } from "node:timers/promises";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, type BrotliDecompress, type Gunzip } from "node:zlib";
import { NETWORK } from "../../catalogue/texts.ts";
import { overLimit } from "../power.ts";
import type { SecretMask } from "./secret-injector.ts";

const SMALL_BYTES = 64 * 1024;
const LATE = Buffer.alloc(0);

type Decoder = Gunzip | BrotliDecompress;

/** The body of an answer, given out as it is asked for: decoded, held to a size, with secrets masked. */
export class ResponseBody {
  readonly #raw: Readable;
  readonly #decoder: Decoder | null;
  readonly #chunks: AsyncIterator<unknown, unknown>;
  readonly #mask: SecretMask;
  readonly #limitBytes: number;
  #given = 0;
  #hasEnded = false;
  /** Asked for and not given out yet, in order. */
  readonly #ahead: Promise<Buffer | null>[] = [];

  constructor(raw: Readable, coding: string | undefined, mask: SecretMask, limitBytes: number) {
    const decoder = decoderOf(coding);
    this.#raw = raw.on("error", () => undefined);
    this.#decoder = decoder?.on("error", () => undefined) ?? null;
    if (decoder !== null) pipeline(raw, decoder, () => undefined);
    this.#chunks = (decoder ?? raw)[Symbol.asyncIterator]();
    this.#mask = mask;
    this.#limitBytes = limitBytes;
  }

  /** The next bytes, or null at the end. Rejects where the body breaks off, cannot be decoded, or is too large. */
  next(): Promise<Buffer | null> {
    return this.#ahead.shift() ?? this.#pull();
  }

  /** The whole body where it is small and came together with the head: it then needs no asking for. */
  async whole(): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes <= SMALL_BYTES;) {
      const pulled = this.#pull();
      this.#ahead.push(pulled);
      // What fails here fails again when it is asked for.
      const part = await Promise.race([pulled.catch(() => LATE), setImmediate(LATE)]);
      if (part === null) return Buffer.concat(parts);
      if (part === LATE) return null;
      parts.push(part);
      bytes += part.length;
    }
    return null;
  }

  destroy(): void {
    this.#raw.destroy();
    this.#decoder?.destroy();
  }

  async #pull(): Promise<Buffer | null> {
    while (!this.#hasEnded) {
      const { value, done } = await this.#chunks.next().catch((error: unknown) => {
        if (this.#wasEmpty(error)) return { value: undefined, done: true };
        throw error;
      });
      this.#hasEnded = done === true;
      const chunk = this.#hasEnded ? this.#mask.end() : this.#mask.push(this.#count(value as Buffer));
      if (chunk.length > 0) return chunk;
    }
    return null;
  }

  // Nothing at all, as for HEAD, is no broken compression.
  #wasEmpty(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return code === "Z_BUF_ERROR" && this.#decoder?.bytesWritten === 0 && this.#raw.readableEnded;
  }

  #count(chunk: Buffer): Buffer {
    this.#given += chunk.length;
    if (this.#given <= this.#limitBytes) return chunk;
    this.destroy();
    throw overLimit(NETWORK.bytes(this.#limitBytes));
  }
}

// One coding that is known is taken off; anything else reaches the guest as it was sent.
function decoderOf(coding: string | undefined): Decoder | null {
  switch (coding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    default:
      return null;
  }
}
