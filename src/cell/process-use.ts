import { readdirSync, readFileSync } from "node:fs";

const PAGE_BYTES = 4096;
// The unit of /proc/<pid>/stat on every Linux that Node runs on.
const TICK_MS = 10;
// Looks between two walks of the tree: what a keeper starts shows within a second, and a look costs a read or three.
const LOOKS_A_WALK = 20;

/** What a process and all that it started hold and compute: around a keeper stand processes of its wrapper. Linux only. */
export class ProcessUse {
  readonly #root: number;
  #pids: readonly number[] = [];
  #looks = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /** Resident memory in bytes, or null where the system does not tell, or where there is no process any more. */
  residentBytes(): number | null {
    return this.#sum(residentBytes);
  }

  /** CPU time since their start in milliseconds, in steps of ten; null as above. */
  cpuMs(): number | null {
    return this.#sum(cpuMs);
  }

  #sum(read: (pid: number) => number | null): number | null {
    if (process.platform !== "linux") return null;
    if (this.#looks % LOOKS_A_WALK === 0) this.#pids = treeOf(this.#root);
    this.#looks += 1;
    const figures = this.#pids.map(read).filter((figure) => figure !== null);
    return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0);
  }
}

function treeOf(root: number): number[] {
  const pids = [root];
  // Grows while it is walked.
  for (const pid of pids) pids.push(...childrenOf(pid));
  return pids;
}

// A child belongs to the thread that started it.
function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function residentBytes(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
  } catch {
    return null;
  }
}

function cpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Its second field is a name that may hold anything: what follows it begins with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
