import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { oneByOne, type Contender, type Note } from "../src/bench/contender.ts";
import { Floor } from "../src/bench/floor.ts";
import { childPids, privateBytesOf } from "../src/bench/processes.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { findAddon } from "../src/cell/addon.ts";
import { call, makeBenchFolder, type BenchFolder } from "./capabilities.ts";
import { callPlan, runScope, type Measured } from "./scope.ts";

// What many capabilities cost: the memory that an idle cell has for itself, alone and as one of eight in a process, beside a process
// of Node with isolated-vm in it that does nothing; a call while so many other cells stand, and one in a process that is shared. A
// cell that computes is the scope `contention`.

const MiB = 1024 * 1024;
const [ONE, MANY] = [1, 200];
const TOGETHER = 8;
const STARTED_AT_ONCE = 4;
const IDLE_CELL = "idle cell, private memory";
const SHARED_CELL = `one of ${TOGETHER} idle cells in a process, private memory`;
const SHARED_CALL = `warm call, ${TOGETHER} cells in its process`;
const EMPTY_NODE = "empty Node with isolated-vm, private memory";
// Until what a start leaves behind is collected: a cell rests after a second in which it did nothing.
const REST_MS = 2300;
const SETTLE_MS = 150;
const ROUNDS = 15;
const TEXT = "x".repeat(100);

async function measure(isQuick: boolean): Promise<Measured> {
  using folder = makeBenchFolder();
  using together = makeBenchFolder();
  folder.add("bench");
  for (let index = 0; index < TOGETHER; index += 1) together.add(`bench_${index}`);
  const memory = await runRounds([idleCell(folder), sharedCell(together), emptyNode()], {
    rounds: ROUNDS,
    warmUps: 1,
    turnMs: 0,
    least: 1,
    most: 1,
    unit: "MiB",
  });
  // A quick run starts no two hundred processes.
  const latency = isQuick ? [] : await compareLatency(together);
  return {
    about: "memory of a cell, and calls beside many that stand",
    rows: [...memory, ...latency],
    asks: [
      { id: "memory", figure: "p50", of: IDLE_CELL, against: [EMPTY_NODE] },
      { id: "shared-memory", figure: "p50", of: SHARED_CELL, against: [IDLE_CELL] },
      { id: "shared-latency", figure: "p50", of: SHARED_CALL, against: [warmName(ONE)] },
      { id: "shared-cpu", figure: "cpu", of: SHARED_CALL, against: [warmName(ONE)] },
      { id: "latency-200", figure: "p50", of: warmName(MANY), against: [warmName(ONE)] },
      { id: "cpu-200", figure: "cpu", of: warmName(MANY), against: [warmName(ONE)] },
    ],
    leftOut: isQuick ? [warmName(MANY), SHARED_CALL].map((name) => ({ name, reason: "A quick run starts no two hundred processes" })) : [],
  };
}

async function compareLatency(together: BenchFolder): ReturnType<typeof runRounds> {
  using one = makeBenchFolder();
  using many = makeBenchFolder();
  one.add("bench");
  for (let index = 0; index < MANY; index += 1) many.add(`bench_${index}`);
  const limits = { idleStopMs: 3_600_000, cellCount: 256, spareCount: 0 };
  await using lone = await one.start({ limits });
  const strangers = childPids();
  await call(lone, "bench_echo", { text: TEXT });
  const own = childPids().filter((pid) => !strangers.includes(pid));
  await using sharing = await together.start({ limits, ...toShare(together) });
  await callAll(sharing);
  const shared = childPids().filter((pid) => !strangers.includes(pid) && !own.includes(pid));
  await using engine = await many.start({ limits });
  const names = Array.from({ length: MANY }, (_, index) => `bench_${index}_echo`);
  const line = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await call(engine, name, { text: TEXT });
  };
  await Promise.all(Array.from({ length: STARTED_AT_ONCE }, line));
  return await runRounds(
    [
      oneByOne(
        warmName(ONE),
        () => call(lone, "bench_echo", { text: TEXT }),
        () => own,
      ),
      oneByOne(
        SHARED_CALL,
        () => call(sharing, "bench_0_echo", { text: TEXT }),
        () => shared,
      ),
      // What the others take while they stand is counted as well.
      oneByOne(
        warmName(MANY),
        () => call(engine, "bench_0_echo", { text: TEXT }),
        () => childPids().filter((pid) => !own.includes(pid) && !shared.includes(pid)),
      ),
    ],
    callPlan(false),
  );
}

function warmName(count: number): string {
  return `warm call, ${count === 1 ? "1 cell stands" : `${count} cells stand`}`;
}

/** In an engine of its own each time: one call, and then nothing. With its wrapper, where the machine has one. */
function idleCell(folder: BenchFolder): Contender {
  return memoryOf(IDLE_CELL, async (note) => {
    await using engine = await folder.start({ limits: { spareCount: 0 } });
    const before = childPids();
    await call(engine, "bench_echo", { text: TEXT });
    await pause(REST_MS);
    note(privateMiB(childPids().filter((pid) => !before.includes(pid))));
  });
}

/** The same of capabilities that share a process: what each of them adds up to. */
function sharedCell(folder: BenchFolder): Contender {
  return memoryOf(SHARED_CELL, async (note) => {
    await using engine = await folder.start({ limits: { spareCount: 0, sharedCellCount: TOGETHER }, ...toShare(folder) });
    const before = childPids();
    await callAll(engine);
    await pause(REST_MS);
    note(privateMiB(childPids().filter((pid) => !before.includes(pid))) / TOGETHER);
  });
}

async function callAll(engine: Awaited<ReturnType<BenchFolder["start"]>>): Promise<void> {
  for (let index = 0; index < TOGETHER; index += 1) await call(engine, `bench_${index}_echo`, { text: TEXT });
}

function toShare({ path }: BenchFolder): { readonly shareProcess: readonly string[] } {
  return { shareProcess: [join(path, "capabilities")] };
}

function emptyNode(): Contender {
  const addonFile = findAddon().file;
  return memoryOf(EMPTY_NODE, async (note) => {
    await using node = await Floor.start(addonFile, "load");
    await pause(SETTLE_MS);
    note(privateMiB([node.pid]));
  });
}

function memoryOf(name: string, look: (note: Note) => Promise<void>): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) await look(note);
  };
  return { name, run, isPaced: true };
}

// Not a number where the system does not tell: then no ratio is told either.
function privateMiB(pids: readonly number[]): number {
  return (privateBytesOf(pids) ?? NaN) / MiB;
}

if (import.meta.main) await runScope("density", measure);
