import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { encodeFrame, FrameReader, type Frame } from "../bridge/frames.ts";
import type { Meter } from "../bridge/messages.ts";

/** The two pipes that a keeper is born with: frames come in on one and go out on the other. */
const PIPE_IN = 3;
const PIPE_OUT = 4;

/** Reads frames for ever; the end of the pipe is the end of the host, and so of this process. */
export function readFrames(maxBodyBytes: number, onFrame: (frame: Frame) => void): void {
  const reader = new FrameReader(maxBodyBytes);
  const pipe = new Socket({ fd: PIPE_IN, readable: true, writable: false });
  pipe.on("data", (chunk: Buffer) => {
    for (const frame of reader.push(chunk)) onFrame(frame);
  });
  pipe.on("error", endProcess);
  pipe.on("close", endProcess);
  pipe.on("end", endProcess);
}

/** Writes one frame before it returns: a slow host slows the guest, and no queue grows here. */
export function writeFrame(type: number, call: number, body: string | Buffer, meter?: Meter): void {
  const frame = encodeFrame(type, call, body, meter);
  let written = 0;
  while (written < frame.length) {
    try {
      written += writeSync(PIPE_OUT, frame, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") endProcess();
    }
  }
}

/** Ends this process at once. An exit would wait for an isolate's thread that may never come back. */
export function endProcess(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}
