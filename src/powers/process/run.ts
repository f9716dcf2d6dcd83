import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { environmentFor } from "./environment.ts";
import { processTree, type ProcessTree } from "./process-tree.ts";
import { removePlaces, type RunPlace } from "./place.ts";
import type { Program } from "./program.ts";

export interface RunRequest {
  readonly name: string;
  readonly program: Program;
  readonly args: readonly string[];
  readonly input: string | Buffer | null;
  readonly env: ReadonlyMap<string, string>;
  readonly place: RunPlace;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  /** Aborted when the call has ended or the engine closes. */
  readonly signal: AbortSignal;
}

export type RunEnd =
  | { readonly kind: "unstarted"; readonly code: string }
  | { readonly kind: "timeout" | "aborted" }
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly stdout: Buffer;
      readonly stderr: Buffer;
      readonly truncated: boolean;
    };

const FLUSH_MS = 500;
const running = new Set<ProcessTree>();

/** Runs a program to its end or ends it; whatever it has started is ended with it. Never rejects. */
export function run(request: RunRequest): Promise<RunEnd> {
  const mark = randomUUID();
  let child: ChildProcess;
  try {
    child = start(request, mark);
  } catch (error) {
    return Promise.resolve({ kind: "unstarted", code: (error as NodeJS.ErrnoException).code ?? "unknown error" });
  }
  return new Promise((resolve) => {
    const tree = processTree(child, mark);
    let stopped: "timeout" | "aborted" | null = null;
    const stop = (why: typeof stopped): void => {
      stopped ??= why;
      tree.kill();
    };
    const output = collect(child, request.outputBytes, () => tree.kill());
    const timer = setTimeout(() => stop("timeout"), request.timeoutMs);
    const onAbort = (): void => stop("aborted");
    request.signal.addEventListener("abort", onAbort, { once: true });
    remember(tree);

    const finish = (end: RunEnd): void => {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", onAbort);
      running.delete(tree);
      resolve(stopped === null || end.kind === "unstarted" ? end : { kind: stopped });
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) finish({ kind: "unstarted", code: error.code ?? "unknown error" });
    });
    child.once("exit", () => {
      // What the program has left behind in the background ends with it, and with that lets go of its outputs.
      tree.kill();
      setTimeout(() => output.close(), FLUSH_MS).unref();
    });
    child.once("close", (exitCode, signal) => finish({ kind: "ended", exitCode, signal, ...output.take() }));
    if (request.signal.aborted) onAbort();
  });
}

function start({ name, program, args, input, env, place }: RunRequest, mark: string): ChildProcess {
  const child = spawn(program.file, args, {
    argv0: name,
    cwd: place.cwd,
    env: environmentFor(program.folder, place.home, mark, env),
    stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, which can be ended whole.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  // A program that never reads its input may be gone before it is written.
  child.stdin?.on("error", () => undefined);
  if (input !== null) child.stdin?.end(input);
  return child;
}

interface Output {
  close(): void;
  take(): { readonly stdout: Buffer; readonly stderr: Buffer; readonly truncated: boolean };
}

// Both outputs share one allowance; what is past it is not kept, and the program does not go on.
function collect(child: ChildProcess, bytes: number, onFull: () => void): Output {
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let left = bytes;
  let truncated = false;
  const listen = (stream: Readable | null, chunks: Buffer[]): void => {
    stream?.on("error", () => undefined);
    stream?.on("data", (chunk: Buffer) => {
      if (chunk.length > left) truncated = true;
      // A copy where it is cut, so that the rest does not stay in memory.
      if (left > 0) chunks.push(chunk.length > left ? Buffer.from(chunk.subarray(0, left)) : chunk);
      left = Math.max(0, left - chunk.length);
      if (truncated) onFull();
    });
  };
  listen(child.stdout, kept.stdout);
  listen(child.stderr, kept.stderr);
  return {
    close: () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
    take: () => ({ stdout: Buffer.concat(kept.stdout), stderr: Buffer.concat(kept.stderr), truncated }),
  };
}

// A host that exits in the middle of a run takes its programs along. One that is killed cannot.
function remember(tree: ProcessTree): void {
  running.add(tree);
  if (isHooked) return;
  isHooked = true;
  process.once("exit", () => {
    for (const one of running) one.kill();
    removePlaces();
  });
}

let isHooked = false;
