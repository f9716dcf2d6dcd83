import { readdirSync, readFileSync } from "node:fs";

// What the system tells of processes. All of it is null where it does not tell: on anything but Linux, and in some containers.

/** Processes that this one has started and that still run. */
export function childPids(): readonly number[] {
  return childrenOf(process.pid);
}

/** CPU time in microseconds of these processes and all that they started, since each began. */
export function cpuMicrosOf(roots: readonly number[]): number | null {
  return sumOver(roots, cpuMicros);
}

/** Memory that these processes and all that they started share with no other process, in bytes. */
export function privateBytesOf(roots: readonly number[]): number | null {
  return sumOver(roots, privateBytes);
}

function sumOver(roots: readonly number[], figureOf: (pid: number) => number | null): number | null {
  if (process.platform !== "linux") return null;
  const figures = treesOf(roots).map(figureOf);
  return figures.includes(null) ? null : figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

function treesOf(roots: readonly number[]): readonly number[] {
  const pids = [...roots];
  // Grows while it is walked.
  for (const pid of pids) pids.push(...childrenOf(pid));
  return pids;
}

// A child belongs to the thread that started it.
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => (read(`${thread}/children`) ?? "").split(" ").filter(Boolean).map(Number));
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

// Of threads, to the nanosecond: the time of a whole process is told in steps of ten milliseconds, longer than a round. A
// thread that ends within a round takes its time with it.
function cpuMicros(pid: number): number | null {
  const times = threadsOf(pid).flatMap((thread) => read(`${thread}/schedstat`) ?? []);
  return times.length === 0 ? null : times.reduce((sum, line) => sum + Number.parseInt(line, 10) / 1000, 0);
}

function privateBytes(pid: number): number | null {
  const lines = [...(read(`/proc/${pid}/smaps_rollup`) ?? "").matchAll(/^Private_\w+:\s+(\d+) kB$/gmu)];
  return lines.length === 0 ? null : lines.reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return null;
  }
}
