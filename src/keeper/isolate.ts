import { createRequire } from "node:module";
import type ivm from "isolated-vm";

/** The isolate of a cell and the one function into it. Everything that crosses is a number or a string. */
export interface Guest {
  /** One turn. Resolves with what the turn left in its outbox, or with how it was stopped. */
  turn(type: number, call: number, body: string, timeoutMs: number): Promise<TurnEnd>;
  /** Compiles and runs the bundle, which hands itself to the guest's runtime. */
  runBundle(code: string, timeoutMs: number): Promise<TurnEnd>;
  cpuMicros(): number;
  heapBytes(): number;
  dispose(): void;
}

export type TurnEnd =
  | { readonly kind: "done"; readonly outbox: readonly unknown[] }
  | { readonly kind: "cpu" }
  | { readonly kind: "memory" }
  | { readonly kind: "failed"; readonly message: string };

type Deliver = (type: number, call: number, body: string) => unknown[];

type Emit = (type: unknown, call: unknown, body: unknown) => void;

export interface Addon {
  createGuest(runtime: string, memoryBytes: number, emit: Emit): Promise<Guest>;
}

const MiB = 1024 * 1024;
// A stray rejection is an error that the addon copied out of the guest: no more of its message is kept.
const STRAY_CHARS = 1000;

/** Loads the addon from its file. Its own loader probes files that a keeper may not read. */
export function loadAddon(file: string): Addon {
  const { ivm: addon } = createRequire(import.meta.url)(file) as { ivm: typeof ivm };
  return { createGuest: (runtime, memoryBytes, emit) => createGuest(addon, runtime, memoryBytes, emit) };
}

async function createGuest(addon: typeof ivm, runtime: string, memoryBytes: number, emit: Emit): Promise<Guest> {
  const isolate = new addon.Isolate({ memoryLimit: Math.max(8, Math.round(memoryBytes / MiB)) });
  const context = await isolate.createContext();
  const deliver: ivm.Reference<Deliver> = await context.evalClosure<{ result: { reference: true } }>(runtime, [new addon.Callback(emit)], {
    result: { reference: true },
  });

  async function turn(type: number, call: number, body: string, timeoutMs: number): Promise<TurnEnd> {
    try {
      const outbox: unknown[] = await deliver.apply(undefined, [type, call, body], { timeout: timeoutMs, result: { copy: true } });
      return { kind: "done", outbox };
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  async function runBundle(code: string, timeoutMs: number): Promise<TurnEnd> {
    try {
      const script = await isolate.compileScript(code, { filename: "capability.js" });
      await script.run(context, { timeout: timeoutMs, release: true });
      return { kind: "done", outbox: [] };
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  return {
    turn,
    runBundle,
    cpuMicros: () => (isolate.isDisposed ? 0 : Number(isolate.cpuTime / 1000n)),
    heapBytes: () => (isolate.isDisposed ? 0 : isolate.getHeapStatisticsSync().used_heap_size),
    dispose: () => {
      if (!isolate.isDisposed) isolate.dispose();
    },
  };
}

// The addon tells its own ends by these words alone; anything else is a rejection that some call of the guest left
// unhandled, and the turn's messages still stand in the outbox.
function endOf(error: unknown, isolate: ivm.Isolate): TurnEnd {
  const message = error instanceof Error ? String(error.message).slice(0, STRAY_CHARS) : "a value that is no Error";
  if (isolate.isDisposed) return { kind: "memory" };
  if (message === "Script execution timed out.") return { kind: "cpu" };
  return { kind: "failed", message };
}
