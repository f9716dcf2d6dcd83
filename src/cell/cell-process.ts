import type { Frame } from "../bridge/frames.ts";
import type { Code } from "../catalogue/codes.ts";

/** Why the host killed a cell. */
export type KillReason = "stuck" | "memory" | "protocol" | "done" | "closed" | "start";

/** What a cell's end means for the calls that it took with it. */
export interface Cause {
  readonly code: Code;
  readonly message: string;
}

/** How what a cell ran in has ended, as far as can be told. */
export interface Death {
  readonly killedFor: KillReason | null;
  readonly signal: string | null;
  readonly exitCode: number | null;
  /** The end of what it wrote to its stderr. For the owner's log only: V8 writes paths there. */
  readonly stderr: string;
  /** When the system told of its end, on the monotonic clock, where it did. */
  readonly at?: number;
  /** What its end means, where the host knows that for certain. */
  readonly known?: Cause;
}

/**
 * What a cell runs in, a process of its own or a thread of ours: the bridge's messages in and out, and the one way to end it.
 * It never throws for what the cell does, and holds no event loop open: whoever waits for an answer holds a timer of their own.
 */
export interface CellProcess {
  /** Settles once it is gone. Never rejects. */
  readonly closed: Promise<Death>;
  onFrame: (frame: Frame) => void;
  readonly isKilled: boolean;
  /** Of the process, or undefined for a thread of our own. */
  readonly pid: number | undefined;
  send(type: number, call: number, body: string | Buffer): void;
  kill(reason: KillReason): void;
  /** Called again and again while calls are in flight: ends a cell that holds more memory than it may, or stops a turn of it that does not end. */
  look(residentBytes: number): void;
}
