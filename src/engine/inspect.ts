import { createAdmission } from "../admission/admission.ts";
import { findFolders } from "../registry/folders.ts";
import { Grants } from "../registry/grants.ts";
import { Registry } from "../registry/registry.ts";
import { Switches } from "../registry/switches.ts";
import { toCapabilityEntry, type CapabilityEntry } from "./listing.ts";
import { readOptions, type EngineOptions } from "./options.ts";
import { cachePlaces, capabilityRoots } from "./places.ts";

/** What an engine with these options would say of one more capability folder. Runs nothing of it. */
export async function inspectCapability(folder: string, options: EngineOptions): Promise<CapabilityEntry> {
  const settings = readOptions(options);
  await using admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits });
  const { folders, skipped } = await findFolders(capabilityRoots(settings));
  const all = [...folders.filter(({ path }) => path !== folder), { path: folder, isShipped: false, identity: null }];
  const versions = await Promise.all(
    all.map(async (found) => ({
      folder: found,
      record: await admission.admit(found.path, { shipped: found.isShipped }),
      kept: null,
    })),
  );
  const registry = new Registry(versions, skipped, new Switches(settings.home).decided());
  const capability = registry.at(folder);
  if (capability === null) throw new Error("A folder that is read has an entry");
  return toCapabilityEntry(capability, new Grants(settings.home));
}
