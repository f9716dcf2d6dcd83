import { runRounds } from "../src/bench/rounds.ts";
import { hasBaselines } from "./baselines/install.ts";
import { freshIsolate, isolate, nodeVm, quickjs, worker } from "./baselines/in-process.ts";
import { deno } from "./baselines/deno.ts";
import { mcp } from "./baselines/mcp.ts";
import { makeBenchFolder, toSide } from "./capabilities.ts";
import { floor, threadsFloor } from "./floors.ts";
import { callPlan, QUICK_INSTALLS_NOTHING, runScope, type Measured } from "./scope.ts";
import { echoes, startSides } from "./side.ts";

// What a warm call costs, one at a time, beside everything that people use in its place. Each gives a text of a hundred
// characters back, and reads and writes JSON on its far side. Left out: what a tool itself does.

const OWN = "warm call";
const TEXT = "x".repeat(100);

async function measure(isQuick: boolean): Promise<Measured> {
  const foreign = [mcp, deno, quickjs];
  // A quick run installs nothing.
  const chosen = isQuick
    ? [floor, freshIsolate, ...(hasBaselines() ? [mcp] : [])]
    : [floor, threadsFloor, worker, isolate, freshIsolate, nodeVm, ...foreign];
  await using others = await startSides(chosen);
  using folder = makeBenchFolder();
  folder.add("bench");
  await using own = toSide(OWN, await folder.start(), "bench", others.pids);
  const rows = await runRounds(
    [own, ...others.started].map((side) => echoes(side, TEXT)),
    callPlan(isQuick),
  );
  const against = (id: string, figure: "p50" | "p99" | "cpu", name: string) => ({ id, figure, of: OWN, against: [name] });
  return {
    about: "one warm call at a time, the whole path",
    rows,
    asks: [
      against("p50-floor", "p50", floor.name),
      against("p99-floor", "p99", floor.name),
      against("cpu-floor", "cpu", floor.name),
      against("p50-threads", "p50", threadsFloor.name),
      against("cpu-threads", "cpu", threadsFloor.name),
      against("p50-mcp", "p50", mcp.name),
      against("cpu-mcp", "cpu", mcp.name),
      against("p99-mcp", "p99", mcp.name),
      against("p50-fresh", "p50", freshIsolate.name),
      against("p50-worker", "p50", worker.name),
      against("p50-deno", "p50", deno.name),
      against("cpu-deno", "cpu", deno.name),
    ],
    leftOut: [...others.leftOut, ...(isQuick && !hasBaselines() ? [{ name: mcp.name, reason: QUICK_INSTALLS_NOTHING }] : [])],
  };
}

if (import.meta.main) await runScope("call", measure);
