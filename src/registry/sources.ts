import type { Admission } from "../admission/admission.ts";
import type { CapabilityRecord } from "../admission/record.ts";
import { ADMISSION, LISTING } from "../catalogue/texts.ts";
import { findFolders, type FoundFolder, type Root } from "./folders.ts";
import { LatestOnly } from "./latest-only.ts";
import { Registry, type Capability, type Decided, type Skipped, type Version } from "./registry.ts";

/** What follows from one version of a capability taking the place of another. */
export interface Succession {
  /** Asked before `next` serves in the place of `before`: why it cannot, or null. What it makes ready is for the `succeed` after it. */
  prepare(next: Capability, before: Capability): Promise<string | null>;
  /** `next` is there from now on; `before` is null for a capability that was not there. */
  succeed(next: Capability, before: Capability | null): void;
  /** What is there now is not taken, and what was there goes on serving. */
  keep(serving: Capability, reason: string): void;
  release(gone: Capability): void;
  /** A folder was read: the files that had a part in that. */
  follow(folder: string, files: readonly string[]): void;
}

export interface SourcesParts {
  readonly roots: readonly Root[];
  readonly admission: Admission;
  /** What the owner has decided so far; `reconsider` tells of the rest. */
  readonly decided: Decided;
  readonly succession: Succession;
}

/** What is installed: of each folder the version that serves. A folder is read by one reader at a time, and the last state of it wins. */
export class Sources {
  readonly #parts: SourcesParts;
  readonly #versions = new Map<string, Version>();
  readonly #reading = new LatestOnly();
  /** In the order of the roots and then by name, as the first of a name keeps it. */
  #order: readonly FoundFolder[] = [];
  #skipped: readonly Skipped[] = [];
  #decided: Decided;
  #isComplete = false;
  #isClosed = false;
  #listing = Promise.resolve();
  #registry: Registry | null = null;

  constructor(parts: SourcesParts) {
    this.#parts = parts;
    this.#decided = parts.decided;
  }

  get registry(): Registry {
    if (this.#registry !== null) return this.#registry;
    const versions = this.#order.map(({ path }) => this.#versions.get(path)).filter((version) => version !== undefined);
    return (this.#registry = new Registry(versions, this.#skipped, this.#decided));
  }

  /** The owner has decided something else: what can be called is reckoned anew. */
  reconsider(decided: Decided): void {
    this.#decided = decided;
    this.#registry = null;
  }

  /** Reads every folder again, or only those that are new to the list of a root. Never rejects for what stands in one. */
  async scan(which: "all" | "new"): Promise<void> {
    // One after the other, or the list of an earlier one could come last.
    const listed = this.#listing.then(() => this.#list());
    this.#listing = listed.then(
      () => undefined,
      () => undefined,
    );
    const isNew = await listed;
    const unread = this.#order.filter(({ path }) => which === "all" || isNew.has(path));
    await Promise.all(unread.map(({ path }) => this.read(path)));
    this.#isComplete = true;
  }

  /** Reads one folder again and takes what it holds now, if that can serve. */
  async read(path: string): Promise<void> {
    await this.#reading.run(path, async () => {
      const folder = this.#order.find((listed) => listed.path === path);
      if (folder === undefined || this.#isClosed) return;
      const record = await this.#parts.admission.admit(path, { shipped: folder.isShipped });
      if (this.#isClosed) return;
      // Taken away, and perhaps put back: the list says.
      if (record.refused === ADMISSION.folderMissing(record.name)) return void this.scan("new");
      if (!this.#order.some((listed) => listed.path === path)) return;
      this.#parts.succession.follow(path, this.#parts.admission.inputsOf(path));
      await this.#take(folder, record);
    });
  }

  /** Takes nothing any more; resolves once no folder is being read. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listing;
    await this.#reading.settled();
  }

  async #take(folder: FoundFolder, record: CapabilityRecord): Promise<void> {
    const { succession } = this.#parts;
    const version = { folder, record, kept: null };
    const old = this.#versions.get(folder.path);
    if (old === undefined) {
      this.#versions.set(folder.path, version);
      this.#registry = null;
      return this.#announce(folder.path, null);
    }
    if (old.record.codeHash === record.codeHash) return this.#keep(old, null);
    const before = this.registry.at(folder.path);
    const trial = this.#registryWith(version);
    const next = trial.at(folder.path);
    if (before === null || before.refused !== null || next === null) return this.#put(version, trial);
    const reason = whyNot(before, next, this.registry) ?? (await succession.prepare(next, before));
    if (reason === null) return this.#put(version, this.#registryWith(version));
    this.#keep(old, reason);
    succession.keep(before, reason);
  }

  #put(version: Version, registry: Registry): void {
    const { path } = version.folder;
    const before = this.registry.at(path);
    this.#versions.set(path, version);
    this.#registry = registry;
    this.#announce(path, before);
  }

  #keep(version: Version, kept: string | null): void {
    if (version.kept === kept) return;
    this.#versions.set(version.folder.path, { ...version, kept });
    this.#registry = null;
  }

  // Before the first scan has ended nobody can call anything, and the whole is reckoned once instead of a thousand times.
  #announce(path: string, before: Capability | null): void {
    if (!this.#isComplete) return;
    const after = this.registry.at(path);
    if (after !== null) this.#parts.succession.succeed(after, before);
  }

  // The folders as they are listed now. Resolves to those that were not there, or are others under the same path.
  async #list(): Promise<ReadonlySet<string>> {
    const { folders, skipped } = await findFolders(this.#parts.roots);
    const known = new Map(this.#order.map(({ path, identity }) => [path, identity]));
    const listed = new Set(folders.map(({ path }) => path));
    const gone = [...known.keys()].filter((path) => !listed.has(path));
    const capabilities = gone.map((path) => this.registry.at(path)).filter((capability) => capability !== null);
    for (const path of gone) this.#versions.delete(path);
    this.#skipped = skipped;
    this.#order = folders;
    this.#registry = null;
    for (const capability of capabilities) this.#parts.succession.release(capability);
    return new Set(folders.filter(({ path, identity }) => known.get(path) !== identity).map(({ path }) => path));
  }

  #registryWith(version: Version): Registry {
    const versions = this.#order
      .map(({ path }) => (path === version.folder.path ? version : this.#versions.get(path)))
      .filter((other) => other !== undefined);
    return new Registry(versions, this.#skipped, this.#decided);
  }
}

/** Why a new version must not take the place of one that serves: it would take away a tool that nobody meant to take away. */
function whyNot(before: Capability, next: Capability, registry: Registry): string | null {
  const { name } = next.record;
  if (next.refused !== null) return isGone(name, next.refused) ? null : next.refused;
  for (const { file } of before.tools) {
    const fault = next.broken.find((broken) => broken.file === file);
    if (fault !== undefined) return LISTING.brokenTool(file, fault.line, fault.reason);
  }
  const claimed = new Set(before.record.tools.map((tool) => tool.name));
  for (const tool of next.record.tools) {
    if (claimed.has(tool.name)) continue;
    const owner = registry.find(tool.name)?.capability;
    if (owner !== undefined && owner.folder !== next.folder) return LISTING.clash(tool.name, owner.record.name);
  }
  return null;
}

// Whoever takes the files away means it.
function isGone(name: string, refused: string): boolean {
  return [ADMISSION.noToolFile(name), ADMISSION.folderMissing(name), ADMISSION.folderIsFile(name)].includes(refused);
}
