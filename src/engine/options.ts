import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isJsonObject } from "../catalogue/json.ts";
import { USE } from "../catalogue/texts.ts";
import { assertWallPolicy, type WallPolicy } from "../cell/walls.ts";
import type { GrantPolicy } from "../registry/grants.ts";
import { LIMITS, type LimitName, type Limits } from "./limits.ts";
import type { LogEntry } from "./log.ts";

/** What `createEngine` takes. Everything has a default. */
export interface EngineOptions {
  /** Where the engine keeps what is its own: `~/.toolcell`, or what `TOOLCELL_HOME` says. */
  readonly home?: string;
  /** The folder that tools work on, once they are granted it. Default: the current folder. */
  readonly workspace?: string;
  /** Folders of capability folders, beside the shipped one and `<home>/capabilities`. */
  readonly capabilities?: readonly string[];
  /** An agent's own folder: its tool modules in `tools/`, and in `permissions.json` what it may use. Default: none. */
  readonly agentDir?: string;
  /**
   * Whether the tools of installed packages are there: those among the dependencies of the project that the engine runs in, which is
   * the nearest package.json from the current folder up, or of the project in this folder. Default false.
   */
  readonly plugins?: boolean | string;
  /**
   * Those of `capabilities` whose capabilities may share processes with others of the same folder, `sharedCellCount` to a process: a
   * tenth of the memory, and no wall of a process between them. Default: none, a process for each.
   */
  readonly shareProcess?: readonly string[];
  /** Other values for the rows of `LIMITS`. */
  readonly limits?: Partial<Limits>;
  /** What an embedder decides in the owner's place. */
  readonly policy?: Policy;
  /** Whether what changes on disk is noticed at once. Default true; without it `refresh` reads again. */
  readonly watch?: boolean;
  /** Whether it runs the jobs that wait in its home for its workspace, for as long as it is open. Default false. */
  readonly work?: boolean;
  /** Takes each line of the owner's log. Default: a file under the home. */
  readonly log?: (entry: LogEntry) => void;
}

/** What an embedder decides for the capabilities of an engine. */
export interface Policy extends WallPolicy {
  /** Asked for each capability that asks for something; what it gives is added to the owner's grants and not kept. */
  readonly grant?: GrantPolicy;
}

export interface Settings {
  readonly policy: Policy;
  readonly home: string;
  readonly workspace: string;
  readonly capabilities: readonly string[];
  readonly agentDir: string | null;
  /** The folder of the project whose dependencies may be packages of tools. */
  readonly plugins: string | null;
  readonly shareProcess: readonly string[];
  readonly limits: Limits;
  readonly watch: boolean;
  readonly work: boolean;
  readonly log: ((entry: LogEntry) => void) | null;
}

const OPTIONS = [
  "home",
  "workspace",
  "capabilities",
  "shareProcess",
  "agentDir",
  "plugins",
  "limits",
  "policy",
  "watch",
  "work",
  "log",
] as const;

/** Checked options with defaults filled in. Throws TypeError or RangeError naming the option, its value and the remedy. */
export function readOptions(options: EngineOptions): Settings {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.some((known) => known === name)) throw new TypeError(USE.unknownOption(name, OPTIONS));
  }
  const home = readHome(options.home);
  const capabilities = readFolders("capabilities", options.capabilities);
  return {
    home,
    workspace: readFolder("workspace", options.workspace, process.cwd()),
    capabilities,
    shareProcess: readShared(options.shareProcess, capabilities, home),
    agentDir: options.agentDir === undefined ? null : readFolder("agentDir", options.agentDir, ""),
    plugins: readPlugins(options.plugins),
    limits: readLimits(options.limits ?? {}),
    policy: readPolicy(options.policy),
    watch: readBoolean("watch", options.watch, true),
    work: readBoolean("work", options.work, false),
    log: readLog(options.log),
  };
}

/** Every limit, with `overrides` in place of defaults. Throws RangeError for a value out of its row's range, TypeError for no object. */
export function readLimits(overrides: Partial<Limits>): Limits {
  if (!isJsonObject(overrides)) throw new TypeError(USE.notObject("limits"));
  const limits = Object.fromEntries(Object.entries(LIMITS).map(([name, row]) => [name, row.value])) as { [name in LimitName]: number };
  for (const [name, value] of Object.entries(overrides)) {
    if (!isLimitName(name)) throw new RangeError(USE.unknownLimit(name));
    const { min, max } = LIMITS[name];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min || value > max)
      throw new RangeError(USE.limitRange(name, value, min, max));
    limits[name] = value;
  }
  return limits;
}

function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMITS, name);
}

function readFolder(name: string, value: unknown, fallback: string): string {
  if (value === undefined) return resolve(fallback);
  if (typeof value !== "string" || value === "") throw new TypeError(USE.notString(name));
  return resolve(value);
}

function readHome(value: unknown): string {
  const { TOOLCELL_HOME } = process.env;
  const isSet = TOOLCELL_HOME !== undefined && TOOLCELL_HOME !== "";
  return readFolder("home", value, isSet ? TOOLCELL_HOME : join(homedir(), ".toolcell"));
}

function readBoolean(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw new TypeError(USE.notBoolean(name));
  return value;
}

function readPlugins(value: unknown): string | null {
  if (value === undefined || value === false) return null;
  if (value === true) return nearestProject(process.cwd());
  if (typeof value !== "string" || value === "") throw new TypeError(USE.notPlugins);
  return resolve(value);
}

function nearestProject(folder: string): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, "package.json"))) return current;
    if (current === dirname(current)) return null;
  }
}

function readFolders(name: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string" || item === "")) throw new TypeError(USE.notStrings(name));
  return value.map((item: string) => resolve(item));
}

// Never the shipped folder, nor the home's.
function readShared(value: unknown, capabilities: readonly string[], home: string): readonly string[] {
  const folders = readFolders("shareProcess", value);
  if (folders.includes(join(home, "capabilities"))) throw new TypeError(USE.installedShared);
  const foreign = folders.find((folder) => !capabilities.includes(folder));
  if (foreign !== undefined) throw new TypeError(USE.notShared(foreign));
  return folders;
}

function readPolicy(value: unknown): Policy {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null) throw new TypeError(USE.notPolicy);
  const { grant } = value as { grant?: unknown };
  if (grant !== undefined && typeof grant !== "function") throw new TypeError(USE.notPolicy);
  for (const name of Object.keys(value))
    if (name !== "grant" && name !== "require" && name !== "hardened") throw new TypeError(USE.notPolicy);
  assertWallPolicy(value);
  return value;
}

function readLog(value: unknown): Settings["log"] {
  if (value === undefined) return null;
  if (typeof value !== "function") throw new TypeError(USE.notFunction("log"));
  return value as Settings["log"];
}
