import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { identityOf, stat } from "./system.ts";

/** Folders that a mount may happen to contain, and that are not the guest's for that. */
export interface Guarded {
  /** Never shown: the engine's home (secrets, grants, databases, other packages) and the `/tmp` of others. */
  isPrivate(identity: string): boolean;
  /** Never changed: folders that code is loaded from. */
  isCode(identity: string): boolean;
  /** Whether a guarded folder lies in the folder that is really called `real`, so that moving or removing it would touch that. */
  isHolding(real: string): boolean;
}

export const NOTHING_GUARDED: Guarded = { isPrivate: () => false, isCode: () => false, isHolding: () => false };

/** Looks the folders up by what they are now. One that is missing guards nothing, and can be made by nobody but its owner. */
export async function lookUpGuarded(privateFolders: readonly string[], codeFolders: readonly string[]): Promise<Guarded> {
  const [kept, code] = await Promise.all([lookUp(privateFolders), lookUp(codeFolders)]);
  const reals = [...kept.values(), ...code.values()];
  return {
    isPrivate: (identity) => kept.has(identity),
    isCode: (identity) => code.has(identity),
    isHolding: (real) => reals.some((guarded) => guarded === real || guarded.startsWith(real.endsWith(sep) ? real : real + sep)),
  };
}

async function lookUp(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await Promise.all(
    folders.map(async (folder) => {
      const [stats, real] = await Promise.all([stat(folder), realpath(folder)]).catch(() => [null, ""] as const);
      if (stats !== null) found.set(identityOf(stats), real);
    }),
  );
  return found;
}
