import { dirname, join } from "node:path";
import type { Admission } from "../admission/admission.ts";
import type { LogLevel } from "../bridge/messages.ts";
import type { Json } from "../catalogue/json.ts";
import { OUTCOME, START } from "../catalogue/texts.ts";
import { StartError, type Unloading } from "../cell/call-end.ts";
import type { CellPlan } from "../cell/cell-plan.ts";
import type { Powers } from "../powers/create.ts";
import type { Grants } from "../registry/grants.ts";
import type { Capability, Found } from "../registry/registry.ts";
import { CallPowers, type PowerSource } from "./call-powers.ts";
import { cleanText } from "./clean.ts";
import type { EngineEvents } from "./events.ts";
import { guestLimits } from "./guest-limits.ts";
import { coarseHostFacts, exactHostFacts } from "./host-facts.ts";
import { LIMITS, type Limits } from "./limits.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./options.ts";

export const MOUNTS = { workspace: "/workspace", home: "/home", capability: "/capability", temp: "/tmp" } as const;

/** A capability as its calls see it: the engine's limits lowered by its own, and how to get its cell. */
export interface CapabilityTarget {
  readonly limits: Limits;
  readonly plan: CellPlan;
  readonly powers: PowerSource;
  /** A stack from its cell, in the files and lines of its author. */
  trace(stack: string): Promise<string>;
}

export interface CallTarget extends CapabilityTarget {
  readonly found: Found;
}

export interface TargetParts {
  readonly settings: Settings;
  readonly admission: Admission;
  readonly powers: Powers;
  readonly grants: Grants;
  readonly log: Log;
  readonly onUnloadFault: (event: EngineEvents["unloadFailed"]) => void;
}

/** The same capability has the same target for as long as it is the same. */
export class Targets {
  readonly #parts: TargetParts;
  readonly #targets = new WeakMap<Capability["record"], CapabilityTarget>();
  readonly #ofTools = new WeakMap<Found, CallTarget>();

  constructor(parts: TargetParts) {
    this.#parts = parts;
  }

  ofTool(found: Found): CallTarget {
    let target = this.#ofTools.get(found);
    if (target === undefined) this.#ofTools.set(found, (target = { found, ...this.of(found.capability) }));
    return target;
  }

  of(capability: Capability): CapabilityTarget {
    let target = this.#targets.get(capability.record);
    if (target === undefined) this.#targets.set(capability.record, (target = makeTarget(capability, this.#parts)));
    return target;
  }
}

function makeTarget(capability: Capability, parts: TargetParts): CapabilityTarget {
  const { record } = capability;
  const { settings, grants } = parts;
  const limits = lowered(settings.limits, record.limits);
  const powers = powerSource(capability, parts);
  const plan: CellPlan = {
    capability: record.name,
    runtime: record.runtime,
    trust: trustOf(capability, settings),
    id: cellId(capability, grants),
    limits,
    config: async () => ({
      capability: record.name,
      wasm: grants.permissionsOf(record).wasm,
      guest: guestLimits(limits),
      ...(record.runtime === "worker"
        ? { paths: await parts.powers.files.folders(powers), host: exactHostFacts() }
        : { paths: MOUNTS, host: coarseHostFacts() }),
    }),
    bundle: () => bundleOf(capability, parts.admission),
    unloading: (tool) => unloading(record.name, tool, limits, powers, parts),
  };
  const trace = (stack: string): Promise<string> => parts.admission.trace(record.bundleHash ?? "", stack, record.name);
  return { limits, powers, plan, trace };
}

// A capability's own limits lower the engine's and never raise them.
function lowered(own: Limits, asked: Capability["record"]["limits"]): Limits {
  const limits = { ...own };
  for (const name of ["callMs", "cpuMs", "memoryBytes", "resultBytes", "concurrency"] as const)
    limits[name] = Math.max(LIMITS[name].min, Math.min(limits[name], asked[name] ?? Infinity));
  return limits;
}

// Who put a folder into one that may share has put it there for that.
function trustOf({ folder, isShipped }: Capability, { shareProcess }: Settings): string | null {
  const parent = dirname(folder);
  return !isShipped && shareProcess.includes(parent) ? parent : null;
}

function powerSource({ record, folder, kind }: Capability, { settings, powers, grants }: TargetParts): PowerSource {
  return {
    capability: record.name,
    keptAs: record.grantedAs,
    powers,
    places: {
      workspace: settings.workspace,
      home: settings.home,
      capability: kind === "module" ? noFolder(settings.home, record.name) : folder,
      temp: settings.home,
    },
    mask: {
      text: (text: string) => powers.secrets.maskText(record.name, text),
      json: (value: Json) => powers.secrets.maskJson(record.name, value),
    },
    permissions: () => grants.permissionsOf(record),
  };
}

// A module is one file among others that are nothing to it: there is no folder that is its own.
function noFolder(home: string, name: string): string {
  return join(home, "data", name, "none");
}

// Every power is looked up as it is used; WebAssembly alone is built into a cell, so that a change of it means another cell.
function cellId({ record }: Capability, grants: Grants): () => string {
  const idOf = (hasWasm: boolean): string => JSON.stringify([record.bundleHash, record.limits, record.runtime, hasWasm]);
  const [plain, withWasm] = [idOf(false), idOf(true)];
  if (record.permissions?.["wasm"] !== true) return () => plain;
  return () => (grants.permissionsOf(record).wasm ? withWasm : plain);
}

async function bundleOf({ record }: Capability, admission: Admission): Promise<string> {
  try {
    return await admission.bundle(record.bundleHash ?? "");
  } catch (error) {
    throw new StartError("LOAD_FAILED", START.bundleLost, error instanceof Error ? error.message : null);
  }
}

// An `unload` has the powers that its tool's calls have, and nobody who waits for its words but the owner's log.
function unloading(capability: string, tool: string, limits: Limits, source: PowerSource, parts: TargetParts): Unloading {
  const powers = new CallPowers(source, limits, `unload of ${tool}`);
  const told = (text: string): string => source.mask.text(cleanText(text));
  return {
    call: {
      tool,
      body: "",
      deadlineAt: Infinity,
      idleMs: 0,
      signal: undefined,
      onProgress: () => undefined,
      onLog: (level: LogLevel, message: string) => parts.log(level, told(message), { capability, tool }),
      onPower: (request) => powers.perform(request),
    },
    onEnd: () => powers.end(),
    onFault: (message, detail) => {
      parts.log("warn", OUTCOME.unloadFailed(tool, told(message)), {
        capability,
        tool,
        ...(detail === null ? {} : { detail: told(detail) }),
      });
      parts.onUnloadFault({ capability, tool, message: told(message) });
    },
  };
}
