import type { Contender } from "../src/bench/contender.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { mcp, startMcp } from "./baselines/mcp.ts";
import { call, makeBenchFolder, toSide } from "./capabilities.ts";
import { floor } from "./floors.ts";
import { callPlan, runScope, type Measured } from "./scope.ts";
import { echoes, startSides, type Side } from "./side.ts";

// What a neighbour does to a warm call: one that computes without pause in its own cell, and one with sixteen calls under way. The
// bare floor beside the same neighbour says how much of it is the machine. A server of MCP has its tools in one thread: there
// the neighbour is another tool of the same server.

const SPIN_MS = 50;
const FLOOD = 16;
const TEXT = "x".repeat(100);
const [BUSY, FLOODED] = ["beside one that computes", "beside one with 16 calls under way"];
const WARM = "warm call";

async function measure(isQuick: boolean): Promise<Measured> {
  await using others = await startSides(isQuick ? [floor] : [floor, mcp]);
  const [bare] = others.started;
  if (bare?.name !== floor.name) throw new Error(others.leftOut[0]?.reason);
  using folder = makeBenchFolder();
  for (const name of ["bench", "neighbour"]) folder.add(name);
  const engine = await folder.start();
  await using own = toSide(WARM, engine, "bench", others.pids);
  await call(engine, "neighbour_echo", { text: TEXT });
  const spin = (): Promise<unknown> => call(engine, "neighbour_spin", { ms: SPIN_MS });
  const flood = (): Promise<unknown> => call(engine, "neighbour_echo", { text: TEXT });
  const hasMcp = others.started.some(({ name }) => name === mcp.name);
  await using server = hasMcp ? await startMcp() : null;
  const contenders = [own, bare].flatMap((side) => [
    echoes(side, TEXT),
    beside(`${side.name} ${BUSY}`, side, 1, spin),
    beside(`${side.name} ${FLOODED}`, side, FLOOD, flood),
  ]);
  const rows = await runRounds(
    [
      ...contenders,
      ...(server === null ? [] : [echoes(server, TEXT), beside(`${mcp.name} ${BUSY}`, server, 1, () => server.spin(SPIN_MS))]),
    ],
    callPlan(isQuick),
  );
  return {
    about: "a warm call while a neighbour works",
    rows,
    asks: [
      { id: "p50-busy", figure: "p50", of: `${WARM} ${BUSY}`, against: [WARM] },
      { id: "p50-busy-floor", figure: "p50", of: `${WARM} ${BUSY}`, against: [`${floor.name} ${BUSY}`] },
      { id: "p50-flooded", figure: "p50", of: `${WARM} ${FLOODED}`, against: [WARM] },
      { id: "p50-flooded-floor", figure: "p50", of: `${WARM} ${FLOODED}`, against: [`${floor.name} ${FLOODED}`] },
      { id: "p50-busy-mcp", figure: "p50", of: `${WARM} ${BUSY}`, against: [`${mcp.name} ${BUSY}`] },
    ],
    leftOut: others.leftOut,
  };
}

/** The side's calls while its neighbour never stops; the neighbour has begun before the first and ends after the last. */
function beside(name: string, side: Side, width: number, work: () => Promise<unknown>): Contender {
  const alone = echoes(side, TEXT, name);
  const run: Contender["run"] = async (count, note) => {
    const over = new AbortController();
    const lines = Array.from({ length: width }, async () => {
      while (!over.signal.aborted) await work();
    });
    try {
      await alone.run(count, note);
    } finally {
      over.abort();
      await Promise.all(lines);
    }
  };
  return { name, run, isPaced: true };
}

if (import.meta.main) await runScope("contention", measure);
