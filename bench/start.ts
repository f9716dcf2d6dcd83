import { setTimeout as pause } from "node:timers/promises";
import { join } from "node:path";
import type { createEngine } from "toolcell";
import { createAdmission } from "../src/admission/admission.ts";
import { oneByOne, type Contender, type Note } from "../src/bench/contender.ts";
import { Floor } from "../src/bench/floor.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { findAddon } from "../src/cell/addon.ts";
import { readLimits } from "../src/engine/options.ts";
import { call, makeBenchFolder, type BenchFolder } from "./capabilities.ts";
import { runScope, type Measured } from "./scope.ts";
import { bareIsolate, bundleRun, keeperStarts, runtimeStarts } from "./start-parts.ts";

// What the first call of a capability costs that has no cell: where a spare process stands ready and where none does, beside
// the least that it could be made of. A whole run also takes apart what is in it: the guest's runtime by each way to bring it into
// an isolate, and a keeper's start with and without what is compiled of the runtime. The disk has read all of it before.

const WITH_SPARE = "first call, with a spare";
const WITHOUT_SPARE = "first call, without a spare";
const [WARM, ISOLATE, BUNDLE, NODE] = ["warm call", "bare isolate made", "bundle run", "Node started, isolated-vm loaded"];
// A spare stands well within this; there is no event for it.
const SPARE_MS = 250;
const ROUNDS = 15;

async function measure(isQuick: boolean): Promise<Measured> {
  using folder = makeBenchFolder();
  folder.add("bench");
  const addonFile = findAddon().file;
  const bundle = await bundleOf(folder);
  await using spared = await folder.start({ limits: { idleStopMs: 10, spareCount: 1 } });
  await using bare = await folder.start({ limits: { idleStopMs: 10, spareCount: 0 } });
  await using warm = await folder.start({ limits: { spareCount: 0 } });
  await using parts = keeperStarts();
  const rows = await runRounds(
    [
      firstCalls(WITH_SPARE, spared, SPARE_MS),
      firstCalls(WITHOUT_SPARE, bare, 10),
      oneByOne(WARM, () => call(warm, "bench_echo", { text: "x" })),
      bareIsolate(ISOLATE),
      bundleRun(BUNDLE, bundle),
      nodeStarts(NODE, addonFile),
      ...(isQuick ? [] : [...runtimeStarts(), ...parts.contenders]),
    ],
    { rounds: ROUNDS, warmUps: 2, turnMs: isQuick ? 20 : 40, least: 1, most: 30 },
  );
  return {
    about: "the first call of a capability whose cell is not there, and what it is made of",
    rows,
    asks: [
      { id: "first-spare", figure: "p50", of: WITH_SPARE, against: [WARM, ISOLATE, BUNDLE] },
      { id: "first-cold", figure: "p50", of: WITHOUT_SPARE, against: [NODE] },
    ],
  };
}

/** The first call of a cell, again and again: it stops as soon as it is idle. */
function firstCalls(name: string, engine: Awaited<ReturnType<typeof createEngine>>, restMs: number): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    // An engine holds no event loop open, and here nothing else would.
    const held = setInterval(() => undefined, 1000);
    for (let made = 0; made < count; made += 1) {
      await pause(restMs);
      const stopped = new Promise<void>((resolve) => {
        const off = engine.on("stopped", () => (off(), resolve()));
      });
      const begun = performance.now();
      await call(engine, "bench_echo", { text: "x" });
      note((performance.now() - begun) * 1000);
      await stopped;
    }
    clearInterval(held);
  };
  return { name, run, isPaced: true };
}

function nodeStarts(name: string, addonFile: string): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) {
      const begun = performance.now();
      await using node = await Floor.start(addonFile, "load");
      void node;
      note((performance.now() - begun) * 1000);
    }
  };
  return { name, run, isPaced: true };
}

async function bundleOf(folder: BenchFolder): Promise<string> {
  const limits = readLimits({});
  await using admission = createAdmission({ cacheDir: join(folder.path, "home", "cache"), shippedDir: null, limits });
  const { bundleHash, refused } = await admission.admit(join(folder.path, "capabilities", "bench"), { shipped: false });
  if (bundleHash === null) throw new Error(refused ?? "The capability has no bundle");
  return await admission.bundle(bundleHash);
}

if (import.meta.main) await runScope("start", measure);
