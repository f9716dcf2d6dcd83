import { statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { AGENT } from "../catalogue/texts.ts";
import { FreshFile } from "./fresh-file.ts";

/** What an agent's permissions.json says. */
interface AgentDecisions {
  readonly creation: { readonly personal: boolean; readonly shared: boolean };
  readonly isAllAllowed: boolean;
  readonly allow: ReadonlySet<string>;
  readonly deny: ReadonlySet<string>;
  /** Nobody knows what it says: nothing that it could allow is. */
  readonly isUnknown: boolean;
}

const VERSION = 1;
const NONE: AgentDecisions = {
  creation: { personal: false, shared: false },
  isAllAllowed: true,
  allow: new Set(),
  deny: new Set(),
  isUnknown: false,
};

/** Allows nothing. */
const UNKNOWN: AgentDecisions = { ...NONE, isAllAllowed: false, isUnknown: true };

/**
 * `<agentDir>/permissions.json`: which tool modules and packages an agent may use, which gated actions, and whether it may make
 * tools. Without the file all modules may be used, nothing that is gated, and nothing is made. A file that cannot be read, or
 * is in another form, allows nothing, and neither does a file in the folder's place.
 */
export class AgentPermissions {
  readonly #file: FreshFile<AgentDecisions> | null;
  readonly #agentDir: string | null;

  constructor(agentDir: string | null) {
    this.#agentDir = agentDir;
    this.#file =
      agentDir === null
        ? null
        : new FreshFile(join(agentDir, "permissions.json"), {
            none: NONE,
            damaged: UNKNOWN,
            parse: parseDecisions,
            toFault: (reason) => AGENT.damaged(reason),
          });
  }

  /** The same object for as long as nothing has changed. */
  get state(): unknown {
    return this.#read();
  }

  /** Why what the file says does not hold, or null. */
  fault(): string | null {
    return this.#file?.fault() ?? (this.#isNoFolder() ? AGENT.noFolder : null);
  }

  /** Why a tool may not be made in this tier, or null where it may. */
  whyNoCreation(tier: "personal" | "shared"): string | null {
    const fault = this.fault();
    if (fault !== null) return fault;
    return this.#read().creation[tier] ? null : AGENT.noCreation(tier);
  }

  /** Why a whole module or package, under any of its names, may not be used, or null. */
  whyNot(capability: readonly [string, ...string[]]): string | null {
    const { isAllAllowed, allow, deny, isUnknown } = this.#read();
    if (isUnknown) return this.fault() ?? AGENT.damaged("unreadable");
    const denied = capability.find((name) => deny.has(toKey(name)));
    if (denied !== undefined) return AGENT.denied(denied);
    // Whoever is allowed one of its tools is allowed that one.
    const isNamed = hasAny(allow, capability) || [...allow].some((allowed) => allowed.startsWith(`${toKey(capability[0])}_`));
    return isAllAllowed || isNamed ? null : AGENT.notAllowed(capability[0]);
  }

  /** Why one tool of a module or package that may be used may not, or null. */
  whyNotTool(capability: readonly [string, ...string[]], tool: string): string | null {
    const { isAllAllowed, allow, deny } = this.#read();
    if (deny.has(toKey(tool))) return AGENT.denied(tool);
    return isAllAllowed || hasAny(allow, [...capability, tool]) ? null : AGENT.notAllowed(tool);
  }

  /** Why a gated tool may not be used, whoever wrote it, or null where it is allowed by its own name. */
  whyGated(tool: string): string | null {
    return this.#read().allow.has(toKey(tool)) ? null : AGENT.gated(tool);
  }

  #read(): AgentDecisions {
    if (this.#isNoFolder()) return UNKNOWN;
    return this.#file?.read() ?? NONE;
  }

  // What stands in the folder's place could hide what it says.
  #isNoFolder(): boolean {
    if (this.#agentDir === null || this.#file?.read() !== NONE) return false;
    return statSync(this.#agentDir, { throwIfNoEntry: false })?.isDirectory() === false;
  }
}

/** A "-" and a "_" are one: a file's name may have the one, a tool's the other. */
function toKey(name: string): string {
  return name.replaceAll("-", "_");
}

function hasAny(keys: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some((name) => keys.has(toKey(name)));
}

/** Sections of such files that are other programs' business. */
const OTHERS: readonly string[] = ["file_roots", "file_roots_readonly", "file_roots_denied", "commands"];

/** Strict, so that a word that is mistyped opens nothing. */
function parseDecisions(file: unknown): AgentDecisions {
  if (!isJsonObject(file)) throw new Error(AGENT.noObject("the file"));
  if (file["version"] !== VERSION) throw new Error(AGENT.version(VERSION));
  assertKeys("the file", file, ["version", "tool_creation", "external_tools", ...OTHERS]);
  const creation = section(file, "tool_creation", ["personal", "shared"]);
  const external = section(file, "external_tools", ["allow_all", "allow", "deny"]);
  const isNarrow = external["allow"] !== undefined;
  return {
    creation: { personal: toFlag("personal", creation["personal"], false), shared: toFlag("shared", creation["shared"], false) },
    // Who lists what is allowed, and says nothing of the rest, means that and no more.
    isAllAllowed: toFlag("allow_all", external["allow_all"], !isNarrow),
    allow: toNames("allow", external["allow"]),
    deny: toNames("deny", external["deny"]),
    isUnknown: false,
  };
}

function section(file: JsonObject, name: string, keys: readonly string[]): JsonObject {
  const found = file[name];
  if (found === undefined) return {};
  if (!isJsonObject(found)) throw new Error(AGENT.noObject(`\`${name}\``));
  assertKeys(`\`${name}\``, found, keys);
  return found;
}

function assertKeys(where: string, object: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(object).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(AGENT.unknownKey(where, unknown.slice(0, 80), known));
}

const YES: ReadonlySet<string> = new Set(["yes", "ok", "enabled", "true"]);
const NO: ReadonlySet<string> = new Set(["no", "deny", "disabled", "false"]);

function toFlag(name: string, value: Json | undefined, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new Error(AGENT.notFlag(name));
}

// Of a module, a tool, or a package as npm has it. A pattern would deny nothing in silence.
const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9_~-][a-z0-9._~-]*$/iu;

function toNames(name: string, value: Json | undefined): ReadonlySet<string> {
  if (value === undefined) return new Set();
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) throw new Error(AGENT.notNames(name));
  const odd = value.find((item) => !NAME.test(item));
  if (odd !== undefined) throw new Error(AGENT.noName(name, odd.slice(0, 80)));
  return new Set(value.map(toKey));
}
