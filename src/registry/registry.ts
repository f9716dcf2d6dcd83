import { commandOf } from "../admission/adapted.ts";
import { NO_PROFILE } from "../admission/profile.ts";
import type { CapabilityRecord, ToolRecord } from "../admission/record.ts";
import { LISTING } from "../catalogue/texts.ts";
import type { Decided } from "./decisions.ts";
import { kindOf, type FoundFolder, type Skipped, type SourceKind } from "./found.ts";

export type { Skipped } from "./found.ts";

/** A capability as the engine knows it: its record, where it stands, and which of its tools can be called. */
export interface Capability {
  readonly record: CapabilityRecord;
  /** Where it stands: a folder, or a module's file. */
  readonly folder: string;
  readonly kind: SourceKind;
  /** What listings show as its source. */
  readonly source: string;
  readonly isShipped: boolean;
  readonly isEnabled: boolean;
  /** The record's own refusal, or one that only the whole shows, such as a name taken by another folder. */
  readonly refused: string | null;
  /** Why what the folder holds now is not taken while what it held before serves, or null. */
  readonly kept: string | null;
  readonly tools: readonly ToolRecord[];
  readonly broken: CapabilityRecord["broken"];
}

export interface Found {
  readonly capability: Capability;
  readonly tool: ToolRecord;
}

/** The version of one folder that serves. */
export interface Version {
  readonly folder: FoundFolder;
  readonly record: CapabilityRecord;
  readonly kept: string | null;
}

const COMMAND = { description: "", inputSchema: { type: "object" }, profile: NO_PROFILE } as const;
const SHIPPED_SOURCE = "toolcell";

/** What there is to call, read from its sources and never run. */
export class Registry {
  readonly capabilities: readonly Capability[];
  readonly skipped: readonly Skipped[];
  readonly #tools = new Map<string, Found>();
  readonly #byFolder: ReadonlyMap<string, Capability>;
  readonly #collisions: ReadonlyMap<string, readonly string[]>;

  constructor(versions: readonly Version[], skipped: readonly Skipped[], decided: Decided) {
    const taken = withoutTakenNames(versions.map((version) => toCapability(version, decided)));
    const enabled = taken.filter(({ isEnabled }) => isEnabled);
    this.#collisions = findCollisions(enabled);
    const shippedNames = new Set(enabled.filter(({ isShipped }) => isShipped).flatMap(({ tools }) => tools.map(({ name }) => name)));
    this.capabilities = taken.map((capability) =>
      capability.isEnabled ? withoutCollisions(capability, this.#collisions, shippedNames) : capability,
    );
    for (const capability of this.capabilities)
      if (capability.isEnabled) for (const tool of capability.tools) this.#tools.set(tool.name, { capability, tool });
    this.#byFolder = new Map(this.capabilities.map((capability) => [capability.folder, capability]));
    this.skipped = [...skipped, ...this.capabilities.flatMap(skippedOf)];
  }

  find(name: string): Found | undefined {
    return this.#tools.get(name);
  }

  /** The capability that stands in a folder, refused or not. */
  at(folder: string): Capability | null {
    return this.#byFolder.get(folder) ?? null;
  }

  /** The capability of a name, or null where there is none that is taken. */
  capability(name: string): Capability | null {
    const taken = this.capabilities.filter(({ refused }) => refused === null);
    // A package is also known by the name that it is installed under.
    return (
      taken.find(({ record }) => record.name === name) ?? taken.find(({ kind, source }) => kind === "package" && source === name) ?? null
    );
  }

  /**
   * What takes a module's command line whole, or null where there is none. It could do whatever any of its tools does, so it
   * is there only where all of them are.
   */
  command(module: string): Found | null {
    const capability = this.capability(module);
    if (capability === null || !capability.isEnabled || !capability.record.hasCli) return null;
    if (capability.record.tools.some(({ name }) => this.find(name)?.capability !== capability)) return null;
    const { file = "" } = capability.tools[0] ?? {};
    return { capability, tool: { ...COMMAND, name: commandOf(module), file } };
  }

  /** Every callable tool, sorted by name. */
  tools(): readonly Found[] {
    return [...this.#tools.values()].sort((a, b) => compare(a.tool.name, b.tool.name));
  }

  /** Tools that more than one capability has, and who. */
  get collisions(): ReadonlyMap<string, readonly Capability[]> {
    const owners = (names: readonly string[]): Capability[] =>
      this.capabilities.filter(({ record, refused }) => refused === null && names.includes(record.name));
    return new Map([...this.#collisions].map(([tool, names]) => [tool, owners(names)]));
  }

  /** The capabilities that claim a tool which therefore none of them offers. */
  claimants(name: string): readonly string[] | undefined {
    return this.#collisions.get(name);
  }
}

function toCapability({ folder, record, kept }: Version, decided: Decided): Capability {
  const kind = kindOf(folder);
  const distrust = record.runtime === "worker" && !decided.isTrusted(record) ? LISTING.worker(record.name) : null;
  const about = { kind, capability: record.name, source: folder.source };
  const refused = decided.whyNot(about) ?? record.refused ?? distrust;
  const faults = record.tools.flatMap((tool) => {
    const reason = refused === null ? decided.whyNotTool(about, tool) : null;
    return reason === null ? [] : [{ file: tool.file, line: null, reason, tool }];
  });
  const denied = new Set(faults.map(({ tool }) => tool));
  return {
    record,
    folder: folder.path,
    kind,
    source: folder.source ?? (folder.isShipped ? SHIPPED_SOURCE : record.name),
    isShipped: folder.isShipped,
    isEnabled: decided.isEnabled(record),
    refused,
    kept,
    tools: refused === null ? record.tools.filter((tool) => !denied.has(tool)) : [],
    broken: faults.length === 0 ? record.broken : [...record.broken, ...faults.map(({ file, line, reason }) => ({ file, line, reason }))],
  };
}

// The first folder of a name keeps it: shipped ones come first, then the home's, then the embedder's in their order.
function withoutTakenNames(capabilities: readonly Capability[]): Capability[] {
  const owners = new Map<string, Capability>();
  return capabilities.map((capability) => {
    const { name } = capability.record;
    const owner = owners.get(name);
    if (owner === undefined) {
      if (capability.refused === null) owners.set(name, capability);
      return capability;
    }
    return { ...capability, refused: LISTING.nameTaken(name, owner.isShipped ? LISTING.shipped : owner.folder), tools: [] };
  });
}

function findCollisions(capabilities: readonly Capability[]): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const capability of capabilities) {
    for (const { name } of capability.tools) owners.set(name, [...(owners.get(name) ?? []), capability.record.name]);
  }
  return new Map([...owners].filter(([, names]) => names.length > 1));
}

// Neither wins, or who came last could take a tool's place in silence. A shipped tool alone keeps its name: a package
// cannot switch one off by naming its own like it.
function withoutCollisions(
  capability: Capability,
  collisions: ReadonlyMap<string, readonly string[]>,
  shippedNames: ReadonlySet<string>,
): Capability {
  const clashing = capability.tools.filter(({ name }) => collisions.has(name));
  if (clashing.length === 0 || capability.isShipped) return capability;
  const faults = clashing.map(({ name, file }) => {
    const others = (collisions.get(name) ?? []).filter((owner) => owner !== capability.record.name);
    const isShipped = shippedNames.has(name);
    return {
      file,
      line: null,
      reason: isShipped ? LISTING.shippedTool(name) : LISTING.collision(name, [capability.record.name, ...others]),
    };
  });
  return { ...capability, tools: capability.tools.filter(({ name }) => !collisions.has(name)), broken: [...capability.broken, ...faults] };
}

/** What of a capability is not taken, and why. */
export function skippedOf({ record, refused, broken, kept, isEnabled, kind, source: shown }: Capability): Skipped[] {
  if (!isEnabled) return [];
  const { name } = record;
  const source = kind === "folder" ? name : shown;
  if (refused !== null) return [{ source, name, reason: refused }];
  const changed = kept === null ? [] : [{ source, name, reason: LISTING.kept(kept) }];
  return [...changed, ...brokenOf(source, broken)];
}

function brokenOf(source: string, broken: Capability["broken"]): Skipped[] {
  return broken.map(({ file, line, reason }) => ({ source, name: line === null ? file : `${file}:${line}`, reason }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
