import { createRequire } from "node:module";
import type ivm from "isolated-vm";
import type { Runtime } from "./runtime-file.ts";

/** The isolate of a cell and the one function into it. Everything that crosses is a number, a string or a byte of its outbox. */
export interface Guest {
  /** One turn: what it has to say stands in its outbox then. */
  turn(type: number, call: number, body: string, timeoutMs: number, startedAt: number): Ending;
  /** Compiles and runs the bundle, which hands itself to the guest's runtime. */
  runBundle(code: string, timeoutMs: number): Ending;
  heapBytes(): number;
  dispose(): void;
}

export type TurnEnd =
  | { readonly kind: "done" }
  | { readonly kind: "cpu" }
  | { readonly kind: "memory" }
  | { readonly kind: "failed"; readonly message: string };

/** At once from a guest that runs on this thread, later from one that runs beside it. */
export type Ending = TurnEnd | Promise<TurnEnd>;

type Boot = (emit: ivm.Callback<Emit>, native: ivm.Callback<Native>, outbox: ivm.Copy<SharedArrayBuffer>) => Deliver;
type Deliver = (type: number, call: number, body: string) => void;

type Emit = (type: unknown, call: unknown, body: unknown) => void;

type Native = (...values: readonly unknown[]) => Uint8Array | number | string;

/** What the guest's runtime has of this process. It may call both functions in a turn: neither throws, nor hands out anything of this realm. */
interface Surroundings {
  readonly emit: Emit;
  readonly native: Native;
  readonly outbox: SharedArrayBuffer;
}

export interface Addon {
  createGuest(memoryBytes: number, surroundings: Surroundings): Guest;
}

/**
 * Where a guest's turns run: on this thread, which then does nothing else until the turn ends, or on one of the addon's,
 * which costs a turn two changes of threads: as much as the two pipes.
 */
export type Placing = "here" | "beside";

const MiB = 1024 * 1024;
// A stray rejection is an error that the addon copied out of the guest: no more of its message is kept.
const STRAY_CHARS = 1000;

/** Loads the addon from its file. Its own loader probes files that a keeper may not read. */
export function loadAddon(file: string): typeof ivm {
  return (createRequire(file)(file) as { ivm: typeof ivm }).ivm;
}

/** Makes guests that stand on this runtime. */
export function createAddon(addon: typeof ivm, { source, cache }: Runtime, placing: Placing): Addon {
  const cachedData = cache === null ? null : new addon.ExternalCopy(cache.buffer as ArrayBuffer);
  return { createGuest: (memoryBytes, surroundings) => createGuest(addon, source, cachedData, placing, memoryBytes, surroundings) };
}

// On this thread, which has nothing else to do yet: the runtime is our own, and a change of threads for each step takes as
// long as half of them.
function createGuest(
  addon: typeof ivm,
  source: string,
  cachedData: ivm.ExternalCopy<ArrayBuffer> | null,
  placing: Placing,
  memoryBytes: number,
  { emit, native, outbox }: Surroundings,
): Guest {
  const isolate = new addon.Isolate({ memoryLimit: Math.max(8, Math.round(memoryBytes / MiB)) });
  const context = isolate.createContextSync();
  const compiled = isolate.compileScriptSync(source, { filename: "guest.js", ...(cachedData === null ? {} : { cachedData }) });
  const boot = compiled.runSync(context, { reference: true }) as unknown as ivm.Reference<Boot>;
  const shared = new addon.ExternalCopy(outbox).copyInto({ release: true });
  const deliver: ivm.Reference<Deliver> = boot.applySync(undefined, [new addon.Callback(emit), new addon.Callback(native), shared], {
    result: { reference: true },
  });
  compiled.release();
  boot.release();

  function turnHere(type: number, call: number, body: string, timeoutMs: number, startedAt: number): TurnEnd {
    try {
      deliver.applySync(undefined, [type, call, body], { timeout: due(timeoutMs, startedAt) });
      return DONE;
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  async function turnBeside(type: number, call: number, body: string, timeoutMs: number, startedAt: number): Promise<TurnEnd> {
    try {
      await deliver.apply(undefined, [type, call, body], { timeout: due(timeoutMs, startedAt) });
      return DONE;
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  function runHere(code: string, timeoutMs: number): TurnEnd {
    try {
      isolate.compileScriptSync(code, BUNDLE).runSync(context, { timeout: timeoutMs, release: true });
      return DONE;
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  async function runBeside(code: string, timeoutMs: number): Promise<TurnEnd> {
    try {
      const script = await isolate.compileScript(code, BUNDLE);
      await script.run(context, { timeout: timeoutMs, release: true });
      return DONE;
    } catch (error) {
      return endOf(error, isolate);
    }
  }
  return {
    ...(placing === "here" ? { turn: turnHere, runBundle: runHere } : { turn: turnBeside, runBundle: runBeside }),
    heapBytes: () => (isolate.isDisposed ? 0 : isolate.getHeapStatisticsSync().used_heap_size),
    dispose: () => {
      if (!isolate.isDisposed) isolate.dispose();
    },
  };
}

const DONE: TurnEnd = { kind: "done" };
const BUNDLE = { filename: "capability.js" };

// The addon keeps each time-out, also of a turn that has ended, and wakes a thread of its own for it. Those that are due at one
// moment wake it once: without this a turn's time-out costs as much as the turn.
const DUE_TOGETHER_MS = 100;

function due(timeoutMs: number, startedAt: number): number {
  const step = Math.max(1, Math.min(DUE_TOGETHER_MS, Math.floor(timeoutMs / 10)));
  return timeoutMs + step - (Math.floor(startedAt) % step);
}

// The addon tells its own ends by these words alone; anything else is a rejection that some call of the guest left
// unhandled, and the turn's messages still stand in the outbox.
function endOf(error: unknown, isolate: ivm.Isolate): TurnEnd {
  const message = error instanceof Error ? String(error.message).slice(0, STRAY_CHARS) : "a value that is no Error";
  if (isolate.isDisposed) return { kind: "memory" };
  if (message === "Script execution timed out.") return { kind: "cpu" };
  return { kind: "failed", message };
}
