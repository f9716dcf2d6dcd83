import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtPath } from "../built/built.ts";
import type { Root } from "../registry/folders.ts";
import type { Settings } from "./options.ts";

const SHIPPED_FOLDER = builtPath("capabilities");
const AGENT_FOLDER = builtPath("agent-capabilities");
const SHIPPED_CACHE_FOLDER = builtPath("shipped-cache");
const SHIPPED_MODULES_FOLDER = builtPath("tools");

const FOLDERS = { holds: "capabilities", tier: null } as const;
const MODULES = { holds: "modules" } as const;

/** Where capabilities are looked for, in the order in which the first of a name keeps it. */
export function capabilityRoots({ home, capabilities, agentDir, plugins }: Settings): readonly Root[] {
  return [
    { ...FOLDERS, path: SHIPPED_FOLDER, isShipped: true, isOptional: false },
    // Without an agent there are no tools of its own to write.
    ...(agentDir === null ? [] : [{ ...FOLDERS, path: AGENT_FOLDER, isShipped: true, isOptional: false }]),
    { ...MODULES, path: SHIPPED_MODULES_FOLDER, isShipped: true, isOptional: true, tier: "core" },
    { ...FOLDERS, path: join(home, "capabilities"), isShipped: false, isOptional: true },
    ...capabilities.map((path) => ({ ...FOLDERS, path, isShipped: false, isOptional: false })),
    ...(plugins === null ? [] : [{ path: plugins, isShipped: false, isOptional: false, holds: "packages", tier: null } as const]),
    ...(agentDir === null
      ? []
      : [{ ...MODULES, path: join(agentDir, "tools"), isShipped: false, isOptional: true, tier: "personal" } as const]),
    { ...MODULES, path: join(home, "common_tools"), isShipped: false, isOptional: true, tier: "shared" },
  ];
}

/**
 * Where code and what allows it stand: no tool changes any of it. Of an agent's folder that is what it may use and its tools;
 * while either of them is not there yet nothing can be guarded but the folder whole, or a tool could be the one to make it.
 */
export function codeFolders(settings: Settings): readonly string[] {
  const roots = capabilityRoots(settings).flatMap(({ path, holds }) => (holds === "packages" ? projectCode(path) : [path]));
  const { agentDir } = settings;
  if (agentDir === null) return roots;
  const kept = [join(agentDir, "permissions.json"), join(agentDir, "tools")];
  return [...roots, ...kept, ...(kept.every((path) => existsSync(path)) ? [] : [agentDir])];
}

// A project's own files are for its tools to work on; which packages there are, and the packages, are not.
function projectCode(project: string): readonly string[] {
  return ["package.json", "node_modules"].map((name) => join(project, name));
}

/** Where what was read and bundled is kept: the home's, and what the build has made of the shipped capabilities. */
export function cachePlaces(home: string): { readonly cacheDir: string; readonly shippedDir: string } {
  return { cacheDir: join(home, "cache"), shippedDir: SHIPPED_CACHE_FOLDER };
}
