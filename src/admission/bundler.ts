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
 * memory and for what it writes, and ended when it is over.
 */
export interface Bundler {
  build(options: BuildOptions): Promise<BuildOutcome>;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/** Requests and messages that go to and fro beside the bundle. */
const CONVERSATION_BYTES = 16 * 1024 * 1024;

let onSpawn: ((child: ChildProcess) => void) | null = null;

// The one public place at which a child of esbuild's own making can be seen. This file alone runs in its thread's jobs.
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  onSpawn?.(child);
});

/** One bundler at a time in a thread. `onProcess` hears of the process, and of its end, as soon as there is one. */
export function createBundler(limits: BundlerLimits, onProcess: (pid: number | null) => void): Bundler {
  let child: ChildProcess | null = null;
  let endedBy: EndedBy = "itself";

  function watch(spawned: ChildProcess): void {
    // Only the first is esbuild's; what the watch itself starts comes after it.
    onSpawn = null;
    child = spawned;
    endedBy = "itself";
    spawned.once("spawn", () => {
      if (spawned.pid === undefined) return;
      onProcess(spawned.pid);
      let written = 0;
      spawned.stdout?.on("data", (chunk: Uint8Array) => {
        written += chunk.length;
        if (written > limits.outputBytes + CONVERSATION_BYTES) end(spawned, "output");
      });
      const unwatch = watchResident(spawned.pid, limits.residentBytes, () => end(spawned, "memory"));
      spawned.once("exit", () => {
        unwatch();
        onProcess(null);
      });
    });
  }

  function end(spawned: ChildProcess, by: EndedBy): void {
    if (spawned.exitCode !== null || spawned.signalCode !== null || endedBy !== "itself") return;
    endedBy = by;
    spawned.kill("SIGKILL");
  }

  async function stopProcess(): Promise<void> {
    const ending = child;
    child = null;
    const isRunning = ending !== null && ending.exitCode === null && ending.signalCode === null;
    const exit = isRunning ? once(ending, "exit") : null;
    // esbuild lets its process out of sight of the event loop; its end is waited for all the same.
    ending?.ref();
    await stop();
    await exit;
  }

  async function runBuild(options: BuildOptions): Promise<BuildOutcome> {
    if (child === null) onSpawn = watch;
    try {
      const result = await build({ ...options, write: false });
      return { kind: "built", text: result.outputFiles[0]?.text ?? "" };
    } catch (error) {
      if (isBuildFailure(error) && child !== null && child.signalCode === null && child.exitCode === null && endedBy === "itself") {
        return { kind: "failed", errors: error.errors };
      }
      await stopProcess();
      return { kind: "ended", by: endedBy };
    } finally {
      onSpawn = null;
    }
  }

  return { build: runBuild, stop: stopProcess };
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}
