import type { HazardCase } from "./case.ts";

/** One way to run a stranger's code. */
export interface Driver {
  /** Runs a body to its end. Rejects where it failed; the text is what a caller would go on with. */
  run(body: string): Promise<string>;
  /** Ends everything of it that still runs. */
  close(): Promise<void>;
}

export const DRIVERS = ["cell", "worker", "isolated-vm", "node:vm"] as const;
export type DriverName = (typeof DRIVERS)[number];

export const DEADLINE_MS = 1500;
export const MEMORY_BYTES = 64 * 1024 * 1024;

export async function createDriver(name: DriverName, hazard: HazardCase): Promise<Driver> {
  switch (name) {
    case "cell":
      return (await import("./drivers/cell.ts")).createCellDriver(hazard);
    case "worker":
      return (await import("./drivers/worker.ts")).createWorkerDriver();
    case "isolated-vm":
      return await (await import("./drivers/isolated-vm.ts")).createIsolatedVmDriver();
    case "node:vm":
      return (await import("./drivers/node-vm.ts")).createNodeVmDriver();
  }
}

/** What callers do with a value that is no string. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : String(JSON.stringify(value));
}

/** Rejects at the deadline, and then does what a driver has to stop a run. */
export async function withinDeadline<T>(running: Promise<T>, stop: () => void): Promise<T> {
  running.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop();
      reject(new Error("It did not end in time"));
    }, DEADLINE_MS);
  });
  try {
    return await Promise.race([running, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
