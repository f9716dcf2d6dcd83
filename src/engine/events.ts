/** What an engine tells of its capabilities while it runs, by the name of the event. */
export interface EngineEvents {
  /** A capability is there that was not. */
  readonly added: { readonly capability: string; readonly tools: readonly string[] };
  /** New code of a capability serves. */
  readonly reloaded: {
    readonly capability: string;
    readonly tools: readonly string[];
    readonly addedTools: readonly string[];
    readonly removedTools: readonly string[];
  };
  /** A capability's folder holds something that cannot serve, and what it held before goes on serving. */
  readonly kept: { readonly capability: string; readonly reason: string };
  /** A capability is there and not taken. */
  readonly refused: { readonly capability: string; readonly reason: string };
  readonly removed: { readonly capability: string };
  readonly enabled: { readonly capability: string };
  readonly disabled: { readonly capability: string };
  /** A cell has started. */
  readonly started: { readonly capability: string };
  /** A cell has ended as planned: it was idle, its code is another, its capability is off or gone. */
  readonly stopped: { readonly capability: string };
  /** A cell has ended otherwise: `how` is a limit, a signal or an exit code. */
  readonly crashed: { readonly capability: string; readonly how: string };
  /** A capability has crashed too often and is kept off for `ms` milliseconds. */
  readonly quarantined: { readonly capability: string; readonly ms: number };
  /** A tool's `unload` threw, or did not end in time. */
  readonly unloadFailed: { readonly capability: string; readonly tool: string; readonly message: string };
  /** Something of the engine's own does not work as it should, such as a folder that cannot be watched. */
  readonly trouble: { readonly message: string };
}

export type EventName = keyof EngineEvents;
export type Listener<Name extends EventName> = (event: EngineEvents[Name]) => void;

export const EVENT_NAMES = [
  "added",
  "reloaded",
  "kept",
  "refused",
  "removed",
  "enabled",
  "disabled",
  "started",
  "stopped",
  "crashed",
  "quarantined",
  "unloadFailed",
  "trouble",
] as const satisfies readonly EventName[];

/** Who listens to what. A listener that throws is told to `onFault` and harms nobody else. */
export class Listeners {
  readonly #listeners = new Map<EventName, Set<(event: never) => void>>();
  readonly #onFault: (name: EventName, error: unknown) => void;

  constructor(onFault: (name: EventName, error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Returns what takes the listener off again. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return () => void set.delete(listener);
  }

  emit<Name extends EventName>(name: Name, event: EngineEvents[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        (listener as Listener<Name>)(event);
      } catch (error) {
        this.#onFault(name, error);
      }
    }
  }
}
