import { manyAtOnce } from "../src/bench/contender.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { hasBaselines } from "./baselines/install.ts";
import { mcp } from "./baselines/mcp.ts";
import { call, makeBenchFolder, toSide } from "./capabilities.ts";
import { floor } from "./floors.ts";
import { callPlan, QUICK_INSTALLS_NOTHING, runScope, type Measured } from "./scope.ts";
import { manyEchoes, startSides } from "./side.ts";

// How many calls a second there are with 64 of them under way at any moment: over one capability, over eight, and over what
// stands in for them. The engine's limits are its defaults, so that none of the 64 waits in its queue. What a call notes here has
// its wait for the others' turns in it.

const WIDTH = 64;
const CAPABILITIES = ["bench", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const [ONE, EIGHT] = ["64 at once, 1 capability", "64 at once, 8 capabilities"];
const TEXT = "x".repeat(100);

async function measure(isQuick: boolean): Promise<Measured> {
  const isOffline = isQuick && !hasBaselines();
  await using others = await startSides(isOffline ? [floor] : [floor, mcp]);
  using folder = makeBenchFolder();
  for (const name of CAPABILITIES) folder.add(name);
  const engine = await folder.start();
  await using own = toSide(ONE, engine, "bench", others.pids);
  const toolOf = (index: number): string => `${CAPABILITIES[index % CAPABILITIES.length] ?? ""}_echo`;
  const over8 = manyAtOnce(EIGHT, WIDTH, (index) => call(engine, toolOf(index), { text: TEXT }), own.pids);
  const plan = callPlan(isQuick, isQuick ? 3 : 5);
  const rows = await runRounds([manyEchoes(own, WIDTH, TEXT), over8, ...others.started.map((side) => manyEchoes(side, WIDTH, TEXT))], {
    ...plan,
    least: WIDTH * 2,
    most: 2000,
    turnMs: plan.turnMs * 2,
  });
  const rate = (id: string, of: string, against: string) => ({ id, figure: "rate", of, against: [against] }) as const;
  return {
    about: "64 calls under way at any moment",
    rows,
    asks: [
      rate("rate-mcp", ONE, mcp.name),
      rate("rate-8-1", EIGHT, ONE),
      rate("rate-floor", ONE, floor.name),
      { id: "cpu-floor", figure: "cpu", of: ONE, against: [floor.name] },
      { id: "cpu-mcp", figure: "cpu", of: ONE, against: [mcp.name] },
    ],
    leftOut: [...others.leftOut, ...(isOffline ? [{ name: mcp.name, reason: QUICK_INSTALLS_NOTHING }] : [])],
  };
}

if (import.meta.main) await runScope("throughput", measure);
