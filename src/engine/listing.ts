import type { OfferedTool } from "../adapters/offered.ts";
import type { ToolProfile } from "../admission/record.ts";
import type { JsonObject } from "../catalogue/json.ts";
import { writePermissions } from "../powers/permissions.ts";
import type { SourceKind } from "../registry/folders.ts";
import type { Grants, Waiting } from "../registry/grants.ts";
import type { Capability, Found } from "../registry/registry.ts";

/** A tool as `engine.tools()` lists it. */
export interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly capability: string;
  /** `toolcell` for what is shipped, else the capability that it comes from; of a tool module its tier. */
  readonly source: string;
  /** A capability folder, a tool module, or a package. */
  readonly kind: SourceKind;
  /** How long it takes and what may be done with it. */
  readonly profile: ToolProfile;
  readonly runtime: "isolate" | "worker";
}

/** A capability as `engine.capabilities()` lists it. */
export interface CapabilityEntry {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly version: string | null;
  /** `quarantined`: it crashed again and again and is kept off for a while. `waiting`: it runs with what it has, and asks for more or says something else of itself than when its owner looked. */
  readonly state: "ready" | "waiting" | "quarantined" | "disabled" | "refused";
  readonly enabled: boolean;
  /** Part of the engine: not in the owner's pane. */
  readonly internal: boolean;
  /** Part of the engine: cannot be switched off. */
  readonly required: boolean;
  readonly runtime: "isolate" | "worker";
  readonly source: string;
  readonly kind: SourceKind;
  /** Whether it can be handed a command line whole: `runCli`. */
  readonly hasCli: boolean;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly broken: readonly { readonly file: string; readonly line: number | null; readonly reason: string }[];
  readonly ignored: readonly { readonly file: string; readonly line: number | null; readonly reason: string }[];
  readonly refused: string | null;
  /** Why what its folder holds now is not taken while what it held before goes on serving, or null. */
  readonly kept: string | null;
  /** What the package asks for. */
  readonly permissions: JsonObject | null;
  /** What the owner has given. */
  readonly grants: JsonObject;
  /** What its owner has not looked at yet, or null. */
  readonly waiting: Waiting | null;
  /** Roughly what its tools cost in a model's prompt. */
  readonly tokens: number;
}

const CHARS_PER_TOKEN = 3.6;

/** A copy: whoever asks may change it. */
export function toToolEntry({ tool, capability }: Found): ToolEntry {
  return structuredClone({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    capability: capability.record.name,
    source: capability.source,
    kind: capability.kind,
    profile: tool.profile,
    runtime: capability.record.runtime,
  });
}

/** As what is made of it for a model knows it. */
export function toOfferedTool({ tool: { name, description, inputSchema }, capability: { source, isShipped } }: Found): OfferedTool {
  return { name, description, inputSchema, source, isShipped };
}

/** A copy as well. */
export function toCapabilityEntry(capability: Capability, grants: Grants, quarantinedMs = 0): CapabilityEntry {
  const { record, refused, kept, tools, broken, isEnabled } = capability;
  const waiting = refused === null ? grants.waitingOf(record) : null;
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  return structuredClone({
    name: record.name,
    label: record.label,
    description: record.description,
    version: record.version,
    state: stateOf(capability, waiting, quarantinedMs),
    enabled: isEnabled,
    internal: record.internal,
    required: record.required,
    runtime: record.runtime,
    source: capability.source,
    kind: capability.kind,
    hasCli: record.hasCli,
    tools: tools.map(({ name, description }) => ({ name, description })),
    broken,
    ignored: record.ignored,
    refused,
    kept,
    permissions: record.permissions,
    grants: writePermissions(grants.permissionsOf(record)),
    waiting,
    tokens: Math.ceil(JSON.stringify(offered).length / CHARS_PER_TOKEN),
  });
}

function stateOf({ refused, isEnabled }: Capability, waiting: Waiting | null, quarantinedMs: number): CapabilityEntry["state"] {
  if (refused !== null) return "refused";
  if (!isEnabled) return "disabled";
  if (quarantinedMs > 0) return "quarantined";
  return waiting === null ? "ready" : "waiting";
}
