import { findAddon } from "../../src/cell/addon.ts";
import { KeeperProcess } from "../../src/cell/keeper-process.ts";
import { keeperOptions } from "../../src/cell/limits.ts";
import { KEEPER_FILE, type Seal } from "../../src/cell/spawn.ts";
import { runProbe, type Probed } from "../../src/cell/wall-probe.ts";
import { findWrappers, wrapperFault, type Wrapper } from "../../src/cell/wrapper.ts";
import { readLimits } from "../../src/engine/options.ts";

export const ADDON_FILE = findAddon().file;
export const PLAIN: Seal = { wrapper: null, leash: null, isJitless: false, dataBytes: null };

const limits = readLimits({});

/** What a keeper's probe could do under `seal`. */
export async function probe(seal: Seal): Promise<Probed> {
  return await runProbe({ ...keeperOptions(limits, ADDON_FILE), seal }, limits.stderrBytes, limits.startMs);
}

/** A keeper as the engine starts one. */
export function newKeeper(seal: Seal, keeperFile = KEEPER_FILE): KeeperProcess {
  return new KeeperProcess({ ...keeperOptions(limits, ADDON_FILE), keeperFile, seal }, limits.stderrBytes);
}

/** A keeper once it is ready. */
export async function startKeeper(seal: Seal, keeperFile = KEEPER_FILE): Promise<KeeperProcess> {
  const keeper = newKeeper(seal, keeperFile);
  // A keeper holds no loop open.
  const held = setInterval(() => undefined, 1000);
  await new Promise<void>((resolve, reject) => {
    keeper.onFrame = () => resolve();
    void keeper.closed.then(({ stderr }) => reject(new Error(stderr)));
  }).finally(() => clearInterval(held));
  return keeper;
}

/** The wrapper of this kind, or why a test of it cannot run on this machine. */
export async function wrapperOrReason(kind: Wrapper["kind"]): Promise<{ readonly wrapper: Wrapper } | { readonly reason: string }> {
  const wrapper = (await findWrappers(process.execPath, ADDON_FILE)).find((found) => found.kind === kind);
  if (wrapper === undefined) return { reason: `${kind} is not installed here` };
  try {
    const keeper = await startKeeper({ ...PLAIN, wrapper });
    keeper.kill("done");
    await keeper.closed;
    return { wrapper };
  } catch (error) {
    const fault = wrapperFault(wrapper, error instanceof Error ? error.message : "");
    if (fault === null) throw error;
    return { reason: `${kind} does not work here: ${fault}` };
  }
}
