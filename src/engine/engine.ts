import { randomUUID } from "node:crypto";
import { createAdmission, type Admission } from "../admission/admission.ts";
import { GrantError } from "../catalogue/faults.ts";
import type { Json, JsonObject } from "../catalogue/json.ts";
import { GRANTS, OUTCOME, START, USE } from "../catalogue/texts.ts";
import { StartError } from "../cell/call-end.ts";
import type { Death } from "../cell/keeper-process.ts";
import { Cells } from "../cell/cells.ts";
import { closePowers, createPowers, type Powers } from "../powers/create.ts";
import type { SecretOwner } from "../powers/secrets/secrets.ts";
import { Grants } from "../registry/grants.ts";
import { Registry, type Capability, type Found, type Skipped } from "../registry/registry.ts";
import { Call, type CallTarget } from "./call.ts";
import { assertCallOptions, type CallOptions } from "./call-options.ts";
import { cleanLine } from "./clean.ts";
import { guestLimits } from "./guest-limits.ts";
import { coarseHostFacts } from "./host-facts.ts";
import { LIMITS } from "./limits.ts";
import { toCapabilityEntry, toToolEntry, type CapabilityEntry, type ToolEntry } from "./listing.ts";
import { createLog, type Log } from "./log.ts";
import { readOptions, type EngineOptions, type Settings } from "./options.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";
import { Slots } from "./slots.ts";
import { cachePlaces, capabilityRoots, ENGINE_VERSION } from "./places.ts";

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
  /** The vault: what tools may use and never see. No value comes back out of it. */
  readonly secrets: SecretOwner;
  /** Takes back all that a capability was granted, from the next operation on, in running cells too. Rejects with GrantError. */
  revoke(capability: string): Promise<void>;
  /** Reads every source again. Calls in flight end as they began. */
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
  const settings = readOptions(options);
  const admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits });
  try {
    // A spare starts while the sources are read: the first call waits for neither.
    const engine = new CellEngine(settings, admission);
    await engine.refresh();
    return engine;
  } catch (error) {
    await admission.close();
    throw error;
  }
}

class CellEngine implements Engine {
  readonly #settings: Settings;
  readonly #admission: Admission;
  readonly #log: Log;
  readonly #slots: Slots;
  readonly #cells: Cells;
  readonly #targets = new Map<Found, CallTarget>();
  readonly #powers: Powers;
  readonly #grants: Grants;
  #registry = new Registry([], []);
  #closing: Promise<void> | null = null;

  constructor(settings: Settings, admission: Admission) {
    this.#settings = settings;
    this.#powers = createPowers({
      home: settings.home,
      limits: settings.limits,
      codeFolders: capabilityRoots(settings).map(({ path }) => path),
    });
    this.#admission = admission;
    this.#grants = new Grants(settings.home);
    this.#log = createLog(settings.home, settings.log);
    this.#slots = new Slots(settings.limits.callCount, settings.limits.queueCount);
    this.#cells = new Cells(
      settings.limits,
      {
        onDeath: (capability, death) => this.#logDeath(capability, death),
        // A way around a cell that stopped working is told, never taken in silence.
        onWeaker: (message) => this.#log("warn", message),
      },
      settings.policy,
    );
    this.#cells.warm();
  }

  get secrets(): SecretOwner {
    return this.#powers.secrets.owner;
  }

  tools(): readonly ToolEntry[] {
    return this.#registry.tools().map(toToolEntry);
  }

  capabilities(): readonly CapabilityEntry[] {
    return this.#registry.capabilities.map((capability) => toCapabilityEntry(capability, this.#grants));
  }

  skipped(): readonly Skipped[] {
    return this.#registry.skipped;
  }

  async call(tool: string, args?: unknown, options: CallOptions = {}): Promise<Outcome> {
    if (this.#closing !== null) throw new TypeError(USE.closed);
    assertCallOptions(options);
    const found = this.#registry.find(tool);
    if (found === undefined) return this.#unknownTool(String(tool));
    return await new Call({ slots: this.#slots, cells: this.#cells, log: this.#log }, this.#targetOf(found), options).run(args);
  }

  async refresh(): Promise<void> {
    if (this.#closing !== null) throw new TypeError(USE.closed);
    const registry = await Registry.read(capabilityRoots(this.#settings), this.#admission);
    const before = this.#registry.capabilities.map(planId);
    const after = new Set(registry.capabilities.map(planId));
    this.#registry = registry;
    this.#targets.clear();
    for (const id of before) if (!after.has(id)) for (const cellId of [id, withWasm(id)]) this.#cells.release(cellId);
    await this.#consultPolicy();
    const fault = this.#grants.fault();
    if (fault !== null) this.#log("error", fault);
  }

  async grant(name: string, permissions?: JsonObject): Promise<void> {
    await this.#grants.grant(this.#capabilityOf(name).record, permissions ?? null);
  }

  async revoke(name: string): Promise<void> {
    await this.#grants.revoke(this.#capabilityOf(name).record.name);
  }

  async #consultPolicy(): Promise<void> {
    const { grant } = this.#settings.policy;
    if (grant === undefined) return;
    const capabilities = this.#registry.capabilities.filter(({ refused }) => refused === null);
    await this.#grants.consult(grant, capabilities, (name, error) => {
      this.#log("error", OUTCOME.policyThrew(name), {
        capability: name,
        detail: error instanceof Error ? (error.stack ?? "") : String(error),
      });
    });
  }

  #capabilityOf(name: string): Capability {
    const found = this.#registry.capabilities.find(({ record, refused }) => record.name === name && refused === null);
    if (found === undefined) throw new GrantError("UNKNOWN_CAPABILITY", GRANTS.unknownCapability(cleanLine(name, 64)));
    return found;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await Promise.all([this.#cells.close(), this.#admission.close()]);
    await closePowers(this.#powers);
  }

  #targetOf(found: Found): CallTarget {
    let target = this.#targets.get(found);
    if (target === undefined) this.#targets.set(found, (target = this.#makeTarget(found)));
    return target;
  }

  // A capability's own limits lower the engine's and never raise them.
  #makeTarget(found: Found): CallTarget {
    const { record } = found.capability;
    const limits = { ...this.#settings.limits };
    for (const name of ["callMs", "cpuMs", "memoryBytes", "resultBytes", "concurrency"] as const)
      limits[name] = Math.max(LIMITS[name].min, Math.min(limits[name], record.limits[name] ?? Infinity));
    const config = () => ({
      capability: record.name,
      wasm: this.#grants.permissionsOf(record).wasm,
      guest: guestLimits(limits),
      paths: { workspace: "/workspace", home: "/home", capability: "/capability", temp: "/tmp" },
      host: coarseHostFacts(ENGINE_VERSION),
    });
    const powers = {
      capability: record.name,
      powers: this.#powers,
      places: {
        workspace: this.#settings.workspace,
        home: this.#settings.home,
        capability: found.capability.folder,
        temp: this.#settings.home,
      },
      mask: {
        text: (text: string) => this.#powers.secrets.maskText(record.name, text),
        json: (value: Json) => this.#powers.secrets.maskJson(record.name, value),
      },
      permissions: () => this.#grants.permissionsOf(record),
    };
    const plan = {
      capability: record.name,
      id: () => this.#cellId(found.capability),
      limits,
      config,
      bundle: () => this.#bundleOf(found.capability),
    };
    return { found, limits, powers, plan };
  }

  // Every power is looked up as it is used; WebAssembly alone is built into a cell, so that a change of it means another cell.
  #cellId(capability: Capability): string {
    const id = planId(capability);
    return capability.record.permissions?.["wasm"] === true && this.#grants.permissionsOf(capability.record).wasm ? withWasm(id) : id;
  }

  async #bundleOf({ record }: Capability): Promise<string> {
    try {
      return await this.#admission.bundle(record.bundleHash ?? "");
    } catch (error) {
      throw new StartError("LOAD_FAILED", START.bundleLost, error instanceof Error ? error.message : null);
    }
  }

  #unknownTool(name: string): Outcome {
    const claimants = this.#registry.claimants(name);
    const tool = cleanLine(name, 64);
    const known = this.#registry.tools().map((found) => found.tool.name);
    const message = claimants === undefined ? OUTCOME.unknownTool(tool, known) : OUTCOME.collision(tool, claimants);
    const usage = { wallMs: 0, queueMs: 0, startMs: 0, cpuMs: 0, heapBytes: 0, powerCalls: 0, bytesIn: 0, bytesOut: 0 };
    return failedOutcome({ tool, capability: null, callId: randomUUID() }, { code: "UNKNOWN_TOOL", message, started: false }, usage);
  }

  #logDeath(capability: string, { killedFor, signal, exitCode, stderr }: Death): void {
    if (killedFor === "done" || killedFor === "closed") return;
    const how = killedFor ?? signal ?? `exit code ${exitCode ?? "unknown"}`;
    this.#log("warn", OUTCOME.cellEnded(capability, how), { capability, detail: stderr });
  }
}

// Calls that began before a refresh keep to what they were called on, those after it get what is there now.
function planId({ record: { name, bundleHash, limits } }: Capability): string {
  return JSON.stringify([name, bundleHash, limits]);
}

function withWasm(id: string): string {
  return `${id} wasm`;
}
