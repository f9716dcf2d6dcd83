import type { Reading } from "./admit-folder.ts";
import { withCodeHash } from "./code-hash.ts";
import { toFolderName, toLabel } from "./folder.ts";
import type { JobResult } from "./job.ts";
import type { CapabilityRecord } from "./record.ts";

/** The record of a folder that is not taken: its name and the reason, and nothing that it says of itself. */
export function toRefusedRecord(name: string, reason: string): CapabilityRecord {
  return withCodeHash({
    name,
    grantedAs: name,
    label: toLabel(name),
    description: "",
    version: null,
    license: null,
    homepage: null,
    permissions: null,
    runtime: "isolate",
    limits: {},
    internal: false,
    required: false,
    tools: [],
    hasCli: false,
    broken: [],
    ignored: [],
    refused: reason,
    bundleHash: null,
  });
}

/** What is not taken, and nothing of it is known but why. */
export function toRefusedResult({ folder, adapted }: Reading, reason: string): JobResult {
  const record = toRefusedRecord(adapted?.source.name ?? toFolderName(folder), reason);
  return { record, bundleText: null, files: [], sources: [], storedBytes: 0 };
}
