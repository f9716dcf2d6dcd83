import { findAddon } from "../../dist/cell/addon.js";
import { KeeperProcess } from "../../dist/cell/keeper-process.js";
import { keeperOptions } from "../../dist/cell/limits.js";
import { KEEPER_FILE, type Seal } from "../../dist/cell/spawn.js";
import { runProbe, type Probed } from "../../dist/cell/wall-probe.js";
import { findWrappers, wrapperFault, type Wrapper } from "../../dist/cell/wrapper.js";
import { readLimits } from "../../dist/engine/options.js";

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
