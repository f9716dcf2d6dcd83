import type { Frame } from "../bridge/frames.ts";
import type { Code } from "../catalogue/codes.ts";

/** Why the host killed a cell. */
export type KillReason = "stuck" | "memory" | "protocol" | "done" | "closed" | "start";

/** Why a cell ended: as above, or with the process that it shared, for what another capability did there. */
export type EndReason = KillReason | "shared";

/** What a cell's end means for the calls that it took with it. */
export interface Cause {
  readonly code: Code;
  readonly message: string;
}

/** How what a cell ran in has ended, as far as can be told. */
export interface Death {
  readonly killedFor: EndReason | null;
  readonly signal: string | null;
  readonly exitCode: number | null;
  /** The end of what it wrote to its stderr. For the owner's log only: V8 writes paths there. */
  readonly stderr: string;
  /** When the system told of its end, on the monotonic clock, where it did. */
  readonly at?: number;
  /** What its end means, where the host knows that for certain. */
  readonly known?: Cause;
}

/** What a cell may do between two looks at it. */
export interface Bounds {
  /** The most that its process may hold. */
  readonly residentBytes: number;
  /** The longest that it may compute without a word. */
  readonly silentMs: number;
}

/**
 * What a cell runs in, a process of its own or a thread of ours: the bridge's messages in and out, and the one way to end it.
 * It never throws for what the cell does, and holds no event loop open: whoever waits for an answer holds a timer of their own.
 */
export interface CellProcess {
  /** Settles once it is gone. Never rejects. */
  readonly closed: Promise<Death>;
  onFrame: (frame: Frame) => void;
  /** Called where a turn has computed for longer than it may and cannot be stopped, and it cannot be told whose it is. */
  onStuck: () => void;
  readonly isKilled: boolean;
  /** The most that the whole process may hold, where that is more than one cell's to say. */
  readonly sharedBytes?: number;
  /** Of the process, or undefined for a thread of our own. */
  readonly pid: number | undefined;
  send(type: number, call: number, body: string | Buffer): void;
  /** As `send`, together with what else is sent in this turn of the event loop. */
  sendSoon(type: number, call: number, body: string): void;
  /** The number of the last message that it began to act on, as far as it leaves word of that; -1 for none. */
  lastBegun(): number;
  kill(reason: KillReason): void;
  /** Called again and again while calls are in flight: ends a cell that holds more memory than it may, or stops a turn of it that does not end. */
  look(bounds: Bounds): void;
}
