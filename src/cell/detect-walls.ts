import { START, WALL } from "../catalogue/texts.ts";
import { StartError } from "./call-end.ts";
import { keeperOptions, type CellLimits } from "./limits.ts";
import { Seals } from "./seals.ts";
import { ProbeError, runProbe } from "./wall-probe.ts";
import { judgeWalls, wallsAskedFor, type WallPolicy, type WallReport } from "./walls.ts";

/** Which walls stand on this machine around a cell of this policy, found out by trying from the inside. Rejects with StartError. */
export async function detectWalls(limits: CellLimits, policy: WallPolicy, addonFile: string): Promise<readonly WallReport[]> {
  return await probeWalls(new Seals(wallsAskedFor(policy, limits.dataBytes)), limits, addonFile);
}

/** Rejects with StartError unless every required wall stands. */
export async function assertWalls(seals: Seals, limits: CellLimits, { require = [] }: WallPolicy, addonFile: string): Promise<void> {
  if (require.length === 0) return;
  const reports = await probeWalls(seals, limits, addonFile);
  for (const wall of require) {
    const report = reports.find((other) => other.wall === wall);
    if (report?.stands !== true) throw new StartError("CELL_CRASHED", WALL.required(wall, report?.why ?? WALL.probeDied));
  }
}

async function probeWalls(seals: Seals, limits: CellLimits, addonFile: string): Promise<readonly WallReport[]> {
  for (;;) {
    const seal = await seals.current(addonFile);
    try {
      const probed = await runProbe({ ...keeperOptions(limits, addonFile), seal }, limits.stderrBytes, limits.startMs);
      return judgeWalls(seal, probed, seals.fallen);
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      if (!seals.hasFallen(seal, error.stderr)) throw new StartError("CELL_CRASHED", START.keeperDied, error.stderr);
    }
  }
}
