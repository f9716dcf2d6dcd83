import { MessageChannel, receiveMessageOnPort, type MessagePort, type Worker } from "node:worker_threads";
import { builtPath } from "../built/built.ts";
import type { Frame } from "../bridge/frames.ts";
import { isEnd, FROM_CELL, TO_CELL, TYPE_MASK } from "../bridge/messages.ts";
import { BridgeError } from "../bridge/parse.ts";
import { parseThreadFrame, TURN, type ThreadJob, type ToThread } from "../bridge/thread.ts";
import { DEATH, THREAD } from "../catalogue/texts.ts";
import type { Bounds, Cause, CellProcess, Death, KillReason } from "./cell-process.ts";
import { largestFromCell, type CellLimits } from "./limits.ts";
import { readOutput, type OnLine, type ThreadOutput } from "./thread-output.ts";
import { createThreadPool, type ThreadPool } from "./thread-pool.ts";
import { largestHeap, ThreadWatch } from "./thread-watch.ts";

/** What a thread is started with. */
export interface ThreadOptions {
  /** The thread's own program. */
  readonly threadFile: string;
  readonly limits: Pick<CellLimits, "cpuMs" | "memoryBytes" | "stderrBytes" | "resultBytes" | "powerBytes">;
  /** A line that the capability wrote to its stdout or stderr outside any call, for the owner's log. */
  readonly onLine: OnLine;
}

export const THREAD_FILE = builtPath("thread.js");

// A thread in native code that does not come back cannot be ended, and nobody waits for it for longer.
const END_MS = 5000;
const NO_METER = { cpuMicros: 0, heapBytes: 0 } as const;

/**
 * A trusted capability's thread: a piscina pool of its own with one thread in it, the bridge over a MessagePort. It has all of
 * Node, a copy of the host's environment and the host's own process around it: what it does to that process nothing here
 * stops. One that was ended, or has ended itself, is never used again.
 */
export class ThreadProcess implements CellProcess {
  readonly closed: Promise<Death>;
  readonly pid = undefined;
  onFrame: (frame: Frame) => void = () => undefined;
  onStuck: () => void = () => undefined;
  readonly #pool: ThreadPool;
  readonly #port: MessagePort;
  readonly #turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(TURN).length));
  readonly #bodyBytes: number;
  readonly #watch: ThreadWatch;
  readonly #output: ThreadOutput;
  readonly #onLine: OnLine;
  readonly #settle: (death: Death) => void;
  /** Numbers that were sent and have no end yet, in order. */
  readonly #open = new Set<number>();
  #killedFor: KillReason | null = null;
  #known: Cause | null = null;
  #isGone = false;

  constructor({ threadFile, limits, onLine }: ThreadOptions) {
    ({ promise: this.closed, resolve: this.#settle } = Promise.withResolvers<Death>());
    this.#onLine = onLine;
    this.#bodyBytes = largestFromCell(limits);
    this.#turns[TURN.begun] = -1;
    this.#pool = createThreadPool(threadFile, largestHeap(limits.memoryBytes));
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const thread = this.#start({ port: port2, turns: this.#turns, bodyBytes: this.#bodyBytes });
    this.#watch = new ThreadWatch(thread, this.#turns, limits);
    this.#output = readOutput(thread, limits.stderrBytes, onLine);
    port1.on("message", (message: unknown) => this.#receive(message));
    port1.on("messageerror", () => this.kill("protocol"));
    port1.unref();
  }

  get isKilled(): boolean {
    return this.#killedFor !== null;
  }

  // It tells of each.
  lastBegun(): number {
    return -1;
  }

  // A message to a thread is no write that could be shared.
  sendSoon(type: number, call: number, body: string): void {
    this.send(type, call, body);
  }

  send(told: number, call: number, body: string | Buffer): void {
    if (this.#killedFor !== null || this.#isGone) return;
    const type = told & TYPE_MASK;
    if (isBeginning(type)) this.#open.add(call);
    else if (type === TO_CELL.CANCEL) this.#tellUnbegun(call);
    const text = typeof body === "string" ? body : body.toString(type === TO_CELL.ANSWER_BYTES ? "latin1" : "utf8");
    const message: ToThread = { type: told, call, body: text };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    this.#port.postMessage(message);
  }

  kill(reason: KillReason): void {
    if (this.#killedFor !== null || this.#isGone) return;
    for (const call of this.#open) this.#tellUnbegun(call);
    this.#killedFor = reason;
    this.#port.close();
    // Terminating holds the event loop: whoever waits for the end must live to see it.
    void this.#pool.destroy();
    setTimeout(() => {
      if (this.#isGone) return;
      this.#onLine("warn", THREAD.stays);
      this.#end(null, THREAD.stays);
    }, END_MS).unref();
  }

  look({ residentBytes }: Bounds): void {
    if (this.#killedFor !== null || this.#isGone) return;
    if (this.#watch.isStuckInTurn(performance.now())) this.#reportCpu();
    this.#watch.lookAtHeap(residentBytes, () => this.kill("memory"));
  }

  #start(job: ThreadJob): Worker {
    // The thread's own events tell of its end; what the pool makes of it reaches nobody else.
    this.#pool.on("error", () => undefined);
    this.#pool.run(job, { transferList: [job.port] }).catch(() => undefined);
    const [thread] = this.#pool.threads;
    if (thread === undefined) throw new Error("A pool starts its thread with its first job");
    thread.once("error", (error: unknown) => this.#onUncaught(error));
    thread.once("exit", (exitCode) => this.#end(exitCode, ""));
    return thread;
  }

  #receive(message: unknown): void {
    if (this.#killedFor !== null) return;
    try {
      const frame = parseThreadFrame(message, this.#bodyBytes);
      if (isEnd(frame.type)) this.#open.delete(frame.call);
      this.onFrame(frame);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      this.kill("protocol");
    }
  }

  // A busy thread cannot say that a call waits behind its turn: the host sees it by what the thread has begun with.
  #tellUnbegun(call: number): void {
    if (call > Atomics.load(this.#turns, TURN.begun)) this.#frame(FROM_CELL.QUEUED, call, "");
  }

  // The turn is known by its message. One that the thread's own input set off has none: then the oldest call answers for it.
  #reportCpu(): void {
    const current = Atomics.load(this.#turns, TURN.current);
    const [oldest] = this.#open;
    const call = this.#open.has(current) ? current : oldest;
    if (call === undefined) return this.kill("stuck");
    this.#frame(FROM_CELL.LIMIT, call, '{"limit":"cpu","stopped":false}');
  }

  #frame(type: number, call: number, body: string): void {
    this.onFrame({ type, call, meter: NO_METER, body: Buffer.from(body) });
  }

  #onUncaught(error: unknown): void {
    this.#output.add(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") this.kill("memory");
    this.#known = { code: "CELL_CRASHED", message: DEATH.threw };
  }

  #end(exitCode: number | null, detail: string): void {
    if (this.#isGone) return;
    // What it had said before its end has been said.
    for (let last = receiveMessageOnPort(this.#port); last !== undefined; last = receiveMessageOnPort(this.#port))
      this.#receive(last.message);
    if (this.#killedFor === null) for (const call of this.#open) this.#tellUnbegun(call);
    this.#isGone = true;
    this.#output.add(detail);
    this.#port.close();
    void this.#pool.destroy();
    const death: Death = { killedFor: this.#killedFor, signal: null, exitCode, stderr: this.#output.tail() };
    const known: Cause = this.#known ?? { code: "CELL_CRASHED", message: DEATH.exited(exitCode ?? 0) };
    this.#settle(this.#killedFor === null ? { ...death, known } : death);
  }
}

function isBeginning(type: number): boolean {
  return type === TO_CELL.BUNDLE || type === TO_CELL.PREPARE || type === TO_CELL.CALL || type === TO_CELL.UNLOAD;
}
