import type { Death } from "./cell-process.ts";
import type { SharedCell } from "./shared-cell.ts";

/**
 * Whose doing the end of a shared process may be, of the cells that were in it: one alone is certain, of several none is, and
 * nobody's it is where the process was ended from outside.
 */
export function suspectsOf(cells: readonly SharedCell[], { killedFor, signal }: Death): readonly SharedCell[] {
  if (killedFor === "closed" || killedFor === "done") return [];
  // A keeper that breaks the rules where no cell stands is anybody's.
  if (killedFor === "protocol") return cells;
  // One that was being stopped, for what it met or because it did not stop.
  const stopped = cells.filter((cell) => cell.killedFor === "stuck" || cell.killedFor === "memory" || cell.killedFor === "start");
  if (stopped.length > 0) return stopped;
  if (killedFor === null && signal === "SIGKILL") return [];
  const most = Math.max(...cells.map((cell) => cell.suspicion));
  return cells.filter((cell) => cell.suspicion === most);
}

/**
 * Capabilities that may have ended a process that they shared: each has one of its own from then on. One that is certain until its
 * code is another; one of several for `forMs`, in which it shows by itself what it is.
 */
export class Suspects {
  readonly #until = new Map<string, number>();
  readonly #forMs: number;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  has(capability: string): boolean {
    return (this.#until.get(capability) ?? 0) > performance.now();
  }

  add(capabilities: readonly string[], isCertain: boolean): void {
    const until = isCertain ? Infinity : performance.now() + this.#forMs;
    for (const capability of capabilities) this.#until.set(capability, Math.max(until, this.#until.get(capability) ?? 0));
  }

  clear(capability: string): void {
    this.#until.delete(capability);
  }
}
