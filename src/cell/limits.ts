import type { Bounds } from "./cell-process.ts";
import type { KeeperOptions, Seal } from "./spawn.ts";

/** The limits that the host's side of a cell holds to: a part of the engine's own table, in its names and units. */
export interface CellLimits {
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly resultBytes: number;
  readonly powerBytes: number;
  readonly argumentBytes: number;
  readonly bundleBytes: number;
  readonly depthCount: number;
  readonly valueCount: number;
  readonly frameCount: number;
  readonly graceMs: number;
  readonly startMs: number;
  readonly idleStopMs: number;
  readonly drainMs: number;
  readonly unloadMs: number;
  readonly crashCount: number;
  readonly crashWindowMs: number;
  readonly quarantineMs: number;
  readonly quarantineMaxMs: number;
  readonly cellCount: number;
  readonly spareCount: number;
  readonly sharedCellCount: number;
  readonly residentBytes: number;
  readonly watchMs: number;
  readonly keeperHeapBytes: number;
  readonly stderrBytes: number;
  readonly dataBytes: number;
}

// What a body's framing adds to its text: the head of a result, JSON's escapes, the context of a call.
const FRAMING_BYTES = 64 * 1024;

/** The largest body that the host takes from a cell. JSON's escapes may double a text; the keeper refuses one that they make larger still. */
export function largestFromCell(limits: Pick<CellLimits, "resultBytes" | "powerBytes">): number {
  return Math.max(limits.resultBytes * 2, limits.powerBytes) + FRAMING_BYTES;
}

/** The largest body that a keeper takes from the host. */
export function largestToCell(limits: CellLimits): number {
  return Math.max(limits.argumentBytes * 2, limits.bundleBytes, limits.powerBytes) + FRAMING_BYTES;
}

/** The most that a cell's process may hold: the isolate's own limit is a guideline that V8 oversteps two to three times. */
export function largestResident(limits: Pick<CellLimits, "memoryBytes" | "residentBytes">): number {
  return limits.residentBytes + 2 * limits.memoryBytes;
}

/** What a process of several cells may hold: what each may, beside its own memory. */
export function largestShared({ residentBytes }: Pick<CellLimits, "residentBytes">, memoryBytes: readonly number[]): number {
  return memoryBytes.reduce((sum, bytes) => sum + 2 * bytes, residentBytes);
}

/** What a watched cell is held to. A keeper says after each turn that it ended, so that silence is one turn and not many. */
export function boundsOf(limits: CellLimits): Bounds {
  return { residentBytes: largestResident(limits), silentMs: limits.cpuMs + 2 * limits.graceMs };
}

/** What a keeper is started with, whoever it will belong to. */
export function keeperOptions(limits: CellLimits, addonFile: string): Omit<KeeperOptions, "keeperFile" | "seal"> {
  const { cpuMs, memoryBytes, graceMs, watchMs, keeperHeapBytes } = limits;
  return {
    addonFile,
    memoryBytes,
    cpuMs,
    graceMs,
    watchMs,
    residentBytes: largestResident(limits),
    bodyBytes: largestFromCell(limits),
    frameBytes: largestToCell(limits),
    heapBytes: keeperHeapBytes,
    placeCount: 0,
  };
}

/** What changes of that for a keeper of so many places: what is common to them is as large as all of them need. */
export function sharedOptions(
  limits: CellLimits,
  seal: Seal,
  placeCount: number,
): Pick<KeeperOptions, "seal" | "placeCount" | "residentBytes" | "heapBytes"> {
  const cellCount = Math.max(1, placeCount);
  return {
    placeCount,
    seal: { ...seal, dataBytes: seal.dataBytes === null ? null : seal.dataBytes * cellCount },
    residentBytes: largestShared(limits, Array<number>(cellCount).fill(limits.memoryBytes)),
    heapBytes: limits.keeperHeapBytes * cellCount,
  };
}
