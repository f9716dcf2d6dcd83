import { createAdmission } from "../admission/admission.ts";
import { AgentPermissions } from "../registry/agent-permissions.ts";
import { Decisions } from "../registry/decisions.ts";
import { findFolders } from "../registry/folders.ts";
import { Grants } from "../registry/grants.ts";
import { Registry } from "../registry/registry.ts";
import { Switches } from "../registry/switches.ts";
import { toCapabilityEntry, type CapabilityEntry } from "./listing.ts";
import { readLimits, readOptions, type EngineOptions } from "./options.ts";
import { cachePlaces, capabilityRoots } from "./places.ts";

/** What an engine with these options would say of one more capability folder. Runs nothing of it. */
export async function inspectCapability(folder: string, options: EngineOptions): Promise<CapabilityEntry> {
  const settings = readOptions(options);
  await using admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits, shippedLimits: readLimits({}) });
  // What is known only by running it has no part in this.
  const roots = capabilityRoots(settings).filter(({ holds }) => holds === "capabilities");
  const { folders, skipped } = await findFolders(roots, settings.limits);
  const own = { path: folder, isShipped: false, identity: null, source: null, adapted: null, refused: null };
  const all = [...folders.filter(({ path }) => path !== folder), own];
  const versions = await Promise.all(
    all.map(async (found) => ({
      folder: found,
      record: await admission.admit(found.path, { shipped: found.isShipped }),
      kept: null,
    })),
  );
  const registry = new Registry(
    versions,
    skipped,
    new Decisions(new Switches(settings.home), new AgentPermissions(settings.agentDir)).decided(),
  );
  const capability = registry.at(folder);
  if (capability === null) throw new Error("A folder that is read has an entry");
  return toCapabilityEntry(capability, new Grants(settings.home));
}
