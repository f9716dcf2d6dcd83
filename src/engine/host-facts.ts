import { arch, availableParallelism, platform, totalmem } from "node:os";
import type { HostFacts } from "../bridge/messages.ts";

const GiB = 1024 ** 3;

/** What a guest may know of the machine. Counts are rounded down to a power of two, so that they tell few machines apart. */
export function coarseHostFacts(engineVersion: string): HostFacts {
  const exact = exactHostFacts(engineVersion);
  return {
    ...exact,
    cpus: powerOfTwo(exact.cpus),
    memoryBytes: powerOfTwo(Math.max(1, exact.memoryBytes / GiB)) * GiB,
    node: exact.node.split(".")[0] ?? "",
  };
}

/** What a trusted capability knows: all of it. */
export function exactHostFacts(engineVersion: string): HostFacts {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    os: platform(),
    arch: arch(),
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    engine: engineVersion,
    timeZone,
    locale,
  };
}

function powerOfTwo(count: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, count)));
}
