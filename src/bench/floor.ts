import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { builtPath } from "../built/built.ts";
import { BENCH } from "../catalogue/texts.ts";
import { createReader, toFrame } from "./floor-frames.ts";

const PROGRAM = builtPath("floor-child.cjs");

const SAID_CHARS = 10_000;

/** `here`: in the child's own thread. `threads`: through isolated-vm's. `fresh`: an isolate for each call. `load`: no isolate. */
export type FloorWay = "here" | "threads" | "fresh" | "load";

/** The bare floor: a round trip through two pipes and an isolate of another process, and nothing else. */
export class Floor implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #closed: Promise<void>;
  readonly #waiting: { readonly resolve: (text: string) => void; readonly reject: (error: Error) => void }[] = [];
  #said = "";
  #error: Error | null = null;

  /** Resolves once it stands. Rejects where it cannot start. */
  static async start(addonFile: string, way: FloorWay = "here"): Promise<Floor> {
    const floor = new Floor(addonFile, way);
    await floor.#next();
    return floor;
  }

  private constructor(addonFile: string, way: FloorWay) {
    this.#child = spawn(process.execPath, ["--no-warnings", PROGRAM, addonFile, way], {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    const [, , stderr, input, output] = this.#child.stdio as unknown as [null, null, Readable, Writable, Readable];
    this.#input = input;
    // A pipe breaks when its process ends; that is told once.
    for (const pipe of [input, output]) pipe.on("error", () => undefined);
    output.on(
      "data",
      createReader((text) => this.#waiting.shift()?.resolve(text)),
    );
    stderr.on("data", (chunk: Buffer) => (this.#said = `${this.#said}${chunk.toString()}`.slice(0, SAID_CHARS)));
    this.#closed = new Promise((resolve) => {
      const end = (error: Error): void => {
        this.#fail(error);
        resolve();
      };
      this.#child.once("error", end);
      this.#child.once("close", () => end(new Error(BENCH.floorEnded(/^\w*Error.*$/mu.exec(this.#said)?.[0] ?? ""))));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends JSON and resolves with the same JSON, read and written by the isolate. Any number may be under way. */
  async call(args: unknown): Promise<unknown> {
    const answer = this.#next();
    this.#input.write(toFrame(JSON.stringify(args)));
    return JSON.parse(await answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }

  #next(): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#error === null) this.#waiting.push({ resolve, reject });
      else reject(this.#error);
    });
  }

  #fail(error: Error): void {
    this.#error ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#error);
  }
}
