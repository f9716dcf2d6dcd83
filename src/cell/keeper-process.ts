import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { encodeFrame, FrameBuffer, FrameReader, type Frame } from "../bridge/frames.ts";
import { BegunMark } from "./begun-mark.ts";
import type { Bounds, CellProcess, Death, KillReason } from "./cell-process.ts";
import { ProcessUse } from "./process-use.ts";
import { isLeashed, spawnKeeper, type KeeperOptions } from "./spawn.ts";
import { Tail } from "./tail.ts";

// Messages that are sent together, or a lone small one.
const HELD_BYTES = 16 * 1024;

/** A keeper's process: frames over two pipes, and SIGKILL for its whole group. */
export class KeeperProcess implements CellProcess {
  /** Settles once the process and its pipes are gone. Never rejects. */
  readonly closed: Promise<Death>;
  /** The pipes of its places, two for each: in, then out. */
  readonly placePipes: readonly Socket[];
  onFrame: (frame: Frame) => void = () => undefined;
  onStuck: () => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #mark: BegunMark | null;
  readonly #input: Writable | undefined;
  #outgoing = new FrameBuffer(HELD_BYTES);
  #isFlushDue = false;
  readonly #handles: readonly { ref(): void; unref(): void }[];
  readonly #stderr: Tail;
  readonly #use: ProcessUse | null;
  /** Whether a turn may hold the keeper's only thread, which then says nothing of it. */
  readonly #isLeashed: boolean;
  #heardAt = performance.now();
  /** The CPU time at the first look since something was heard, or null before it. */
  #cpuAtSilence: number | null = null;
  #killedFor: KillReason | null = null;

  constructor(options: KeeperOptions, stderrBytes: number) {
    // Elsewhere, and in a process of several cells, a keeper tells of each call that it begins.
    this.#mark = isLeashed(options.seal) && options.placeCount === 0 ? BegunMark.open() : null;
    this.#child = spawnKeeper(options, this.#mark?.fd ?? null);
    this.#stderr = new Tail(stderrBytes);
    this.#use = this.#child.pid === undefined ? null : new ProcessUse(this.#child.pid);
    this.#isLeashed = isLeashed(options.seal);
    this.closed = this.#watchClose();
    // A host without file handles left gets no pipes and no process: `closed` tells that.
    const [, , stderr, input, output, ...places] =
      (this.#child.stdio as [null, null, Readable, Writable, Readable, ...Socket[]] | undefined) ?? [];
    this.placePipes = places.slice(0, 2 * options.placeCount);
    this.#input = input;
    // A pipe breaks when its process dies; `closed` tells that, once.
    for (const pipe of [stderr, input, output, ...this.placePipes]) pipe?.on("error", () => undefined);
    stderr?.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    if (output !== undefined) this.#readFrames(output, options.bodyBytes);
    const pipes = [stderr, input, output, ...this.placePipes] as (Socket | undefined)[];
    this.#handles = [this.#child, ...pipes.filter((pipe) => pipe !== undefined)];
    for (const handle of this.#handles) handle.unref();
  }

  lastBegun(): number {
    return this.#mark?.last() ?? -1;
  }

  get isKilled(): boolean {
    return this.#killedFor !== null;
  }

  send(type: number, call: number, body: string | Buffer): void {
    if (this.#outgoing.add(type, call, body)) return this.#flush();
    this.#flush();
    this.#write(encodeFrame(type, call, body));
  }

  sendSoon(type: number, call: number, body: string): void {
    if (!this.#outgoing.add(type, call, body)) return this.send(type, call, body);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushDue = false;
    if (this.#outgoing.isEmpty) return;
    this.#write(this.#outgoing.take());
    // The system has not taken all of it: this memory belongs to the pipe until it has.
    if (this.#input !== undefined && this.#input.writableLength > 0) this.#outgoing = new FrameBuffer(HELD_BYTES);
  }

  #write(frames: Buffer): void {
    if (this.#input?.writable === true) this.#input.write(frames);
  }

  kill(reason: KillReason): void {
    if (this.#killedFor !== null) return;
    this.#killedFor = reason;
    // Whoever waits for the end must live to see it.
    for (const handle of this.#handles) handle.ref();
    killGroup(this.#child);
    // Whatever could be left behind ends with its pipe.
    this.#input?.destroy();
  }

  look({ residentBytes, silentMs }: Bounds): void {
    if ((this.residentBytes() ?? 0) > residentBytes) return this.kill("memory");
    if (this.#isLeashed && this.#isStuck(silentMs)) this.onStuck();
  }

  // Nothing heard of it for so long, and it computes all the while.
  #isStuck(silentMs: number): boolean {
    if (this.#cpuAtSilence === null) {
      this.#cpuAtSilence = this.#use?.cpuMs() ?? null;
      return false;
    }
    if (performance.now() - this.#heardAt < silentMs) return false;
    return (this.#use?.cpuMs() ?? 0) - this.#cpuAtSilence >= silentMs;
  }

  /** Memory that the process and its wrapper hold now, or null where the system does not tell. */
  residentBytes(): number | null {
    return this.#child.exitCode === null ? (this.#use?.residentBytes() ?? null) : null;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  #readFrames(output: Readable, bodyBytes: number): void {
    const reader = new FrameReader(bodyBytes, (frame) => this.onFrame(frame));
    output.on("data", (chunk: Buffer) => {
      if (this.#killedFor === "protocol") return;
      try {
        this.#heardAt = performance.now();
        this.#cpuAtSilence = null;
        reader.push(chunk);
      } catch {
        this.kill("protocol");
      }
    });
  }

  #watchClose(): Promise<Death> {
    return new Promise((resolve) => {
      let at: number | undefined;
      this.#child.once("exit", () => (at = performance.now()));
      const settle = (exitCode: number | null, signal: string | null): void => {
        this.#mark?.close();
        resolve({
          killedFor: this.#killedFor,
          signal: signal ?? signalIn(exitCode),
          exitCode,
          stderr: this.#stderr.text(),
          ...(at === undefined ? {} : { at }),
        });
      };
      this.#child.once("close", settle);
      this.#child.once("error", (error) => {
        this.#stderr.push(Buffer.from(error.message));
        settle(null, null);
      });
    });
  }
}

// The group, since a wrapper that has just begun has not bound what it starts to its own end yet. Its number is not another's
// before the process has been waited for, and from then on it has an end.
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") return void child.kill("SIGKILL");
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

// A wrapper ends as a shell does for whom it ran: 128 and the number of the signal.
function signalIn(exitCode: number | null): string | null {
  const number = (exitCode ?? 0) - 128;
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}
