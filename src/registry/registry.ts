import type { Admission } from "../admission/admission.ts";
import type { CapabilityRecord, ToolRecord } from "../admission/record.ts";
import { LISTING } from "../catalogue/texts.ts";
import { findFolders, type FoundFolder, type Root } from "./folders.ts";

/** A capability as the engine knows it: its record, where it stands, and which of its tools can be called. */
export interface Capability {
  readonly record: CapabilityRecord;
  readonly folder: string;
  readonly isShipped: boolean;
  /** The record's own refusal, or one that only the whole shows, such as a name taken by another folder. */
  readonly refused: string | null;
  readonly tools: readonly ToolRecord[];
  readonly broken: CapabilityRecord["broken"];
}

/** Something that is not taken, with its reason. */
export interface Skipped {
  readonly source: string;
  readonly name: string;
  readonly reason: string;
}

export interface Found {
  readonly capability: Capability;
  readonly tool: ToolRecord;
}

/** What there is to call, read from its sources and never run. */
export class Registry {
  readonly capabilities: readonly Capability[];
  readonly skipped: readonly Skipped[];
  readonly #tools = new Map<string, Found>();
  readonly #collisions: ReadonlyMap<string, readonly string[]>;

  /** Reads every root, then `more`, which come last. Never rejects for what stands in one. */
  static async read(roots: readonly Root[], admission: Admission, more: readonly FoundFolder[] = []): Promise<Registry> {
    const { folders, skipped } = await findFolders(roots);
    const others = folders.filter(({ path }) => !more.some((folder) => folder.path === path));
    const records = await Promise.all(
      [...others, ...more].map(async (folder) => ({ folder, record: await admission.admit(folder.path, { shipped: folder.isShipped }) })),
    );
    return new Registry(records, skipped);
  }

  constructor(records: readonly { readonly folder: FoundFolder; readonly record: CapabilityRecord }[], skipped: readonly Skipped[]) {
    const taken = withoutTakenNames(records.map(({ folder, record }) => toCapability(folder, record)));
    this.#collisions = findCollisions(taken);
    const shippedNames = new Set(taken.filter(({ isShipped }) => isShipped).flatMap(({ tools }) => tools.map(({ name }) => name)));
    this.capabilities = taken.map((capability) => withoutCollisions(capability, this.#collisions, shippedNames));
    for (const capability of this.capabilities) for (const tool of capability.tools) this.#tools.set(tool.name, { capability, tool });
    this.skipped = [...skipped, ...this.capabilities.flatMap(skippedOf)];
  }

  find(name: string): Found | undefined {
    return this.#tools.get(name);
  }

  /** Every callable tool, sorted by name. */
  tools(): readonly Found[] {
    return [...this.#tools.values()].sort((a, b) => compare(a.tool.name, b.tool.name));
  }

  /** The capabilities that claim a tool which therefore none of them offers. */
  claimants(name: string): readonly string[] | undefined {
    return this.#collisions.get(name);
  }
}

function toCapability({ path, isShipped }: FoundFolder, record: CapabilityRecord): Capability {
  const refused = record.refused ?? (record.runtime === "worker" ? LISTING.worker : null);
  return { record, folder: path, isShipped, refused, tools: refused === null ? record.tools : [], broken: record.broken };
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

function skippedOf({ record, refused, broken }: Capability): Skipped[] {
  if (refused !== null) return [{ source: record.name, name: record.name, reason: refused }];
  return broken.map(({ file, line, reason }) => ({ source: record.name, name: line === null ? file : `${file}:${line}`, reason }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
