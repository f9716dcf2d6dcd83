import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { encodeFrame, FrameBuffer, FrameReader, type Frame } from "../bridge/frames.ts";
import type { Meter } from "../bridge/messages.ts";

/** The first of the two pipes that a keeper is born with: frames come in on it and go out on the next. */
export const FIRST_PIPE = 3;

/** The file that the host may have given beside them, to a keeper of one cell. */
export const MARK = 5;
// A small message passes through in one piece, a large one in many.
const CHUNK_BYTES = 64 * 1024;

/** A pair of pipes to the host. */
export class Pipes {
  readonly #in: number;
  readonly #out: number;
  readonly #held = new FrameBuffer(CHUNK_BYTES);
  #count = 0;

  /** `first` is for frames that come in, the descriptor after it for those that go out. */
  constructor(first = FIRST_PIPE) {
    this.#in = first;
    this.#out = first + 1;
  }

  /**
   * Reads frames for ever into one buffer: a frame's body is to be read before `onFrame` returns. `onPause` is called when all
   * that has arrived was read. The end of the pipe is the end of the host, and so of this process.
   */
  readFrames(maxBodyBytes: number, onFrame: (frame: Frame) => void, onPause: () => void): void {
    const reader = new FrameReader(maxBodyBytes, onFrame);
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const callback = (size: number): boolean => {
      reader.push(buffer.subarray(0, size), true);
      onPause();
      return true;
    };
    const onread = { buffer, callback };
    const pipe = new Socket({ fd: this.#in, readable: true, writable: false, onread });
    pipe.on("error", endProcess);
    pipe.on("close", endProcess);
    pipe.on("end", endProcess);
    pipe.resume();
  }

  /** How many times the host was written to. */
  get writeCount(): number {
    return this.#count;
  }

  /** Keeps one frame back for the next `flushFrames`, with those before it: one write for all. */
  holdFrame(type: number, call: number, body: string | Buffer, meter?: Meter): void {
    if (this.#held.add(type, call, body, meter)) return;
    this.flushFrames();
    this.#writeAll(encodeFrame(type, call, body, meter));
  }

  /** Writes what was held back before it returns: a slow host slows the guest, and no queue grows here. */
  flushFrames(): void {
    if (this.#held.isEmpty) return;
    this.#writeAll(this.#held.take());
  }

  /** Writes one frame, and what was held back before it. */
  writeFrame(type: number, call: number, body: string | Buffer, meter?: Meter): void {
    this.flushFrames();
    this.#writeAll(encodeFrame(type, call, body, meter));
  }

  #writeAll(frames: Buffer): void {
    this.#count += 1;
    for (let written = 0; written < frames.length;) {
      try {
        written += writeSync(this.#out, frames, written);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") endProcess();
      }
    }
  }
}

const mark = Buffer.alloc(4);

/** Leaves the number of the call that begins in the mark. */
export function writeMark(call: number): void {
  mark.writeUInt32LE(call, 0);
  writeSync(MARK, mark, 0, mark.length, 0);
}

/** Ends this process at once. An exit would wait for an isolate's thread that may never come back. */
export function endProcess(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}
