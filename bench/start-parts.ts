import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type ivm from "isolated-vm";
import type { Contender, Note } from "../src/bench/contender.ts";
import { findAddon } from "../src/cell/addon.ts";
import { createAddon, loadAddon } from "../src/keeper/isolate.ts";
import { OUTBOX } from "../src/bridge/outbox.ts";
import type { KeeperSetup } from "../src/keeper/setup.ts";
import { packRuntime, unpackRuntime, type Runtime } from "../src/keeper/runtime-file.ts";

// What a cell's start is made of, each part by itself, in this process or in one of its own.

const MiB = 1024 * 1024;
const MEMORY_MIB = 128;
const SURROUNDINGS = { emit: () => undefined, native: () => 0, outbox: new SharedArrayBuffer(OUTBOX.bytes) };
const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const RUNTIME_FILE = join(DIST, "guest.bin");

/** An isolate with an empty realm. */
export function bareIsolate(name: string): Contender {
  const addon = loadAddon(findAddon().file);
  return making(name, () => {
    const isolate = new addon.Isolate({ memoryLimit: MEMORY_MIB });
    isolate.createContextSync();
    return isolate;
  });
}

/** A capability's bundle, compiled and run by a guest that stands. */
export function bundleRun(name: string, bundle: string): Contender {
  const addon = createAddon(loadAddon(findAddon().file), compiledRuntime(), "here");
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) {
      const guest = addon.createGuest(MEMORY_MIB * MiB, SURROUNDINGS);
      const begun = performance.now();
      const { kind } = await guest.runBundle(bundle, 10_000);
      note((performance.now() - begun) * 1000);
      guest.dispose();
      if (kind !== "done") throw new Error(`The bundle did not run: ${kind}`);
    }
  };
  return { name, run, isPaced: true };
}

/** The guest's runtime in a new isolate, by each way to bring it there. */
export function runtimeStarts(): readonly Contender[] {
  const addon = loadAddon(findAddon().file);
  const compiled = compiledRuntime();
  const plain: Runtime = { source: compiled.source, cache: null };
  const starter = (name: string, runtime: Runtime): Contender => {
    const made = createAddon(addon, runtime, "here");
    return making(name, () => made.createGuest(MEMORY_MIB * MiB, SURROUNDINGS));
  };
  return [
    starter("runtime from its source", plain),
    starter("runtime from a cache of what is compiled at once", { source: plain.source, cache: cacheAtOnce(addon, plain) }),
    starter("runtime from its cache", compiled),
    making("runtime from a snapshot", fromSnapshot(addon, plain)),
  ];
}

/** A keeper from its spawn to its first message, with and without what is compiled of the runtime. */
export function keeperStarts(): AsyncDisposable & { readonly contenders: readonly Contender[] } {
  const folder = mkdtempSync(join(tmpdir(), "toolcell-start-"));
  const plainFile = join(folder, "guest.bin");
  writeFileSync(plainFile, packRuntime({ source: compiledRuntime().source, cache: null }));
  return {
    contenders: [starting("keeper with the cache", RUNTIME_FILE), starting("keeper without the cache", plainFile)],
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function making(name: string, make: () => { dispose(): void }): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) {
      const begun = performance.now();
      const isolate = make();
      note((performance.now() - begun) * 1000);
      isolate.dispose();
    }
  };
  return { name, run, pids: () => [], isPaced: true };
}

function starting(name: string, runtimeFile: string): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) note(await keeperStart(runtimeFile));
  };
  return { name, run, isPaced: true };
}

async function keeperStart(runtimeFile: string): Promise<number> {
  const begun = performance.now();
  const setup: KeeperSetup & { readonly frameBytes: number } = {
    memoryBytes: MEMORY_MIB * MiB,
    cpuMs: 1000,
    residentBytes: 512 * MiB,
    bodyBytes: MiB,
    frameBytes: MiB,
    graceMs: 250,
    watchMs: 50,
    isLeashed: false,
    hasMark: false,
    placeCount: 0,
  };
  const [keeper, addonFile] = [join(DIST, "keeper.cjs"), findAddon().file];
  const reads = [keeper, addonFile, runtimeFile].map((file) => `--allow-fs-read=${file}`);
  const args = ["--permission", "--allow-addons", ...reads, "--no-warnings", keeper, addonFile, runtimeFile, JSON.stringify(setup)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"], env: {} });
  const closed = once(child, "close");
  await Promise.race([once(child.stdio[4] as Readable, "data"), closed.then(() => Promise.reject(new Error("The keeper did not start")))]);
  const took = (performance.now() - begun) * 1000;
  child.kill("SIGKILL");
  await closed;
  return took;
}

function compiledRuntime(): Runtime {
  const runtime = unpackRuntime(readFileSync(RUNTIME_FILE));
  if (runtime.cache === null) throw new Error("dist/guest.bin holds nothing compiled by this Node: build it with this Node");
  return runtime;
}

// What isolated-vm itself can keep: the functions that V8 compiles before anything runs.
function cacheAtOnce(addon: typeof ivm, { source }: Runtime): Uint8Array {
  const isolate = new addon.Isolate({ memoryLimit: MEMORY_MIB });
  const script = isolate.compileScriptSync(source, { filename: "guest.js", produceCachedData: true }) as ivm.Script & ivm.CachedDataResult;
  isolate.dispose();
  if (script.cachedData === undefined) throw new Error("V8 made no cache");
  return new Uint8Array(script.cachedData.copy());
}

// Everything up to `boot` is in the heap already; the callbacks enter afterwards.
function fromSnapshot(addon: typeof ivm, { source }: Runtime): () => { dispose(): void } {
  const snapshot = addon.Isolate.createSnapshot([{ code: `globalThis.boot = ${source}` }]);
  const boot = "const { boot } = globalThis; delete globalThis.boot; return boot($0, $1, $2);";
  return () => {
    const isolate = new addon.Isolate({ memoryLimit: MEMORY_MIB, snapshot });
    const context = isolate.createContextSync();
    context.evalClosureSync(
      boot,
      [
        new addon.Callback(SURROUNDINGS.emit),
        new addon.Callback(SURROUNDINGS.native),
        new addon.ExternalCopy(SURROUNDINGS.outbox).copyInto(),
      ],
      {
        result: { reference: true },
      },
    );
    return isolate;
  };
}
