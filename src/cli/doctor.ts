import { availableParallelism } from "node:os";
import { WALL } from "../catalogue/texts.ts";
import { findAddon } from "../cell/addon.ts";
import { StartError } from "../cell/call-end.ts";
import { detectWalls } from "../cell/detect-walls.ts";
import type { Wall, WallReport } from "../cell/walls.ts";
import { createEngine } from "../engine/engine.ts";
import { readLimits } from "../engine/options.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "missing" | "failed";
  readonly detail: string;
  /** Whether no tool can be sealed without it. */
  readonly isNeeded: boolean;
}

/** `toolcell doctor`: what this machine can seal, found out by trying. Exit 1 where a tool cannot be sealed at all. */
export async function doctorCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  const findings = [node(), addon(), ...(await tryCell(line)), ...(await tryWalls())];
  if (line.flags.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const { name, state, detail } of findings) process.stdout.write(`${state.padEnd(8)}${name}: ${detail}\n`);
  return findings.some(({ state, isNeeded }) => isNeeded && state !== "ok") ? EXIT.failed : EXIT.ok;
}

function node(): Finding {
  return {
    name: "Node",
    state: "ok",
    detail: `${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    isNeeded: true,
  };
}

function addon(): Finding {
  try {
    return { name: "isolated-vm", state: "ok", detail: findAddon().version, isNeeded: true };
  } catch (error) {
    return { name: "isolated-vm", state: "missing", detail: error instanceof Error ? error.message : String(error), isNeeded: true };
  }
}

// A real call in a real cell.
async function tryCell(line: CommandLine): Promise<readonly Finding[]> {
  await using engine = await createEngine({ ...engineOptions(line.flags), capabilities: [], plugins: false, log: () => undefined });
  const called = await engine.call("text_stats", { text: "a b c" });
  const { startMs, wallMs } = called.usage;
  const cell: Finding = {
    name: "sealed call",
    state: called.ok ? "ok" : "failed",
    detail: called.ok ? `a cell started in ${startMs.toFixed(0)} ms, the call took ${(wallMs - startMs).toFixed(1)} ms` : called.text,
    isNeeded: true,
  };
  return [cell];
}

// Without these a cell seals nothing; the others each make what is left of a risk smaller.
const NEEDED: ReadonlySet<Wall> = new Set(["process", "permission-model", "environment"]);
const HARDENED: ReadonlySet<Wall> = new Set(["jitless", "data-limit"]);

// The same probe, started once as cells are and once as they are when hardened.
async function tryWalls(): Promise<readonly Finding[]> {
  try {
    const [{ file }, limits] = [findAddon(), readLimits({})];
    const [plain, hardened] = [await detectWalls(limits, {}, file), await detectWalls(limits, { hardened: true }, file)];
    const reports = plain.map((report) => (HARDENED.has(report.wall) ? inHardened(report.wall, hardened) : report));
    return reports.map(({ wall, stands, why }) => {
      return { name: `wall ${wall}`, state: stands ? "ok" : "missing", detail: why, isNeeded: NEEDED.has(wall) };
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const detail = error instanceof StartError && error.detail !== null ? `${error.message}. ${error.detail.trim()}` : error.message;
    return [{ name: "walls", state: "failed", detail, isNeeded: true }];
  }
}

function inHardened(wall: Wall, hardened: readonly WallReport[]): WallReport {
  const report = hardened.find((other) => other.wall === wall) ?? { wall, stands: false, why: WALL.probeDied };
  return report.stands ? { ...report, why: WALL.whenHardened(report.why) } : report;
}
