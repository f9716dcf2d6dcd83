import { createAdmission } from "../admission/admission.ts";
import type { JsonObject } from "../catalogue/json.ts";
import type { SecretOwner } from "../powers/secrets/secrets.ts";
import type { Skipped } from "../registry/registry.ts";
import type { CallOptions } from "./call-options.ts";
import { CellEngine } from "./cell-engine.ts";
import type { EventName, Listener } from "./events.ts";
import type { CapabilityEntry, ToolEntry } from "./listing.ts";
import { readOptions, type EngineOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import { cachePlaces } from "./places.ts";

/** Runs tools, each capability sealed in a cell of its own. */
export interface Engine extends AsyncDisposable {
  /** Every tool that can be called, sorted by name. */
  tools(): readonly ToolEntry[];
  /** Every capability found, with what is broken or refused and why. */
  capabilities(): readonly CapabilityEntry[];
  /** Everything that was not taken, with its reason. */
  skipped(): readonly Skipped[];
  /**
   * Calls a tool with a JSON object. Resolves with an outcome whatever the tool, its package or the model did. Throws
   * TypeError or RangeError for options that make no sense, and for a closed engine.
   */
  call(tool: string, args?: unknown, options?: CallOptions): Promise<Outcome>;
  /**
   * Gives a capability what is named, or all that it asks for; what it had before is replaced. Rejects with GrantError,
   * whose `code` says why: an unknown capability, a permission in no form, one that is not asked for, a damaged file.
   */
  grant(capability: string, permissions?: JsonObject): Promise<void>;
  /** Switches a capability on. Rejects with GrantError. */
  enable(capability: string): Promise<void>;
  /** Switches a capability off: its tools are in no listing, its calls in flight end as they would, its cell after them. Rejects with GrantError. */
  disable(capability: string): Promise<void>;
  /** Lets a capability that asks for `RUNTIME = "worker"` have it, for the code that it has now. Rejects with GrantError. */
  trust(capability: string): Promise<void>;
  /** Takes that back. Rejects with GrantError. */
  untrust(capability: string): Promise<void>;
  /** Calls `listener` at each event of that name. Returns what takes it off again. Throws TypeError for a name that is none. */
  on<Name extends EventName>(name: Name, listener: Listener<Name>): () => void;
  /** The vault: what tools may use and never see. No value comes back out of it. */
  readonly secrets: SecretOwner;
  /** Takes back all that a capability was granted, from the next operation on, in running cells too. Rejects with GrantError. */
  revoke(capability: string): Promise<void>;
  /** Reads every source again; new code takes over as it does when it is saved. Calls in flight end as they began. */
  refresh(): Promise<void>;
  /** Ends every cell; calls in flight end as CANCELLED. May be called twice. */
  close(): Promise<void>;
}

/**
 * Makes an engine over the shipped capabilities, those in `<home>/capabilities` and those in `options.capabilities`. Reads them
 * without running anything of theirs.
 *
 * @example
 * await using engine = await createEngine({ workspace: "." });
 * const outcome = await engine.call("text_stats", { text: "a b c" });
 * console.log(outcome.text);
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  return await startEngine(options, null);
}

/** As `createEngine`, for `toolcell test`: one capability, which holds the tests, may call the tools of the others. */
export async function createTestEngine(options: EngineOptions, tester: string): Promise<Engine> {
  return await startEngine(options, tester);
}

async function startEngine(options: EngineOptions, tester: string | null): Promise<Engine> {
  const settings = readOptions(options);
  const admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits });
  try {
    // A spare starts while the sources are read: the first call waits for neither.
    const engine = new CellEngine(settings, admission, tester);
    await engine.refresh();
    return engine;
  } catch (error) {
    await admission.close();
    throw error;
  }
}
