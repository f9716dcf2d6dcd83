import { basename } from "node:path";
import { ToolCreationError } from "../catalogue/faults.ts";
import { CREATION } from "../catalogue/texts.ts";
import type { FoundFolder } from "../registry/folders.ts";
import type { Registry } from "../registry/registry.ts";
import type { SourceReader } from "../registry/source-reader.ts";
import type { Tier } from "./publish.ts";

/**
 * Reads a draft as any module is read, which lists its tools sealed. Resolves with their names; rejects with ToolCreationError
 * where the module would not be taken whole, or would take another's tool away.
 */
export async function checkDraft(
  path: string,
  { folder, tier }: Tier,
  name: string,
  reader: SourceReader,
  registry: Registry,
): Promise<readonly string[]> {
  const label = basename(path);
  const record = await reader.read(toFound(path, folder, tier, name, label));
  const faults = [
    ...(record.refused === null ? [] : [record.refused]),
    ...record.broken.map(({ line, reason }) => (line === null ? reason : CREATION.atLine(line, reason))),
  ];
  for (const tool of record.tools) {
    const owner = registry.find(tool.name)?.capability.record.name;
    if (owner !== undefined && owner !== name) faults.push(CREATION.clash(tool.name, owner));
  }
  // The draft's own name is nobody's business.
  if (faults.length > 0)
    throw new ToolCreationError(
      "InvalidArguments",
      CREATION.refused(
        name,
        faults.map((fault) => fault.replaceAll(label, name)),
      ),
    );
  return record.tools.map((tool) => tool.name).sort();
}

function toFound(path: string, root: string, source: string, name: string, file: string): FoundFolder {
  const entries = [{ file, label: file, exportName: null, key: name }];
  return {
    path,
    isShipped: false,
    identity: file,
    source,
    adapted: { kind: "module", name, root, fence: null, entries, manifest: null },
    refused: null,
  };
}
