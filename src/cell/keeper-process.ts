import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { encodeFrame, FrameReader, type Frame } from "../bridge/frames.ts";
import type { CellProcess, Death, KillReason } from "./cell-process.ts";
import { ProcessMemory } from "./process-memory.ts";
import { spawnKeeper, type KeeperOptions } from "./spawn.ts";
import { Tail } from "./tail.ts";

/** A keeper's process: frames over two pipes, and SIGKILL for its whole group. */
export class KeeperProcess implements CellProcess {
  /** Settles once the process and its pipes are gone. Never rejects. */
  readonly closed: Promise<Death>;
  onFrame: (frame: Frame) => void = () => undefined;
  readonly #child: ChildProcess;
  readonly #input: Writable | undefined;
  readonly #handles: readonly { ref(): void; unref(): void }[];
  readonly #stderr: Tail;
  readonly #memory: ProcessMemory | null;
  #killedFor: KillReason | null = null;

  constructor(options: KeeperOptions, stderrBytes: number) {
    this.#child = spawnKeeper(options);
    this.#stderr = new Tail(stderrBytes);
    this.#memory = this.#child.pid === undefined ? null : new ProcessMemory(this.#child.pid);
    this.closed = this.#watchClose();
    // A host without file handles left gets no pipes and no process: `closed` tells that.
    const [, , stderr, input, output] = (this.#child.stdio as [null, null, Readable, Writable, Readable] | undefined) ?? [];
    this.#input = input;
    // A pipe breaks when its process dies; `closed` tells that, once.
    for (const pipe of [stderr, input, output]) pipe?.on("error", () => undefined);
    stderr?.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    if (output !== undefined) this.#readFrames(output, options.bodyBytes);
    this.#handles = [this.#child, ...([stderr, input, output] as (Socket | undefined)[]).filter((pipe) => pipe !== undefined)];
    for (const handle of this.#handles) handle.unref();
  }

  get isKilled(): boolean {
    return this.#killedFor !== null;
  }

  send(type: number, call: number, body: string | Buffer): void {
    if (this.#input?.writable === true) this.#input.write(encodeFrame(type, call, body));
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

  look(residentBytes: number): void {
    if ((this.residentBytes() ?? 0) > residentBytes) this.kill("memory");
  }

  /** Memory that the process and its wrapper hold now, or null where the system does not tell. */
  residentBytes(): number | null {
    return this.#child.exitCode === null ? (this.#memory?.read() ?? null) : null;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  #readFrames(output: Readable, bodyBytes: number): void {
    const reader = new FrameReader(bodyBytes);
    output.on("data", (chunk: Buffer) => {
      if (this.#killedFor === "protocol") return;
      try {
        for (const frame of reader.push(chunk)) this.onFrame(frame);
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
