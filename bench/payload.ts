import { runRounds } from "../src/bench/rounds.ts";
import { hasBaselines } from "./baselines/install.ts";
import { mcp } from "./baselines/mcp.ts";
import { makeBenchFolder, toSide } from "./capabilities.ts";
import { floor } from "./floors.ts";
import { callPlan, QUICK_INSTALLS_NOTHING, runScope, type Measured } from "./scope.ts";
import { echoes, startSides } from "./side.ts";

// What size costs: the same text as argument and as result, whole on both ways.

const KiB = 1024;
const SIZES = [
  { name: "1 KiB", bytes: KiB },
  { name: "64 KiB", bytes: 64 * KiB },
  { name: "1 MiB", bytes: 1024 * KiB },
];

async function measure(isQuick: boolean): Promise<Measured> {
  const isOffline = isQuick && !hasBaselines();
  await using others = await startSides(isOffline ? [floor] : [floor, mcp]);
  using folder = makeBenchFolder();
  folder.add("bench");
  await using own = toSide("warm call", await folder.start(), "bench", others.pids);
  const sizes = isQuick ? SIZES.slice(2) : SIZES;
  const contenders = sizes.flatMap(({ name, bytes }) =>
    [own, ...others.started].map((side) => echoes(side, "x".repeat(bytes), `${side.name}, ${name}`)),
  );
  const rows = await runRounds(contenders, { ...callPlan(isQuick, 3), least: 3 });
  return {
    about: "one argument and one result of this size, one call at a time",
    rows,
    asks: sizes.flatMap(({ name }) => {
      const of = `${own.name}, ${name}`;
      const id = name.replace(" ", "");
      return [
        { id: `p50-floor-${id}`, figure: "p50", of, against: [`${floor.name}, ${name}`] },
        { id: `cpu-floor-${id}`, figure: "cpu", of, against: [`${floor.name}, ${name}`] },
        { id: `p50-mcp-${id}`, figure: "p50", of, against: [`${mcp.name}, ${name}`] },
      ] as const;
    }),
    leftOut: [...others.leftOut, ...(isOffline ? [{ name: mcp.name, reason: QUICK_INSTALLS_NOTHING }] : [])],
  };
}

if (import.meta.main) await runScope("payload", measure);
