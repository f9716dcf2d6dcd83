import path from "node:path";
import type { BuildOptions } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import type { MadeModules } from "./adapted-modules.ts";
import { addForms, attribute } from "./bundle-faults.ts";
import { splitPrinted, withMap } from "./bundle-map.ts";
import { createBundlePlugin, createResolution, FOLDER, type Resolution } from "./bundle-plugin.ts";
import { toBundleText, toEntry } from "./bundle-text.ts";
import type { Bundler, BuildOutcome, EndedBy } from "./bundler.ts";
import { FREE_VALUES } from "./engine-modules.ts";
import { FolderRefusal } from "./faults.ts";
import type { Inputs } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import type { OtherForms } from "./package-forms.ts";
import type { CapabilityRecord, Fault } from "./record.ts";
import type { ToolDeclaration } from "./tool-file.ts";
import { notePatterns, WORKER_DEFINES, type Patterns } from "./worker-bundle.ts";

export interface BundledTool extends ToolDeclaration {
  /** As the folder lists it. */
  readonly file: string;
  /** The file it is once links are followed. */
  readonly source: string;
  /** The module of ours that stands before that file, or null. */
  readonly module: string | null;
}

export interface Bundle {
  /** What a cell loads, or null where no tool could be bundled. */
  readonly text: string | null;
  readonly broken: readonly Fault[];
  readonly isByContent: boolean;
}

/** What the tools of one folder are bundled with. */
export interface Bundling {
  readonly inputs: Inputs;
  readonly limits: AdmissionLimits;
  readonly bundler: Bundler;
  readonly runtime: CapabilityRecord["runtime"];
  /** Filled while bundling, for a worker. */
  readonly patterns: Patterns;
  /** Whether the package asks for WebAssembly in its PERMISSIONS. */
  readonly isWasmAsked: boolean;
  readonly modules: MadeModules;
}

/**
 * Bundles the tools of one folder. An error breaks the tools that reach the file it is in; the others are bundled again
 * without them. Throws FolderRefusal where the whole comes to too much.
 */
export async function bundleTools(bundling: Bundling, tools: readonly BundledTool[]): Promise<Bundle> {
  const broken: Fault[] = [];
  const forms = new Set<string>();
  let isByContent = true;
  let left = tools;
  while (left.length > 0) {
    const attempt = await attemptBundle(bundling, left, forms);
    if (attempt.resolution.refusal !== null) throw attempt.resolution.refusal;
    isByContent &&= attempt.resolution.isByContent;
    const { outcome } = attempt;
    if (outcome.kind === "built") return { text: outcome.text, broken, isByContent };
    if (outcome.kind === "ended") isByContent &&= outcome.by === "output";
    if (outcome.kind === "failed" && addForms(forms, outcome.errors, attempt.resolution)) continue;
    const faults =
      outcome.kind === "failed" ? attribute(outcome.errors, left, attempt.resolution) : await findEnders(bundling, left, forms, outcome.by);
    broken.push(...faults);
    left = left.filter((tool) => !faults.some((fault) => fault.file === tool.file));
  }
  return { text: null, broken, isByContent };
}

interface Attempt {
  readonly outcome: BuildOutcome;
  readonly resolution: Resolution;
}

async function attemptBundle(bundling: Bundling, tools: readonly BundledTool[], forms: OtherForms): Promise<Attempt> {
  const attempt = await buildOnce(bundling, tools, forms, PLAIN);
  // What a bundle needs beside its imports is known once everything is read: then it is bundled again with it.
  const { isContextUsed, freeModules } = attempt.resolution;
  if (attempt.outcome.kind !== "built" || (!isContextUsed && freeModules.size === 0)) return attempt;
  return await buildOnce(bundling, tools, forms, { isLowered: isContextUsed, freeModules: [...freeModules] });
}

/** How one build differs from another of the same sources. */
interface Manner {
  /** Without native async functions. */
  readonly isLowered: boolean;
  readonly freeModules: readonly string[];
}

const PLAIN: Manner = { isLowered: false, freeModules: [] };

async function buildOnce(bundling: Bundling, tools: readonly BundledTool[], forms: OtherForms, manner: Manner): Promise<Attempt> {
  const { inputs, limits, bundler, runtime, patterns, isWasmAsked, modules } = bundling;
  const resolution = createResolution({ inputs, runtime, patterns, forms, isWasmAsked, modules });
  const outcome = await bundler.build(toBuildOptions(resolution, toEntry(tools), manner));
  // A worker's imports by pattern are left to Node: found by the bundler, one attempt later they are none of its errors any more.
  if (outcome.kind === "failed" && runtime === "worker" && notePatterns(outcome.errors, FOLDER, patterns))
    return await buildOnce(bundling, tools, forms, manner);
  if (outcome.kind !== "built") return { outcome, resolution };
  const printed = splitPrinted(withoutPlaces(outcome.text, inputs.fence ?? []));
  const text = toBundleText(printed.code, tools, runtime);
  const isTooLarge = Buffer.byteLength(text) > limits.bundleBytes;
  return { outcome: isTooLarge ? { kind: "ended", by: "output" } : { kind: "built", text: withMap(text, printed) }, resolution };
}

/**
 * Code can read in a stack what its files are called here. Where the folders of a source stand far from each other those names
 * would say where on the machine, so that nothing is left of what is before them.
 */
function withoutPlaces(text: string, fence: readonly string[]): string {
  const places = new Set(fence.map((folder) => path.posix.dirname(folder)).filter((place) => place !== "."));
  const longestFirst = [...places].sort((left, right) => right.length - left.length);
  return longestFirst.reduce((hidden, place, index) => hidden.replaceAll(`${FOLDER}:${place}/`, `${FOLDER}:${index}/`), text);
}

function toBuildOptions(resolution: Resolution, entry: string, { isLowered, freeModules }: Manner): BuildOptions {
  return {
    stdin: { contents: entry, sourcefile: "tools.js", loader: "js" },
    bundle: true,
    format: "iife",
    globalName: "__capability",
    platform: "neutral",
    target: "es2024",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    // For the owner's log alone; the sources themselves are in the folder.
    sourcemap: "inline",
    sourcesContent: false,
    // The whole bundle is strict: what could not be is found in its own file and not when the bundle is loaded.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    // Many packages ask for this one; nothing here comes from the machine.
    define: { ...(resolution.runtime === "worker" ? WORKER_DEFINES : FREE_VALUES), "process.env.NODE_ENV": '"production"' },
    inject: [...freeModules],
    // A native `await` goes on behind everybody's back; what stands for it then goes through `then`.
    ...(isLowered ? { supported: { "async-await": false, "async-generator": false, "for-await": false } } : {}),
    plugins: [createBundlePlugin(resolution)],
  };
}

/** A bundle that came to too much: each tool is tried alone, so that only those that do so by themselves are broken. */
async function findEnders(bundling: Bundling, tools: readonly BundledTool[], forms: OtherForms, by: EndedBy): Promise<Fault[]> {
  const enders: Fault[] = [];
  for (const tool of tools) {
    const outcome: BuildOutcome = tools.length === 1 ? { kind: "ended", by } : (await attemptBundle(bundling, [tool], forms)).outcome;
    if (outcome.kind === "ended") enders.push({ file: tool.file, line: null, reason: toEndReason(outcome.by, bundling.limits) });
  }
  if (enders.length === 0) throw new FolderRefusal(toEndReason(by, bundling.limits), by === "output");
  return enders;
}

function toEndReason(by: EndedBy, limits: AdmissionLimits): string {
  if (by === "output") return ADMISSION.bundleBytes(limits.bundleBytes);
  return by === "memory" ? ADMISSION.bundleMemory(limits.admitHeapBytes) : ADMISSION.bundlerEnded;
}
