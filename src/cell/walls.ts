import type { Attempt } from "../bridge/probe.ts";
import { WALL } from "../catalogue/texts.ts";
import type { Fallen } from "./seals.ts";
import type { Seal } from "./spawn.ts";
import type { Probed } from "./wall-probe.ts";

/** What may stand between a stranger's code and the machine, beside the isolate itself. */
export const WALLS = [
  "process",
  "permission-model",
  "environment",
  "no-core-dumps",
  "memory-watch",
  "no-network",
  "bubblewrap",
  "jitless",
  "data-limit",
] as const;
export type Wall = (typeof WALLS)[number];

/** What an embedder demands of every cell. */
export interface WallPolicy {
  /** Walls without which no cell starts. Naming `jitless` or `data-limit` puts it up. */
  readonly require?: readonly Wall[];
  /** Also `jitless` and `data-limit`: slower tools, and a bound on memory that the system itself holds to. */
  readonly hardened?: boolean;
}

export interface WallReport {
  readonly wall: Wall;
  readonly stands: boolean;
  /** What was seen of it, or why it does not stand and what to do. */
  readonly why: string;
}

/** Throws TypeError or RangeError for a policy that demands what there is not: a misspelt wall would else be no wall. */
export function assertWallPolicy({ require, hardened }: { readonly require?: unknown; readonly hardened?: unknown }): void {
  if (hardened !== undefined && typeof hardened !== "boolean") throw new TypeError(WALL.notPolicy);
  if (require === undefined) return;
  if (!Array.isArray(require)) throw new TypeError(WALL.notPolicy);
  for (const name of require as readonly unknown[])
    if (!WALLS.some((wall) => wall === name)) throw new RangeError(WALL.unknown(name, WALLS));
}

/** The walls that need only be asked for. A data limit cannot be held with machine code made at run time. */
export function wallsAskedFor({ require = [], hardened = false }: WallPolicy, dataBytes: number): Omit<Seal, "wrapper" | "leash"> {
  const hasDataLimit = process.platform === "linux" && (hardened || require.includes("data-limit"));
  return { isJitless: hardened || hasDataLimit || require.includes("jitless"), dataBytes: hasDataLimit ? dataBytes : null };
}

/** Which walls stand around a keeper started under `seal`, told from what a probe in its place could do. */
export function judgeWalls(seal: Seal, probed: Probed, fallen: readonly Fallen[]): readonly WallReport[] {
  const through = (attempts: readonly Attempt[]): readonly Attempt[] =>
    attempts.filter((name) => probed.attempts.find(({ attempt }) => attempt === name)?.isRefused !== true);
  const judge = (wall: Wall): WallReport => {
    const reason = reasonAgainst(wall, seal, probed, fallen, through);
    return { wall, stands: reason === null, why: reason ?? WALL.seen[wall] };
  };
  return WALLS.map(judge);
}

// Less than Node itself takes: then what was read is not it.
const LEAST_BYTES = 16 * 1024 * 1024;

function reasonAgainst(
  wall: Wall,
  seal: Seal,
  probed: Probed,
  fallen: readonly Fallen[],
  through: (attempts: readonly Attempt[]) => readonly Attempt[],
): string | null {
  switch (wall) {
    case "process":
      return probed.isKilled ? null : WALL.notKilled;
    case "permission-model":
      return gap(through(REFUSED_BY_PERMISSIONS), WALL.updateNode);
    case "environment":
      return gap(through(REFUSED_BY_ENVIRONMENT), WALL.report);
    case "no-core-dumps":
      return probed.coreLimit === 0 ? null : WALL.coreDumps;
    case "memory-watch":
      return (probed.residentBytes ?? 0) > LEAST_BYTES ? null : WALL.memoryUntold;
    case "no-network":
      return gap(through(["connect to the host's network"]), WALL.getBubblewrap);
    case "bubblewrap": {
      if (seal.wrapper?.kind === "bubblewrap") return gap(through(REFUSED_BY_BUBBLEWRAP), WALL.report);
      const fell = fallen.find(({ wrapper }) => wrapper.kind === "bubblewrap");
      return WALL.withoutIt(fell === undefined ? WALL.noBubblewrap : WALL.bubblewrapFell(fell.reason), through(REFUSED_BY_BUBBLEWRAP));
    }
    case "jitless":
      return seal.isJitless && !probed.hasWebAssembly ? null : WALL.notHardened;
    case "data-limit":
      return isHeld(seal.dataBytes, probed.dataLimit) ? null : WALL.notHardened;
  }
}

// A shell sets it in KiB.
function isHeld(dataBytes: number | null, dataLimit: number | "unlimited"): boolean {
  return dataBytes !== null && dataLimit !== "unlimited" && Math.abs(dataLimit - dataBytes) < 1024;
}

function gap(through: readonly Attempt[], remedy: string): string | null {
  return through.length === 0 ? null : WALL.through(through, remedy);
}

const REFUSED_BY_PERMISSIONS: readonly Attempt[] = [
  "read a system file",
  "read the engine's home",
  "list the root folder",
  "write to the temporary folder",
  "write to its own folder",
  "read its own code again",
  "start a process",
  "become another program",
  "start a worker thread",
  "open an inspector",
  "load an addon",
  "take a permission back",
  "read the host's environment",
  "read the host's memory",
];
const REFUSED_BY_ENVIRONMENT: readonly Attempt[] = [
  "see an environment variable of the host",
  "use a descriptor of the host",
  "leave data in the mark",
];
const REFUSED_BY_BUBBLEWRAP: readonly Attempt[] = ["connect to the host's network", "connect to a Unix socket", "send the host a signal"];
