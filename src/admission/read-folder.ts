import { ADMISSION } from "../catalogue/texts.ts";
import { NO_MODULES, type MadeModules } from "./adapted-modules.ts";
import { bundleTools, type BundledTool } from "./bundle.ts";
import type { Bundler } from "./bundler.ts";
import { NO_INDEX, readIndex, type IndexDeclaration } from "./capability-index.ts";
import { FileFault } from "./faults.ts";
import { toLabel, type Folder } from "./folder.ts";
import type { Inputs } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import type { Origin } from "./record-cache.ts";
import type { CapabilityRecord, Fault } from "./record.ts";
import { toRefusedRecord } from "./refused-record.ts";
import { readToolFile } from "./tool-file.ts";

/** A folder as read: its record, still without the hashes, and the bundle. */
export interface ReadFolder {
  readonly record: Omit<CapabilityRecord, "codeHash">;
  readonly bundleText: string | null;
  /** What the record was made from, or null where it may differ next time though no file did. */
  readonly origin: Origin | null;
}

export interface ReadingParts {
  readonly folder: Folder;
  readonly inputs: Inputs;
  readonly limits: AdmissionLimits;
  readonly bundler: Bundler;
}

/** Reads a listed folder and bundles its tools. Throws FolderRefusal where the whole comes to too much. */
export async function readFolder(parts: ReadingParts, isShipped: boolean): Promise<ReadFolder> {
  const { folder, inputs, limits } = parts;
  const index = readIndexOf(folder, inputs, isShipped, limits);
  // Tool files are not looked at then, and the record says so by holding nothing else.
  if ("refusal" in index) return { record: toRefusedRecord(folder.name, index.refusal), bundleText: null, origin: null };
  return await bundleRead(parts, index, readTools(folder.toolFiles, inputs, limits), NO_MODULES);
}

/** Tools as they were read, before they are bundled. */
export interface ReadTools {
  readonly tools: readonly BundledTool[];
  readonly broken: readonly Fault[];
  readonly isByContent: boolean;
}

/** Bundles what was read, and makes the record of it. */
export async function bundleRead(
  { folder, inputs, limits, bundler }: ReadingParts,
  index: IndexDeclaration,
  read: ReadTools,
  modules: MadeModules,
): Promise<ReadFolder> {
  const { runtime, permissions } = index;
  const isWasmAsked = permissions?.["wasm"] === true;
  const bundle = await bundleTools({ inputs, limits, bundler, runtime, patterns: new Map(), isWasmAsked, modules }, read.tools);
  const broken = [...read.broken, ...bundle.broken].sort((left, right) => (left.file < right.file ? -1 : 1));
  const record = {
    ...index,
    name: folder.name,
    grantedAs: folder.name,
    label: index.label ?? toLabel(folder.name),
    tools: read.tools
      .filter(({ file }) => !broken.some((fault) => fault.file === file))
      .map(({ name, description, inputSchema, file, profile }) => ({ name, description, inputSchema, file, profile })),
    hasCli: false,
    broken,
    refused: null,
    bundleHash: null,
  };
  const isByContent = read.isByContent && bundle.isByContent;
  return { record, bundleText: bundle.text, origin: isByContent ? { inputs: inputs.list(), missing: inputs.missing() } : null };
}

function readIndexOf(
  { index }: Folder,
  inputs: Inputs,
  isShipped: boolean,
  limits: AdmissionLimits,
): IndexDeclaration | { readonly refusal: string } {
  if (index === null) return NO_INDEX;
  try {
    return readIndex(inputs.readForParser(index), index, isShipped, limits);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { refusal: ADMISSION.indexFault(index, error.line, error.message) };
  }
}

function readTools(files: readonly string[], inputs: Inputs, limits: AdmissionLimits): ReadTools {
  const tools: BundledTool[] = [];
  const broken: Fault[] = [];
  let isByContent = true;
  for (const file of files) {
    try {
      const source = inputs.readForParser(file);
      tools.push({ ...readToolFile(source, limits), file, source: source.file, module: null });
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      isByContent &&= error.isByContent;
      broken.push({ file, line: error.line, reason: error.message });
    }
  }
  const twice = listNameTwice(tools);
  const isTwice = (file: string): boolean => twice.some((fault) => fault.file === file);
  return { tools: tools.filter(({ file }) => !isTwice(file)), broken: [...broken, ...twice], isByContent };
}

/** Of two files with one NAME neither wins. */
function listNameTwice(tools: readonly BundledTool[]): Fault[] {
  return tools.flatMap(({ name, nameLine, file }) => {
    const others = tools.filter((other) => other.name === name && other.file !== file).map((other) => other.file);
    return others.length === 0 ? [] : [{ file, line: nameLine, reason: ADMISSION.toolNameTwice(name, others.join(", ")) }];
  });
}
