import { readdirSync, readFileSync } from "node:fs";

const PAGE_BYTES = 4096;
// Looks between two walks of the tree: what a keeper starts shows within a second, and a look costs a read or three.
const LOOKS_A_WALK = 20;

/** The resident memory of a process and of all that it started: around a keeper stand processes of its wrapper. Linux only. */
export class ProcessMemory {
  readonly #root: number;
  #pids: readonly number[] = [];
  #looks = 0;

  constructor(root: number) {
    this.#root = root;
  }

  /** Bytes, or null where the system does not tell, or where there is no process any more. */
  read(): number | null {
    if (process.platform !== "linux") return null;
    if (this.#looks % LOOKS_A_WALK === 0) this.#pids = treeOf(this.#root);
    this.#looks += 1;
    const sizes = this.#pids.map(residentBytes).filter((bytes) => bytes !== null);
    return sizes.length === 0 ? null : sizes.reduce((sum, bytes) => sum + bytes, 0);
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
