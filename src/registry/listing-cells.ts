import { toListed } from "../admission/listing-payload.ts";
import type { EntryListing, FailedListing } from "../admission/adapted.ts";
import type { CapabilityRecord } from "../admission/record.ts";
import { quotable } from "../admission/visible-text.ts";
import type { GuestConfig, LogLevel } from "../bridge/messages.ts";
import { ADAPTED, GUEST, START } from "../catalogue/texts.ts";
import { StartError, type CallEnd } from "../cell/call-end.ts";
import type { Cell } from "../cell/cell.ts";
import type { CellPlan } from "../cell/cell-plan.ts";
import { Cells } from "../cell/cells.ts";
import type { CellLimits } from "../cell/limits.ts";
import type { WallPolicy } from "../cell/walls.ts";

export interface ListingLimits extends CellLimits {
  readonly listMs: number;
  readonly listBytes: number;
  readonly admitCount: number;
}

export interface ListingCellParts {
  readonly limits: ListingLimits;
  readonly policy: WallPolicy;
  bundle(hash: string): Promise<string>;
  /** What a guest is told of its surroundings, under these limits. */
  config(capability: string, limits: ListingLimits): Omit<GuestConfig, "memoryBytes" | "cpuMs" | "residentBytes">;
  /** What it writes while it lists, and why it could not, for the owner's log. */
  log(level: LogLevel, message: string, about: { readonly capability: string; readonly hash: string; readonly stack: string | null }): void;
}

/** Lists the entries of one source, one after the other, in one time for all of them. */
export interface ListingRun {
  list(tool: string): Promise<EntryListing>;
  close(): void;
}

const FAILED_CHARS = 500;
const BODY = (tool: string): string => JSON.stringify({ tool, callId: "listing", resultLimit: null, args: {} });

/** Cells for listing alone: they hold no power, have a time of their own, and are gone when nothing is listed. */
export class ListingCells {
  readonly #parts: ListingCellParts;
  readonly #limits: ListingLimits;
  #cells: Cells | null = null;

  constructor(parts: ListingCellParts) {
    const { limits } = parts;
    this.#parts = parts;
    this.#limits = {
      ...limits,
      spareCount: 0,
      // Whoever has a place finds room at once, also while the one before is being ended.
      cellCount: Math.max(limits.cellCount, limits.admitCount * 2),
      resultBytes: limits.listBytes,
      cpuMs: Math.min(limits.cpuMs, limits.listMs),
    };
  }

  open(capability: string, record: CapabilityRecord, signal: AbortSignal): ListingRun {
    const cells = (this.#cells ??= new Cells(this.#limits, { onDeath: () => undefined }, this.#parts.policy));
    const plan = this.#planOf(capability, record);
    let deadlineAt: number | null = null;

    const list = async (tool: string): Promise<EntryListing> => {
      try {
        const cell = await this.#ready(cells, plan, tool);
        // To start a cell is the engine's business; from here on it is the source's time.
        deadlineAt ??= performance.now() + this.#limits.listMs;
        const end = await cell.call({
          tool,
          body: BODY(tool),
          deadlineAt,
          idleMs: 0,
          signal,
          onProgress: () => undefined,
          onLog: (level, message) => this.#log(level, message, capability, record, null),
          onPower: ({ id }) =>
            Promise.resolve({ answer: { id, ok: false, code: "PERMISSION_DENIED", message: ADAPTED.listPower }, bytes: null }),
        });
        return this.#toListing(end, capability, record);
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        this.#log("error", error.message, capability, record, error.detail);
        return passing(ADAPTED.listFailed(error.message));
      }
    };
    return { list, close: () => cells.release(capability) };
  }

  async close(): Promise<void> {
    const cells = this.#cells;
    this.#cells = null;
    await cells?.close();
  }

  // The timer also holds the process open: a cell alone does not.
  async #ready(cells: Cells, plan: CellPlan, tool: string): Promise<Cell> {
    const { startMs } = this.#limits;
    const { promise, reject } = Promise.withResolvers<never>();
    const overdue = setTimeout(() => reject(new StartError("START_TIMEOUT", START.nextOverdue(startMs))), startMs);
    try {
      return await Promise.race([promise, prepared(cells, plan, tool)]);
    } finally {
      clearTimeout(overdue);
    }
  }

  #planOf(capability: string, record: CapabilityRecord): CellPlan {
    const memoryBytes = Math.min(this.#limits.memoryBytes, record.limits.memoryBytes ?? Infinity);
    const limits = { ...this.#limits, memoryBytes };
    return {
      capability,
      runtime: "isolate",
      trust: null,
      id: () => record.codeHash,
      limits,
      config: () => Promise.resolve(this.#parts.config(capability, limits)),
      bundle: () => this.#bundleOf(record),
      unloading: () => {
        throw new Error("What lists tools has nothing to unload");
      },
    };
  }

  async #bundleOf({ bundleHash }: CapabilityRecord): Promise<string> {
    try {
      return await this.#parts.bundle(bundleHash ?? "");
    } catch (error) {
      throw new StartError("LOAD_FAILED", START.bundleLost, error instanceof Error ? error.message : null);
    }
  }

  #toListing(end: CallEnd, capability: string, record: CapabilityRecord): EntryListing {
    const { listMs, listBytes } = this.#limits;
    switch (end.kind) {
      case "result":
        return toListed(end.payload) ?? failed(ADAPTED.listForm);
      case "failure": {
        const { message, stack } = end.failure;
        this.#log("error", message, capability, record, stack);
        return failed(message === GUEST.tooLarge ? ADAPTED.listBytes(listBytes) : ADAPTED.listFailed(message));
      }
      case "ended":
        if (end.code === "CALL_TIMEOUT") return failed(ADAPTED.listMs(listMs));
        if (end.code === "CPU_LIMIT") return failed(ADAPTED.listCpu(this.#limits.cpuMs));
        if (end.code === "MEMORY_LIMIT") return failed(ADAPTED.listMemory);
        return end.code === "CANCELLED" ? passing(ADAPTED.listFailed(end.message)) : failed(ADAPTED.listFailed(end.message));
      case "unstarted":
        return passing(ADAPTED.listForm);
    }
  }

  #log(level: LogLevel, message: string, capability: string, { bundleHash }: CapabilityRecord, stack: string | null): void {
    this.#parts.log(level, message, { capability, hash: bundleHash ?? "", stack });
  }
}

async function prepared(cells: Cells, plan: CellPlan, tool: string): Promise<Cell> {
  const cell = await cells.acquire(plan, tool);
  await cell.prepare(tool);
  return cell;
}

function failed(reason: string): FailedListing {
  return { failed: quotable(reason, FAILED_CHARS), line: null };
}

function passing(reason: string): FailedListing {
  return { ...failed(reason), isPassing: true };
}
