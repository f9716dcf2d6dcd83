import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { actionOf, type Module } from "./module-exports.ts";
import { toPlain } from "./shared.ts";

interface Profiles {
  /** By tool, what EXECUTION_PROFILE says of it. */
  readonly profiles: ReadonlyMap<string, unknown>;
  /** A gate that is called otherwise than any action is one that stands open: it is told. */
  readonly faults: readonly { readonly name: null; readonly reason: string }[];
}

/** Reads EXECUTION_PROFILE, by action or by the tool's whole name. Throws ToolError where none of it can be read. */
export function readProfiles(module: Module, key: string, tools: readonly { readonly name: string | null }[]): Profiles {
  const given = module["EXECUTION_PROFILE"];
  const profiles = new Map<string, unknown>();
  if (given === undefined || given === null) return { profiles, faults: [] };
  const table = typeof given === "object" ? toPlain(given)?.value : null;
  if (typeof table !== "object" || table === null || Array.isArray(table)) throw new ToolError(ADAPTER.profileShape);
  const left = new Set(Object.keys(table));
  for (const { name } of tools) {
    if (name === null) continue;
    for (const called of [actionOf(key, name), name]) {
      if (!left.delete(called)) continue;
      profiles.set(name, (table as Record<string, unknown>)[called]);
    }
  }
  return { profiles, faults: [...left].map((action) => ({ name: null, reason: ADAPTER.profileOfNothing(action.slice(0, 80)) })) };
}
