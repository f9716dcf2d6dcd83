import { createAdmission } from "../admission/admission.ts";
import { Grants } from "../registry/grants.ts";
import { Registry } from "../registry/registry.ts";
import { toCapabilityEntry, type CapabilityEntry } from "./listing.ts";
import { readOptions, type EngineOptions } from "./options.ts";
import { cachePlaces, capabilityRoots } from "./places.ts";

/** What an engine with these options would say of one more capability folder. Runs nothing of it. */
export async function inspectCapability(folder: string, options: EngineOptions): Promise<CapabilityEntry> {
  const settings = readOptions(options);
  await using admission = createAdmission({ ...cachePlaces(settings.home), limits: settings.limits });
  const registry = await Registry.read(capabilityRoots(settings), admission, [{ path: folder, isShipped: false }]);
  const capability = registry.capabilities.at(-1);
  if (capability === undefined) throw new Error("A folder that is read has an entry");
  return toCapabilityEntry(capability, new Grants(settings.home));
}
