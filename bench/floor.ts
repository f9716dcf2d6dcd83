import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { findAddon } from "../src/cell/addon.ts";

/** The bare floor: a round trip through two pipes and an isolate of another process, and nothing else. */
export class Floor implements AsyncDisposable {
  readonly #child: ChildProcess;
  #pending: Buffer = Buffer.alloc(0);
  #resolve: (body: string) => void = () => undefined;

  static async start(): Promise<Floor> {
    const floor = new Floor();
    await floor.#next();
    return floor;
  }

  private constructor() {
    const program = fileURLToPath(new URL("floor-child.ts", import.meta.url));
    this.#child = spawn(process.execPath, [program, findAddon().file], { stdio: ["ignore", "inherit", "inherit", "pipe", "pipe"] });
    (this.#child.stdio[4] as Readable).on("data", (chunk: Buffer) => this.#receive(chunk));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends JSON and resolves with the same JSON, read and written by the isolate. */
  async call(json: string): Promise<unknown> {
    const answer = this.#next();
    const frame = Buffer.allocUnsafe(4 + Buffer.byteLength(json));
    frame.writeUInt32LE(frame.length - 4, 0);
    frame.write(json, 4);
    (this.#child.stdio[3] as Writable).write(frame);
    return JSON.parse(await answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }

  #next(): Promise<string> {
    return new Promise((resolve) => (this.#resolve = resolve));
  }

  #receive(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#pending.length < 4 || this.#pending.length < 4 + this.#pending.readUInt32LE(0)) return;
    const end = 4 + this.#pending.readUInt32LE(0);
    const body = this.#pending.toString("utf8", 4, end);
    this.#pending = this.#pending.subarray(end);
    this.#resolve(body);
  }
}
