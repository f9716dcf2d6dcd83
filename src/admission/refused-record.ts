import { withCodeHash } from "./code-hash.ts";
import { toLabel } from "./folder.ts";
import type { CapabilityRecord } from "./record.ts";

/** The record of a folder that is not taken: its name and the reason, and nothing that it says of itself. */
export function toRefusedRecord(name: string, reason: string): CapabilityRecord {
  return withCodeHash({
    name,
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
    broken: [],
    ignored: [],
    refused: reason,
    bundleHash: null,
  });
}
