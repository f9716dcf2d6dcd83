import { arch, availableParallelism, platform, totalmem } from "node:os";
import { ENGINE_VERSION } from "../built/built.ts";
import type { HostFacts } from "../bridge/messages.ts";

const GiB = 1024 ** 3;

/** What a guest may know of the machine. Counts are rounded down to a power of two, so that they tell few machines apart. */
export function coarseHostFacts(): HostFacts {
  const exact = exactHostFacts();
  return {
    ...exact,
    cpus: powerOfTwo(exact.cpus),
    memoryBytes: powerOfTwo(Math.max(1, exact.memoryBytes / GiB)) * GiB,
    node: exact.node.split(".")[0] ?? "",
  };
}

let known: HostFacts | null = null;

/** What a trusted capability knows: all of it. */
export function exactHostFacts(): HostFacts {
  return (known ??= lookAtHost());
}

// Once: it takes as long as several calls.
function lookAtHost(): HostFacts {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    os: platform(),
    arch: arch(),
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    engine: ENGINE_VERSION,
    timeZone,
    locale,
  };
}

function powerOfTwo(count: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, count)));
}
