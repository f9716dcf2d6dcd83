import { ADAPTED, ADMISSION } from "../catalogue/texts.ts";
import { commandOf, listerOf, type Adapted, type AdaptedEntry, type AdaptedSource, type EntryListing } from "./adapted.ts";
import { commandModule, listingModule, servingModule } from "./adapted-modules.ts";
import type { BundledTool } from "./bundle.ts";
import { readIndex, readManifest, type IndexDeclaration } from "./capability-index.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import { readListed, type CheckedTool } from "./listed-tools.ts";
import { NO_PROFILE } from "./profile.ts";
import { bundleRead, type ReadFolder, type ReadingParts, type ReadTools } from "./read-folder.ts";
import type { Fault } from "./record.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { assertInputSchema } from "./schema.ts";
import { compileValidators } from "./validators.ts";

/**
 * Reads a source whose tools are known only by running it. Without a listing the record's tools are those that list an entry
 * each, for a cell to run; with one they are what was listed, each held to its form. Throws FolderRefusal as `readFolder` does.
 */
export async function readAdapted(parts: ReadingParts, { source, listing }: Adapted, isShipped: boolean): Promise<ReadFolder> {
  const index = readIndexOf(parts, source, isShipped);
  if ("refusal" in index) return { record: toRefusedRecord(source.name, index.refusal), bundleText: null, origin: null };
  const made = listing === null ? toListing(parts, source) : toServing(parts, source, listing);
  const read = await bundleRead(parts, index, made, made.modules);
  const refusal = listing === null ? whyNone(source, read) : null;
  if (refusal !== null) return { ...read, record: toRefusedRecord(source.name, refusal), bundleText: null };
  return { ...read, record: { ...read.record, ...withoutCommand(source, read.record.tools) } };
}

interface Made extends ReadTools {
  readonly modules: ReadonlyMap<string, string>;
}

function readIndexOf(
  { inputs, limits }: ReadingParts,
  source: AdaptedSource,
  isShipped: boolean,
): IndexDeclaration | { readonly refusal: string } {
  const file = source.entries[0]?.file ?? "";
  try {
    if (source.manifest !== null) return readManifest(source.manifest, limits);
    const index = readIndex(inputs.readForParser(file), file, isShipped, limits);
    return index.runtime === "worker" ? { refusal: ADAPTED.sealed } : index;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.message === ADMISSION.fileMissing) throw new FolderRefusal(ADAPTED.gone(source.name), false);
    return { refusal: source.manifest === null ? ADMISSION.indexFault(file, error.line, error.message) : error.message };
  }
}

/** A module is its one file: what is wrong with that is wrong with the whole. */
function whyNone({ kind }: AdaptedSource, { record }: ReadFolder): string | null {
  const [fault] = record.broken;
  return kind === "module" && fault !== undefined ? ADMISSION.indexFault(fault.file, fault.line, fault.reason) : null;
}

function toListing({ inputs, limits }: ReadingParts, source: AdaptedSource): Made {
  const modules = new Map<string, string>();
  const tools: BundledTool[] = [];
  const broken: Fault[] = [...(source.faults ?? [])];
  let isByContent = true;
  for (const [index, entry] of source.entries.entries()) {
    try {
      const file = readEntry(inputs, source, entry);
      tools.push(toTool(listerOf(index), entry.label, file, listingModule(source, index, limits), limits, modules));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      isByContent &&= error.isByContent;
      broken.push({ file: entry.label, line: error.line, reason: error.message });
    }
  }
  return { tools, broken, isByContent, modules };
}

function toServing({ inputs, limits }: ReadingParts, source: AdaptedSource, listing: readonly EntryListing[]): Made {
  const { checked, faults } = readListed(source, listing, limits);
  const modules = new Map<string, string>();
  const told = [...(source.faults ?? []), ...faults];
  const broken = [...told];
  const tools: BundledTool[] = [];
  // What was there when it was listed may be gone by now: whoever compares the two will see.
  const tryEntry = (index: number, label: string): string | null => {
    try {
      return readEntry(inputs, source, entryAt(source, index));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      broken.push({ file: label, line: error.line, reason: error.message });
      return null;
    }
  };
  for (const tool of checked) {
    const file = tryEntry(tool.entry, tool.label);
    if (file === null) continue;
    const [module, code] = servingModule(source, tool.entry, tool.name);
    modules.set(module, code);
    tools.push({ ...toDeclaration(tool), file: tool.label, source: file, module });
  }
  if (listing.some((listed) => "hasCli" in listed && listed.hasCli)) {
    const name = commandOf(source.name);
    const file = tryEntry(0, name);
    if (file !== null) tools.push(toTool(name, name, file, commandModule(source), limits, modules));
  }
  return { tools, broken, isByContent: broken.length === told.length, modules };
}

/** The file of an entry, once every link is followed. */
function readEntry(inputs: Inputs, { home }: AdaptedSource, entry: AdaptedEntry): string {
  const { file } = inputs.read(entry.file);
  if (home !== undefined && !file.startsWith(`${home}/`)) throw new FileFault(ADMISSION.fileOutside, null, false);
  return file;
}

function toDeclaration({
  name,
  description,
  inputSchema,
  validators,
  profile,
}: CheckedTool): Omit<BundledTool, "file" | "source" | "module"> {
  return { name, nameLine: 1, description, inputSchema, validators, profile };
}

/** A tool of ours, which only we call. */
function toTool(
  name: string,
  file: string,
  source: string,
  [module, code]: readonly [string, string],
  limits: AdmissionLimits,
  modules: Map<string, string>,
): BundledTool {
  modules.set(module, code);
  const schema = assertInputSchema({ type: "object" }, limits);
  const { inputSchema } = schema;
  return {
    name,
    nameLine: 1,
    description: name,
    inputSchema,
    validators: compileValidators(schema),
    profile: NO_PROFILE,
    file,
    source,
    module,
  };
}

/** Who takes a command line is in the bundle, and nobody's tool. */
function withoutCommand({ name }: AdaptedSource, tools: ReadFolder["record"]["tools"]): Pick<ReadFolder["record"], "tools" | "hasCli"> {
  const others = tools.filter((tool) => tool.name !== commandOf(name));
  return { tools: others, hasCli: others.length < tools.length };
}

function entryAt({ entries }: AdaptedSource, index: number): AdaptedEntry {
  const entry = entries[index];
  if (entry === undefined) throw new Error(`There is no entry ${index}`);
  return entry;
}
