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
  writeFrameHead(frame, 0, type, call, bodyBytes, meter);
  if (typeof body === "string") frame.write(body, LENGTH_BYTES + HEAD_BYTES);
  else body.copy(frame, LENGTH_BYTES + HEAD_BYTES);
  return frame;
}

/** Frames one after the other in one buffer that is used again and again: what a lone message needs no memory for. */
export class FrameBuffer {
  readonly #buffer: Buffer;
  #end = 0;

  constructor(bytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(bytes);
  }

  /** False where it does not surely fit: then nothing was added. */
  add(type: number, call: number, body: string | Buffer, meter: Meter = NO_METER): boolean {
    // A character is three bytes at most.
    const start = this.#end + LENGTH_BYTES + HEAD_BYTES;
    if (start + body.length * 3 > this.#buffer.length) return false;
    const bodyBytes = typeof body === "string" ? this.#buffer.write(body, start) : body.copy(this.#buffer, start);
    writeFrameHead(this.#buffer, this.#end, type, call, bodyBytes, meter);
    this.#end += LENGTH_BYTES + HEAD_BYTES + bodyBytes;
    return true;
  }

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  /** What was added since the last time, valid until the next is. */
  take(): Buffer {
    const frames = this.#buffer.subarray(0, this.#end);
    this.#end = 0;
    return frames;
  }
}

function writeFrameHead(frame: Buffer, at: number, type: number, call: number, bodyBytes: number, meter: Meter): void {
  frame.writeUInt32LE(HEAD_BYTES + bodyBytes, at);
  frame.writeUInt8(type, at + 4);
  frame.writeUInt32LE(call, at + 5);
  frame.writeUInt32LE(Math.min(Math.round(meter.cpuMicros), U32_MAX), at + 9);
  frame.writeUInt32LE(Math.min(Math.round(meter.heapBytes / 1024), U32_MAX), at + 13);
}

/** Cuts a stream of chunks into frames. Memory held is at most what has arrived, never what a frame claims. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onFrame: (frame: Frame) => void;
  /** What has arrived of a frame that is not whole. */
  #chunks: Buffer[] = [];
  #size = 0;

  /** `onFrame` is called for each frame, in order; its body is to be read before that returns. */
  constructor(maxBodyBytes: number, onFrame: (frame: Frame) => void) {
    this.#maxBytes = maxBodyBytes + HEAD_BYTES;
    this.#onFrame = onFrame;
  }

  /** Throws FrameError for a stream that can be no frame of ours. Of a chunk `isReused` nothing is kept but a copy. */
  push(chunk: Buffer, isReused = false): void {
    if (this.#size === 0) return this.#keep(chunk, this.#read(chunk), isReused);
    this.#keep(chunk, 0, isReused);
    const length = this.#lengthIn(this.#chunks[0] as Buffer, 0);
    if (length !== null && this.#size < length) return;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    this.#keep(joined, this.#read(joined), false);
  }

  // Every frame that is whole in it; returns where the rest begins.
  #read(bytes: Buffer): number {
    let at = 0;
    for (let length = this.#lengthIn(bytes, at); length !== null && at + length <= bytes.length; length = this.#lengthIn(bytes, at)) {
      this.#onFrame(decodeFrame(bytes, at, at + length));
      at += length;
    }
    return at;
  }

  // Of the frame that begins there, its own four bytes with it; null where these are not all there.
  #lengthIn(bytes: Buffer, at: number): number | null {
    if (bytes.length - at < LENGTH_BYTES) return null;
    const length = bytes.readUInt32LE(at);
    if (length < HEAD_BYTES || length > this.#maxBytes)
      throw new FrameError(`A frame of ${length} bytes is outside ${HEAD_BYTES} to ${this.#maxBytes}`);
    return LENGTH_BYTES + length;
  }

  #keep(chunk: Buffer, from: number, isReused: boolean): void {
    if (from === chunk.length) return;
    const rest = chunk.subarray(from);
    this.#chunks.push(isReused ? Buffer.from(rest) : rest);
    this.#size += chunk.length - from;
  }
}

function decodeFrame(bytes: Buffer, at: number, end: number): Frame {
  return {
    type: bytes.readUInt8(at + 4),
    call: bytes.readUInt32LE(at + 5),
    meter: { cpuMicros: bytes.readUInt32LE(at + 9), heapBytes: bytes.readUInt32LE(at + 13) * 1024 },
    body: bytes.subarray(at + LENGTH_BYTES + HEAD_BYTES, end),
  };
}
