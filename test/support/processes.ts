import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Whether this system tells which processes there are. */
export const canSeeProcesses = process.platform === "linux";

/** The cells' processes that `parent` has now, spares included. */
export function keeperPids(parent: number = process.pid): number[] {
  return allPids().filter((pid) => parentOf(pid) === parent && commandOf(pid).includes("keeper.cjs"));
}

/** A process and all that it started, and what these did. */
export function descendants(root: number): number[] {
  const parents = allPids().map((pid) => [pid, parentOf(pid)] as const);
  const pids = [root];
  for (const pid of pids) pids.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return pids;
}

/**
 * Kills processes with all that they started. A wrapper that is killed by itself is gone at once, but what it wraps may
 * live for some milliseconds more and answer.
 */
export function killWhole(pids: readonly number[]): void {
  for (const pid of pids.flatMap(descendants))
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with the one before it.
    }
}

/** The one cell's process that there is. */
export function onlyKeeper(): number {
  const [pid, ...others] = keeperPids();
  if (pid === undefined || others.length > 0) throw new Error(`There are ${others.length + (pid === undefined ? 0 : 1)} cells, not one`);
  return pid;
}

/** The command line of a process, its words joined by spaces; nothing where it is gone. */
export function commandOf(pid: number): string {
  return read(pid, "cmdline").replaceAll("\0", " ");
}

/** Looks again and again until it is so; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(5);
}

function allPids(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

function parentOf(pid: number): number | null {
  const stat = read(pid, "stat");
  // The name before it may hold anything, brackets too. A zombie is gone but for its entry.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return parent === undefined || state === "Z" ? null : Number(parent);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
