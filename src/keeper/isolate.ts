import { createRequire } from "node:module";
import type ivm from "isolated-vm";
import type { Runtime } from "./runtime-file.ts";

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

type Boot = (emit: ivm.Callback<Emit>, native: ivm.Callback<Native>) => Deliver;
type Deliver = (type: number, call: number, body: string) => unknown[];

type Emit = (type: unknown, call: unknown, body: unknown) => void;

type Native = (...values: readonly unknown[]) => Uint8Array | number | string;

/** What the guest's runtime may call in the middle of a turn. Neither throws, and neither hands out anything of this realm. */
interface Callbacks {
  readonly emit: Emit;
  readonly native: Native;
}

export interface Addon {
  createGuest(memoryBytes: number, callbacks: Callbacks): Guest;
}

const MiB = 1024 * 1024;
// A stray rejection is an error that the addon copied out of the guest: no more of its message is kept.
const STRAY_CHARS = 1000;

/** Loads the addon from its file. Its own loader probes files that a keeper may not read. */
export function loadAddon(file: string): typeof ivm {
  return (createRequire(import.meta.url)(file) as { ivm: typeof ivm }).ivm;
}

/** Makes guests that stand on this runtime. */
export function createAddon(addon: typeof ivm, { source, cache }: Runtime): Addon {
  const cachedData = cache === null ? null : new addon.ExternalCopy(cache.buffer as ArrayBuffer);
  return { createGuest: (memoryBytes, callbacks) => createGuest(addon, source, cachedData, memoryBytes, callbacks) };
}

// On this thread, which has nothing else to do yet: the runtime is our own, and a change of threads for each step takes as
// long as half of them.
function createGuest(
  addon: typeof ivm,
  source: string,
  cachedData: ivm.ExternalCopy<ArrayBuffer> | null,
  memoryBytes: number,
  { emit, native }: Callbacks,
): Guest {
  const isolate = new addon.Isolate({ memoryLimit: Math.max(8, Math.round(memoryBytes / MiB)) });
  const context = isolate.createContextSync();
  const compiled = isolate.compileScriptSync(source, { filename: "guest.js", ...(cachedData === null ? {} : { cachedData }) });
  const boot = compiled.runSync(context, { reference: true }) as unknown as ivm.Reference<Boot>;
  const deliver: ivm.Reference<Deliver> = boot.applySync(undefined, [new addon.Callback(emit), new addon.Callback(native)], {
    result: { reference: true },
  });
  compiled.release();
  boot.release();

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
