import type { Cells } from "../cell/cells.ts";
import type { Capability } from "../registry/registry.ts";
import type { Sources } from "../registry/sources.ts";
import type { Switches } from "../registry/switches.ts";
import type { Listeners } from "./events.ts";

export interface SwitchingParts {
  readonly switches: Switches;
  readonly sources: Sources;
  readonly cells: Cells;
  readonly listeners: Listeners;
}

// What another process has switched holds here after so long at the latest.
const LOOK_MS = 50;
// While nobody calls anything, what is off need not end at once.
const IDLE_LOOK_MS = 500;

/** Carries out what the owner has switched, here or in another process: what is off is in no listing, and its cell ends. */
export class Switching {
  readonly #parts: SwitchingParts;
  #state: unknown;
  #lookedAt = -Infinity;
  #looking: NodeJS.Timeout | null = null;

  constructor(parts: SwitchingParts) {
    this.#parts = parts;
    this.#state = parts.switches.state;
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
    const { switches, sources } = this.#parts;
    const { state } = switches;
    if (state === this.#state) return;
    this.#state = state;
    const before = new Map(sources.registry.capabilities.map((capability) => [capability.folder, capability]));
    sources.reconsider(switches.decided());
    for (const after of sources.registry.capabilities) this.#onSwitched(before.get(after.folder), after);
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
