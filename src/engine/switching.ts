import type { Cells } from "../cell/cells.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import type { Decisions, DecisionState } from "../registry/decisions.ts";
import type { Capability } from "../registry/registry.ts";
import type { Sources } from "../registry/sources.ts";
import type { Trouble } from "./cell-events.ts";
import type { Listeners } from "./events.ts";

export interface SwitchingParts {
  readonly decisions: Decisions;
  readonly sources: Sources;
  readonly cells: Cells;
  readonly listeners: Listeners;
  readonly trouble: Trouble;
}

// What another process has switched holds here after so long at the latest.
const LOOK_MS = 50;
// While nobody calls anything, what is off need not end at once.
const IDLE_LOOK_MS = 500;

/** Carries out what the owner has switched, here or in another process: what is off is in no listing, and its cell ends. */
export class Switching {
  readonly #parts: SwitchingParts;
  #state: DecisionState;
  #lookedAt = -Infinity;
  #looking: NodeJS.Timeout | null = null;

  constructor(parts: SwitchingParts) {
    this.#parts = parts;
    this.#state = parts.decisions.state;
  }

  /** Looks again and again, also while nobody calls. Holds no process open. */
  keepLooking(): void {
    this.#looking ??= setInterval(() => this.look(), IDLE_LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#looking ?? undefined);
  }

  look(when: "now" | "soon" = "soon"): void {
    const now = performance.now();
    if (when === "soon" && now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const { decisions, sources, trouble } = this.#parts;
    const { state } = decisions;
    if (state === this.#state) return;
    const isAgentSame = state.agent === this.#state.agent;
    this.#state = state;
    const before = new Map(sources.registry.capabilities.map((capability) => [capability.folder, capability]));
    sources.reconsider(decisions.decided());
    for (const after of sources.registry.capabilities) this.#onSwitched(before.get(after.folder), after);
    // What was not allowed was not even read, or run to see what it lists.
    if (!isAgentSame) void sources.scan("all").catch((error: unknown) => trouble(OUTCOME.reloadFailed, error));
  }

  #onSwitched(before: Capability | undefined, after: Capability): void {
    const { cells, listeners } = this.#parts;
    const capability = after.record.name;
    if (isUsable(before) && !isUsable(after)) cells.release(capability);
    if (before !== undefined && before.isEnabled !== after.isEnabled)
      listeners.emit(after.isEnabled ? "enabled" : "disabled", { capability });
    const [wasTaken, isTaken] = [before?.refused === null, after.refused === null];
    if (!wasTaken && isTaken) listeners.emit("added", { capability, tools: after.tools.map(({ name }) => name) });
    if (wasTaken && after.refused !== null) listeners.emit("refused", { capability, reason: after.refused });
  }
}

function isUsable(capability: Capability | undefined): boolean {
  return capability?.refused === null && capability.isEnabled;
}
