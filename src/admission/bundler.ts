import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { build, stop, type BuildFailure, type BuildOptions, type Message } from "esbuild";
import { watchResident } from "./resident.ts";

export type EndedBy = "memory" | "output" | "itself";

/** What one build came to. `ended` means that esbuild's process is gone, and by whose doing. */
export type BuildOutcome =
  | { readonly kind: "built"; readonly text: string }
  | { readonly kind: "failed"; readonly errors: readonly Message[] }
  | { readonly kind: "ended"; readonly by: EndedBy };

export interface BundlerLimits {
  readonly residentBytes: number;
  readonly outputBytes: number;
}

/**
 * esbuild, with an eye on its process. The package keeps that process to itself and offers no way to bound it, though a
 * short source can print gigabytes (each use of a constant enum prints its value): so it is watched from outside for
 * memory and for what it writes, and ended when it is over. Builds side by side share the process, and its end.
 */
export interface Bundler {
  build(options: BuildOptions): Promise<BuildOutcome>;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/** One of esbuild's processes, with what is known of it. */
interface Run {
  readonly child: ChildProcess;
  endedBy: EndedBy;
  isOver: boolean;
  building: number;
  written: number;
}

/** Requests and messages that go to and fro beside the bundle. */
const CONVERSATION_BYTES = 16 * 1024 * 1024;
/** With its map a bundle is up to so many times as large. */
const MAP_FACTOR = 3;

let onSpawn: ((child: ChildProcess) => void) | null = null;

// The one public place at which a child of esbuild's own making can be seen. This file alone runs in its thread's jobs.
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  onSpawn?.(child);
});

/** One bundler in a thread. `onProcess` hears of each process, and of its end, as soon as there is one. */
export function createBundler(limits: BundlerLimits, onProcess: (pid: number | null) => void): Bundler {
  let current: Run | null = null;

  function watch(child: ChildProcess): void {
    const run: Run = { child, endedBy: "itself", isOver: false, building: 0, written: 0 };
    current = run;
    child.once("spawn", () => {
      if (child.pid === undefined) return;
      onProcess(child.pid);
      child.stdout?.on("data", (chunk: Uint8Array) => {
        run.written += chunk.length;
        if (run.written > limits.outputBytes * MAP_FACTOR + CONVERSATION_BYTES) end(run, "output");
      });
      const unwatch = watchResident(child.pid, limits.residentBytes, () => end(run, "memory"));
      child.once("exit", () => {
        unwatch();
        onProcess(null);
      });
    });
    child.once("exit", () => (run.isOver = true));
    child.once("error", () => (run.isOver = true));
  }

  function end(run: Run, by: EndedBy): void {
    if (run.isOver || run.endedBy !== "itself") return;
    run.endedBy = by;
    run.child.kill("SIGKILL");
  }

  async function stopRun(run: Run | null): Promise<void> {
    // A build that was late to hear of the end of its process leaves the next one alone.
    if (run === null || run !== current) return;
    current = null;
    const exit = run.isOver ? null : once(run.child, "exit");
    // esbuild lets its process out of sight of the event loop; its end is waited for all the same.
    run.child.ref();
    await stop();
    await exit;
  }

  /** The process is spawned before the call returns; what the watch itself starts comes after it. */
  function begin(options: BuildOptions): { readonly result: ReturnType<typeof build>; readonly run: Run | null } {
    onSpawn = current === null ? watch : null;
    try {
      const result = build({ ...options, write: false });
      return { result, run: current };
    } finally {
      onSpawn = null;
    }
  }

  async function runBuild(options: BuildOptions): Promise<BuildOutcome> {
    const { result, run } = begin(options);
    // What was written for the builds before these says nothing of them.
    if (run !== null && run.building === 0) run.written = 0;
    if (run !== null) run.building += 1;
    try {
      const { outputFiles = [] } = await result;
      return { kind: "built", text: outputFiles[0]?.text ?? "" };
    } catch (error) {
      if (isBuildFailure(error) && run !== null && !run.isOver && run.endedBy === "itself") return { kind: "failed", errors: error.errors };
      await stopRun(run);
      return { kind: "ended", by: run?.endedBy ?? "itself" };
    } finally {
      if (run !== null) run.building -= 1;
    }
  }

  return { build: runBuild, stop: () => stopRun(current) };
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}
