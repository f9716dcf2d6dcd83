import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type ivm from "isolated-vm";
import { findAddon } from "../src/cell/addon.ts";
import { createAddon, loadAddon } from "../src/keeper/isolate.ts";
import { unpackRuntime, type Runtime } from "../src/keeper/runtime-file.ts";

// What the guest's runtime adds to the start of an isolate, by each way to bring it in, side by side in one process; then a
// keeper's whole start, from its spawn to its first message, with and without the cache. A spare takes all of it off a call's
// path. The first are CPU time of this thread, which does not wait for others; the second are times of a clock. Both are this
// machine's at this hour: only the differences within a round say something.
const ROUNDS = 30;
const KEEPER_ROUNDS = 15;
const MEMORY_MIB = 128;
const MiB = 1024 * 1024;
const CALLBACKS = { emit: () => undefined, native: () => 0 };

const addonFile = findAddon().file;
const addon = loadAddon(addonFile);
const { ivm: bare } = createRequire(import.meta.url)(addonFile) as { ivm: typeof ivm };
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const compiled = unpackRuntime(readFileSync(join(dist, "guest.js"), "utf8"));
const plain: Runtime = { source: compiled.source, cache: null };
const ways: Readonly<Record<string, () => { dispose(): void }>> = {
  "empty isolate": empty,
  "runtime from its source": () => createAddon(addon, plain).createGuest(MEMORY_MIB * MiB, CALLBACKS),
  "runtime from a cache of what is compiled at once": starter({ source: plain.source, cache: cacheAtOnce() }),
  "runtime from its cache": starter(compiled),
  "runtime from a snapshot": fromSnapshot(),
};
const model = cpus()[0]?.model ?? "unknown";
console.log(`${model}, ${availableParallelism()} cores, ${process.platform} ${release()}, Node ${process.version}`);
console.log(`${ROUNDS} rounds, all in turn; medians, and those of the differences to the first of the same round`);
console.log(`source ${kib(plain.source.length)}, cache ${kib(compiled.cache?.length ?? 0)}\n`);
const times = Object.fromEntries(Object.keys(ways).map((name) => [name, [] as number[]]));
for (let round = -3; round < ROUNDS; round += 1) {
  for (const [name, start] of Object.entries(ways)) {
    const before = process.threadCpuUsage();
    const isolate = start();
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    isolate.dispose();
    // The first rounds warm all of them up, and what one leaves behind is not the next one's.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (round >= 0) times[name]?.push(took);
  }
}
print(times, "empty isolate");
await compareKeepers();

async function compareKeepers(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "toolcell-start-"));
  try {
    const files = { "keeper with the cache": join(dist, "guest.js"), "keeper without": join(folder, "guest.js") };
    writeFileSync(files["keeper without"], plain.source);
    const taken = Object.fromEntries(Object.keys(files).map((name) => [name, [] as number[]]));
    for (let round = -2; round < KEEPER_ROUNDS; round += 1) {
      for (const [name, file] of Object.entries(files)) {
        const took = await keeperStart(file);
        if (round >= 0) taken[name]?.push(took);
      }
    }
    print(taken, "keeper with the cache");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function keeperStart(runtimeFile: string): Promise<number> {
  const startedAt = performance.now();
  const setup = {
    memoryBytes: MEMORY_MIB * MiB,
    cpuMs: 1000,
    residentBytes: 512 * MiB,
    bodyBytes: MiB,
    frameBytes: MiB,
    graceMs: 250,
    watchMs: 50,
  };
  const keeper = join(dist, "keeper.js");
  const reads = [keeper, addonFile, runtimeFile].map((file) => `--allow-fs-read=${file}`);
  const args = ["--permission", "--allow-addons", ...reads, "--no-warnings", keeper, addonFile, runtimeFile, JSON.stringify(setup)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "pipe", "pipe"], env: {} });
  const closed = once(child, "close");
  await once(child.stdio[4] as Readable, "data");
  const took = performance.now() - startedAt;
  child.kill("SIGKILL");
  await closed;
  return took;
}

function empty(): { dispose(): void } {
  const isolate = new bare.Isolate({ memoryLimit: MEMORY_MIB });
  isolate.createContextSync();
  return isolate;
}

function starter(runtime: Runtime): () => { dispose(): void } {
  if (runtime.cache === null) throw new Error("dist/guest.js holds nothing compiled by this Node: build it with this Node");
  const made = createAddon(addon, runtime);
  return () => made.createGuest(MEMORY_MIB * MiB, CALLBACKS);
}

// What isolated-vm itself can keep: the functions that V8 compiles before anything runs.
function cacheAtOnce(): Uint8Array {
  const isolate = new bare.Isolate({ memoryLimit: MEMORY_MIB });
  const script = isolate.compileScriptSync(plain.source, { filename: "guest.js", produceCachedData: true }) as ivm.Script &
    ivm.CachedDataResult;
  isolate.dispose();
  if (script.cachedData === undefined) throw new Error("V8 made no cache");
  return new Uint8Array(script.cachedData.copy());
}

// Everything up to `boot` is in the heap already; the callbacks enter afterwards.
function fromSnapshot(): () => { dispose(): void } {
  const snapshot = bare.Isolate.createSnapshot([{ code: `globalThis.boot = ${plain.source}` }]);
  const boot = "const { boot } = globalThis; delete globalThis.boot; return boot($0, $1);";
  return () => {
    const isolate = new bare.Isolate({ memoryLimit: MEMORY_MIB, snapshot });
    const context = isolate.createContextSync();
    context.evalClosureSync(boot, [new bare.Callback(CALLBACKS.emit), new bare.Callback(CALLBACKS.native)], {
      result: { reference: true },
    });
    return isolate;
  };
}

function print(all: Readonly<Record<string, readonly number[]>>, baseline: string): void {
  const base = all[baseline] ?? [];
  for (const [name, taken] of Object.entries(all)) {
    const beyond = taken.map((time, round) => time - (base[round] ?? 0));
    console.log(`${name.padEnd(52)} ${median(taken).toFixed(2).padStart(7)} ms  +${median(beyond).toFixed(2)} ms`);
  }
  console.log();
}

function kib(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
