import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { FOLDER_NAME } from "../admission/folder.ts";
import { quotable } from "../admission/visible-text.ts";
import { ToolCreationError } from "../catalogue/faults.ts";
import { CREATION } from "../catalogue/texts.ts";
import type { AgentPermissions } from "../registry/agent-permissions.ts";
import type { Skipped } from "../registry/registry.ts";
import type { Sources } from "../registry/sources.ts";
import type { SourceReader } from "../registry/source-reader.ts";
import { checkDraft } from "./check-draft.ts";
import { countModules, findToolFile, readToolFile } from "./tool-files.ts";
import { publish, type Made, type Tier } from "./publish.ts";

export interface CreationParts {
  readonly agentDir: string | null;
  readonly home: string;
  /** The most that one source may have, and how many files of a folder are taken. */
  readonly limits: { readonly sourceBytes: number; readonly moduleCount: number };
  readonly agent: AgentPermissions;
  readonly reader: SourceReader;
  readonly sources: Sources;
}

export interface WriteOptions {
  /** Whether a tool of this name is replaced. Default false. */
  readonly overwrite?: boolean;
}

/** A tool module that was written or shared, with the tools that it lists. */
export interface MadeTool {
  readonly name: string;
  readonly tier: "personal" | "shared";
  readonly tools: readonly string[];
  readonly replaced: boolean;
}

/** The tool modules that there are after all places were read again. */
export interface RefreshedTools {
  /** Of the agent's own and of the shared ones, sorted. */
  readonly tools: readonly { readonly name: string; readonly source: string }[];
  /** What of the modules was not taken. */
  readonly skipped: readonly Skipped[];
}

/** A name that is good for a file and for the first half of a tool's name. */
const TOOL_NAME = /^[a-z][a-z0-9_]{1,39}$/u;
// Of these Windows makes no file.
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/u;

/** Makes tool modules for an agent, as far as its permissions.json allows: its own, and shared ones from its own. */
export class ToolCreation {
  readonly #parts: CreationParts;
  readonly #maker = randomUUID().slice(0, 8);
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  /** Writes an agent's own tool. Rejects with ToolCreationError where it is not allowed, or not taken. */
  write(name: unknown, code: unknown, { overwrite = false }: WriteOptions = {}): Promise<MadeTool> {
    return this.#inTurn(async () => {
      if (typeof name !== "string" || !TOOL_NAME.test(name)) throw invalid(CREATION.name(shownName(name)));
      if (DEVICE_NAME.test(name)) throw invalid(CREATION.device(name));
      const { agent, limits } = this.#parts;
      const tier = this.#tier("personal");
      const reason = agent.whyNoCreation("personal");
      if (reason !== null) throw new ToolCreationError("PermissionDenied", reason);
      if (typeof code !== "string" || code.trim() === "" || !code.isWellFormed()) throw invalid(CREATION.code);
      if (Buffer.byteLength(code) > limits.sourceBytes) throw invalid(CREATION.large(limits.sourceBytes));
      this.#assertFree(name);
      const found = findToolFile(tier.folder, name);
      if (found !== null && !overwrite) throw new ToolCreationError("FileExists", CREATION.exists(name));
      if (found === null) this.#assertRoom(tier);
      const tools = await this.#publish(tier, found ?? `${name}.ts`, { name, code, replaces: overwrite });
      return { name, tier: "personal", tools, replaced: found !== null };
    });
  }

  /** Copies an agent's own tool to where every agent finds it. Rejects with ToolCreationError. */
  share(name: unknown): Promise<MadeTool> {
    return this.#inTurn(async () => {
      if (typeof name !== "string" || !FOLDER_NAME.test(name)) throw invalid(CREATION.name(shownName(name)));
      const { agent, limits } = this.#parts;
      const [own, shared] = [this.#tier("personal"), this.#tier("shared")];
      const file = findToolFile(own.folder, name);
      if (file === null) throw new ToolCreationError("FileNotFound", CREATION.missing(name));
      const reason = agent.whyNoCreation("shared");
      if (reason !== null) throw new ToolCreationError("PermissionDenied", reason);
      if (findToolFile(shared.folder, name) !== null) throw new ToolCreationError("FileExists", CREATION.sharedExists(name));
      this.#assertFree(name);
      this.#assertRoom(shared);
      const code = readToolFile(join(own.folder, file), limits.sourceBytes);
      const tools = await this.#publish(shared, file, { name, code, replaces: false });
      return { name, tier: "shared", tools, replaced: false };
    });
  }

  /** Reads every place of tools again, and says what came of it. */
  async refresh(): Promise<RefreshedTools> {
    const { sources } = this.#parts;
    await sources.scan("all");
    const { registry } = sources;
    const found = registry.tools().filter(({ capability }) => capability.kind === "module" && !capability.isShipped);
    const tools = found.map(({ tool, capability }) => ({ name: tool.name, source: capability.source }));
    return { tools, skipped: sources.skippedModules };
  }

  async #publish(tier: Tier, file: string, made: Omit<Made, "maker">): Promise<readonly string[]> {
    const { reader, sources } = this.#parts;
    const check = (draft: string): Promise<readonly string[]> => checkDraft(draft, tier, made.name, reader, sources.registry);
    const tools = await publish(tier, file, { ...made, maker: this.#maker }, check);
    await sources.scan("new");
    await sources.read(join(tier.folder, file));
    return tools;
  }

  #tier(which: "personal" | "shared"): Tier {
    const { agentDir, home } = this.#parts;
    if (agentDir === null) throw invalid(CREATION.noAgent);
    return which === "personal" ? { folder: join(agentDir, "tools"), tier: which } : { folder: join(home, "common_tools"), tier: which };
  }

  /** A tool that nobody could call, since another has its name and comes first, is not made. */
  #assertFree(name: string): void {
    const owner = this.#parts.sources.registry.capabilities.find(({ record }) => record.name === name);
    if (owner !== undefined && (owner.kind !== "module" || owner.isShipped)) throw invalid(CREATION.taken(name));
  }

  /** One more would be skipped, or another in its place. */
  #assertRoom({ folder, tier }: Tier): void {
    const { moduleCount } = this.#parts.limits;
    if (countModules(folder) >= moduleCount) throw invalid(CREATION.full(tier, moduleCount));
  }

  // One after the other: what the second finds is what the first has left.
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(action);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function shownName(name: unknown): string {
  return typeof name === "string" ? quotable(name) : "";
}

function invalid(message: string): ToolCreationError {
  return new ToolCreationError("InvalidArguments", message);
}
