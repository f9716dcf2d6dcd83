import type { Meter } from "./messages.ts";

/**
 * A frame: length of what follows (u32), type (u8), call (u32), CPU in microseconds (u32), heap in KiB (u32), body.
 * Little endian. The largest body is agreed beforehand; a frame that claims more is refused before anything is kept.
 */
const LENGTH_BYTES = 4;
const HEAD_BYTES = 13;
const U32_MAX = 0xffff_ffff;

export interface Frame {
  readonly type: number;
  readonly call: number;
  readonly meter: Meter;
  readonly body: Buffer;
}

class FrameError extends Error {
  override readonly name = "FrameError";
}

const NO_METER: Meter = { cpuMicros: 0, heapBytes: 0 };

/** One frame as one buffer, ready for the pipe. */
export function encodeFrame(type: number, call: number, body: string | Buffer, meter: Meter = NO_METER): Buffer {
  const bodyBytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + HEAD_BYTES + bodyBytes);
  frame.writeUInt32LE(HEAD_BYTES + bodyBytes, 0);
  frame.writeUInt8(type, 4);
  frame.writeUInt32LE(call, 5);
  frame.writeUInt32LE(Math.min(Math.round(meter.cpuMicros), U32_MAX), 9);
  frame.writeUInt32LE(Math.min(Math.round(meter.heapBytes / 1024), U32_MAX), 13);
  if (typeof body === "string") frame.write(body, LENGTH_BYTES + HEAD_BYTES);
  else body.copy(frame, LENGTH_BYTES + HEAD_BYTES);
  return frame;
}

/** Cuts a stream of chunks into frames. Memory held is at most what has arrived, never what a frame claims. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBodyBytes: number) {
    this.#maxBytes = maxBodyBytes + HEAD_BYTES;
  }

  /** Frames that `chunk` completes, in order. Throws FrameError for a stream that can be no frame of ours. */
  *push(chunk: Buffer): Generator<Frame, void, undefined> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= LENGTH_BYTES) {
      const length = this.#peekLength();
      if (length < HEAD_BYTES || length > this.#maxBytes) {
        throw new FrameError(`A frame of ${length} bytes is outside ${HEAD_BYTES} to ${this.#maxBytes}`);
      }
      if (this.#size < LENGTH_BYTES + length) return;
      yield decodeFrame(this.#take(LENGTH_BYTES + length));
    }
  }

  #peekLength(): number {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= LENGTH_BYTES) return first.readUInt32LE(0);
    this.#join();
    return this.#chunks[0]?.readUInt32LE(0) ?? 0;
  }

  #take(bytes: number): Buffer {
    if ((this.#chunks[0]?.length ?? 0) < bytes) this.#join();
    const whole = this.#chunks[0] ?? Buffer.alloc(0);
    this.#size -= bytes;
    if (whole.length === bytes) this.#chunks.shift();
    else this.#chunks[0] = whole.subarray(bytes);
    return whole.subarray(0, bytes);
  }

  #join(): void {
    this.#chunks = [Buffer.concat(this.#chunks)];
  }
}

function decodeFrame(frame: Buffer): Frame {
  return {
    type: frame.readUInt8(4),
    call: frame.readUInt32LE(5),
    meter: { cpuMicros: frame.readUInt32LE(9), heapBytes: frame.readUInt32LE(13) * 1024 },
    body: frame.subarray(LENGTH_BYTES + HEAD_BYTES),
  };
}
