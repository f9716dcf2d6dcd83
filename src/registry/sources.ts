import type { CapabilityRecord } from "../admission/record.ts";
import { ADAPTED, ADMISSION, LISTING } from "../catalogue/texts.ts";
import type { Decided } from "./decisions.ts";
import { findFolders, type FindingLimits, type FoundFolder, type Root } from "./folders.ts";
import { codeFoldersOf, kindOf, ownFiles } from "./found.ts";
import { LatestOnly } from "./latest-only.ts";
import { Registry, skippedOf, type Capability, type Skipped, type Version } from "./registry.ts";

/** What follows from one version of a capability taking the place of another. */
export interface Succession {
  /**
   * Asked before `next` serves, in the place of `before` where that serves now: why it cannot, or null. What it makes ready is
   * for the `succeed` after it.
   */
  prepare(next: Capability, before: Capability | null): Promise<string | null>;
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
  readonly limits: FindingLimits;
  /** The record of what was found; whatever is wrong with that is in it. */
  admit(found: FoundFolder): Promise<CapabilityRecord>;
  /** The files that had a part in the last record of a path. */
  inputsOf(path: string): readonly string[];
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
  #skippedModules: readonly Skipped[] = [];
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

  /** Where the code of packages stands: linked ones stand elsewhere than they are found. */
  get packageFolders(): readonly string[] {
    return this.#order.flatMap(({ adapted }) => (adapted?.kind === "package" ? codeFoldersOf(adapted) : []));
  }

  /** What is not taken of the modules, and why. No path of the machine is in it: a model may read it. */
  get skippedModules(): readonly Skipped[] {
    const modules = this.registry.capabilities.filter(({ kind }) => kind === "module");
    return [...this.#skippedModules, ...modules.flatMap(skippedOf)];
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
      const record = await this.#parts.admit(folder);
      if (this.#isClosed) return;
      // Taken away: the next list says so, and whether something was put in its place.
      if (isMissing(record) || !this.#isListed(path)) return;
      this.#parts.succession.follow(path, ownFiles(folder, this.#parts.inputsOf(path)));
      await this.#take(folder, record);
    });
  }

  /** What stands at a path now, whether it is taken or not; null where it is not listed. */
  async look(path: string): Promise<CapabilityRecord | null> {
    const folder = this.#order.find((listed) => listed.path === path);
    return folder === undefined ? null : await this.#parts.admit(folder);
  }

  /**
   * Something in a folder has changed: it is a capability, its files are modules, which may share others, or it is a project,
   * whose packages may.
   */
  async touched(path: string): Promise<void> {
    const listed = this.#order.find((folder) => folder.path === path);
    if (listed !== undefined && kindOf(listed) !== "package") return await this.read(path);
    // What a package says of itself is found anew, and not read again.
    await this.scan("new");
    if (listed !== undefined) return await this.read(path);
    const sharing = this.#order.filter(({ adapted, project }) => project === path || (project === undefined && adapted?.root === path));
    await Promise.all(sharing.map((source) => this.read(source.path)));
  }

  /** Takes nothing any more; resolves once no folder is being read. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#listing;
    await this.#reading.settled();
  }

  async #take(folder: FoundFolder, record: CapabilityRecord): Promise<void> {
    const { succession } = this.#parts;
    const kept = folder.damage ?? null;
    const version = { folder, record, kept };
    const old = this.#versions.get(folder.path);
    if (old?.record.codeHash === record.codeHash) {
      const isNews = kept !== null && old.kept !== kept;
      this.#keep(old, kept);
      const capability = isNews ? this.registry.at(folder.path) : null;
      if (capability !== null && kept !== null) succession.keep(capability, kept);
      return;
    }
    // The first scan reckons the whole once, and not a thousand times.
    if (!this.#isComplete) return this.#put(version);
    const before = this.registry.at(folder.path);
    const next = this.#registryWith(version).at(folder.path);
    const serving = before?.refused === null ? before : null;
    const fault = serving === null || next === null ? null : whyNot(serving, next, this.registry);
    const reason = fault ?? (next === null || next.refused !== null ? null : await succession.prepare(next, serving));
    if (!this.#isListed(folder.path)) return;
    if (reason === null || old === undefined || serving === null) return this.#put(version);
    this.#keep(old, reason);
    succession.keep(serving, reason);
  }

  #isListed(path: string): boolean {
    return this.#order.some((listed) => listed.path === path);
  }

  #put(version: Version): void {
    const { path } = version.folder;
    const before = this.#isComplete ? this.registry.at(path) : null;
    this.#versions.set(path, version);
    this.#registry = null;
    // Nobody can call anything before the first scan has ended.
    const after = this.#isComplete ? this.registry.at(path) : null;
    if (after !== null) this.#parts.succession.succeed(after, before);
  }

  #keep(version: Version, kept: string | null): void {
    if (version.kept === kept) return;
    this.#versions.set(version.folder.path, { ...version, kept });
    this.#registry = null;
  }

  // The folders as they are listed now. Resolves to those that were not there, or are others under the same path.
  async #list(): Promise<ReadonlySet<string>> {
    const { folders, skipped, skippedModules } = await findFolders(this.#parts.roots, this.#parts.limits, this.#order);
    const known = new Map(this.#order.map((found) => [found.path, found]));
    const listed = new Set(folders.map(({ path }) => path));
    const gone = [...known.keys()].filter((path) => !listed.has(path));
    const capabilities = gone.map((path) => this.registry.at(path)).filter((capability) => capability !== null);
    for (const path of gone) {
      this.#versions.delete(path);
      this.#parts.succession.follow(path, []);
    }
    this.#skipped = skipped;
    this.#skippedModules = skippedModules;
    this.#order = folders;
    this.#registry = null;
    for (const capability of capabilities) this.#parts.succession.release(capability);
    const isAsBefore = ({ path, identity, damage }: FoundFolder): boolean => {
      const before = known.get(path);
      return before !== undefined && before.identity === identity && before.damage === damage;
    };
    return new Set(folders.filter((found) => !isAsBefore(found)).map(({ path }) => path));
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

function isMissing({ name, refused }: CapabilityRecord): boolean {
  return refused === ADMISSION.folderMissing(name) || refused === ADAPTED.gone(name);
}

// Whoever takes the files away means it.
function isGone(name: string, refused: string): boolean {
  return [ADMISSION.noToolFile(name), ADMISSION.folderMissing(name), ADMISSION.folderIsFile(name)].includes(refused);
}
