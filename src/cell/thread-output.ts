import type { Worker } from "node:worker_threads";
import { THREAD } from "../catalogue/texts.ts";
import { Tail } from "./tail.ts";

/** One line that no call of the thread has written. */
export type OnLine = (level: "info" | "warn", line: string) => void;

export interface ThreadOutput {
  /** The end of what was written to either stream, and of what `add` added. */
  tail(): string;
  add(text: string): void;
}

// A line as large as memory is told by its beginning, a flood of lines by its count.
const LINE_CHARS = 4000;
const LINES_PER_SECOND = 100;

/** Takes a thread's stdout and stderr away from the host's own. */
export function readOutput(thread: Worker, tailBytes: number, onLine: OnLine): ThreadOutput {
  const tail = new Tail(tailBytes);
  for (const [stream, level] of [
    [thread.stdout, "info"],
    [thread.stderr, "warn"],
  ] as const) {
    const lines = new Lines((line) => onLine(level, line));
    stream.unpipe();
    stream.setEncoding("utf8");
    stream.on("data", (chunk: string) => {
      tail.push(Buffer.from(chunk));
      lines.push(chunk);
    });
    stream.once("end", () => lines.end());
    // What was unpiped stands still.
    stream.resume();
  }
  return { tail: () => tail.text(), add: (text) => tail.push(Buffer.from(text)) };
}

/** Cuts what flows into lines, and keeps no more of it than it tells. */
class Lines {
  readonly #tell: (line: string) => void;
  #open = "";
  #second = 0;
  #told = 0;
  #dropped = 0;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  push(chunk: string): void {
    const [first = "", ...rest] = chunk.split("\n");
    this.#grow(first);
    for (const part of rest) {
      this.#flush();
      this.#grow(part);
    }
  }

  end(): void {
    if (this.#open !== "") this.#flush();
    this.#tellDropped();
  }

  #grow(part: string): void {
    if (this.#open.length > LINE_CHARS) return;
    this.#open += part;
    if (this.#open.length > LINE_CHARS) this.#open = `${this.#open.slice(0, LINE_CHARS)}…`;
  }

  #flush(): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#tellDropped();
      this.#second = second;
      this.#told = 0;
    }
    if (this.#told < LINES_PER_SECOND) this.#tell(this.#open.trimEnd());
    else this.#dropped += 1;
    this.#told += 1;
    this.#open = "";
  }

  #tellDropped(): void {
    if (this.#dropped > 0) this.#tell(THREAD.linesDropped(this.#dropped));
    this.#dropped = 0;
  }
}
