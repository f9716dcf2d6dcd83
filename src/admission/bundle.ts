import type { BuildOptions, Message } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import { createBundlePlugin, FOLDER, type Resolution } from "./bundle-plugin.ts";
import { toBundleText, toEntry } from "./bundle-text.ts";
import type { Bundler, BuildOutcome, EndedBy } from "./bundler.ts";
import { FolderRefusal } from "./faults.ts";
import { createImportGraph } from "./import-graph.ts";
import type { Inputs } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import type { CapabilityRecord, Fault } from "./record.ts";
import { toNotFound } from "./resolve.ts";
import type { ToolDeclaration } from "./tool-file.ts";
import { quotable } from "./visible-text.ts";
import { notePatterns, WORKER_DEFINES, type Patterns } from "./worker-bundle.ts";

type Runtime = CapabilityRecord["runtime"];

export interface BundledTool extends ToolDeclaration {
  /** As the folder lists it. */
  readonly file: string;
  /** The file it is once links are followed. */
  readonly source: string;
}

export interface Bundle {
  /** What a cell loads, or null where no tool could be bundled. */
  readonly text: string | null;
  readonly broken: readonly Fault[];
  readonly isByContent: boolean;
}

/**
 * Bundles the tools of one folder. An error breaks the tools that reach the file it is in; the others are bundled again
 * without them. Throws FolderRefusal where the whole comes to too much.
 */
export async function bundleTools(
  inputs: Inputs,
  runtime: Runtime,
  tools: readonly BundledTool[],
  limits: AdmissionLimits,
  bundler: Bundler,
): Promise<Bundle> {
  const source: Source = { inputs, runtime, patterns: new Map() };
  const broken: Fault[] = [];
  let isByContent = true;
  let left = tools;
  while (left.length > 0) {
    const attempt = await attemptBundle(source, left, limits, bundler);
    if (attempt.resolution.refusal !== null) throw attempt.resolution.refusal;
    isByContent &&= attempt.resolution.isByContent;
    const { outcome } = attempt;
    if (outcome.kind === "built") return { text: outcome.text, broken, isByContent };
    if (outcome.kind === "ended") isByContent &&= outcome.by === "output";
    const faults =
      outcome.kind === "failed"
        ? attribute(outcome.errors, left, attempt.resolution)
        : await findEnders(source, left, limits, bundler, outcome.by);
    broken.push(...faults);
    left = left.filter((tool) => !faults.some((fault) => fault.file === tool.file));
  }
  return { text: null, broken, isByContent };
}

interface Attempt {
  readonly outcome: BuildOutcome;
  readonly resolution: Resolution;
}

/** What is bundled, over every attempt at it. */
interface Source {
  readonly inputs: Inputs;
  readonly runtime: Runtime;
  readonly patterns: Patterns;
}

async function attemptBundle(source: Source, tools: readonly BundledTool[], limits: AdmissionLimits, bundler: Bundler): Promise<Attempt> {
  const resolution: Resolution = { ...source, graph: createImportGraph(), refusal: null, isByContent: true };
  const outcome = await bundler.build(toBuildOptions(resolution, toEntry(tools)));
  // A worker's imports by pattern are left to Node: found by the bundler, one attempt later they are none of its errors any more.
  if (outcome.kind === "failed" && source.runtime === "worker" && notePatterns(outcome.errors, FOLDER, source.patterns))
    return await attemptBundle(source, tools, limits, bundler);
  if (outcome.kind !== "built") return { outcome, resolution };
  const text = toBundleText(outcome.text, tools, source.runtime);
  const isTooLarge = Buffer.byteLength(text) > limits.bundleBytes;
  return { outcome: isTooLarge ? { kind: "ended", by: "output" } : { kind: "built", text }, resolution };
}

function toBuildOptions(resolution: Resolution, entry: string): BuildOptions {
  const isWorker = resolution.runtime === "worker";
  return {
    stdin: { contents: entry, sourcefile: "tools.js", loader: "js" },
    bundle: true,
    format: "iife",
    globalName: "__capability",
    platform: isWorker ? "node" : "neutral",
    target: "es2024",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    sourcemap: false,
    // The whole bundle is strict: what could not be is found in its own file and not when the bundle is loaded.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    // Many packages ask for this one; nothing here comes from the machine.
    define: { "process.env.NODE_ENV": '"production"', ...(isWorker ? WORKER_DEFINES : {}) },
    plugins: [createBundlePlugin(resolution)],
  };
}

/** One fault for each tool that reaches an error: the first, with the file and line it is in. */
function attribute(errors: readonly Message[], tools: readonly BundledTool[], { graph }: Resolution): Fault[] {
  const faults = new Map<string, Fault>();
  const sources = tools.map((tool) => tool.source);
  for (const error of errors) {
    const at = toPlace(error);
    const reason = toReason(error);
    const reaching = at === null ? sources : graph.entriesReaching(at.file, sources);
    for (const { file, source } of tools) {
      if (faults.has(file) || !reaching.includes(source)) continue;
      if (at === null || at.file === source) faults.set(file, { file, line: at?.line ?? null, reason });
      else faults.set(file, { file, line: null, reason: ADMISSION.throughImport(`${at.file}:${at.line}`, reason) });
    }
  }
  // An error that leads nowhere would otherwise be met again and again.
  const [first] = errors;
  if (faults.size === 0) return tools.map(({ file }) => ({ file, line: null, reason: first ? toReason(first) : ADMISSION.bundlerEnded }));
  return [...faults.values()];
}

function toPlace({ location }: Message): { file: string; line: number } | null {
  const prefix = `${FOLDER}:`;
  return location?.file.startsWith(prefix) ? { file: location.file.slice(prefix.length), line: location.line } : null;
}

function toReason({ text }: Message): string {
  if (text.startsWith("Top-level await is")) return ADMISSION.topLevelAwait;
  const notFound = /^Could not resolve "(.*)"$/s.exec(text)?.[1];
  if (notFound !== undefined) return toNotFound(notFound);
  return quotable(text.replaceAll(/"(?:capability|toolcell):/g, '"'), 500);
}

/** A bundle that came to too much: each tool is tried alone, so that only those that do so by themselves are broken. */
async function findEnders(
  source: Source,
  tools: readonly BundledTool[],
  limits: AdmissionLimits,
  bundler: Bundler,
  by: EndedBy,
): Promise<Fault[]> {
  const enders: Fault[] = [];
  for (const tool of tools) {
    const outcome: BuildOutcome =
      tools.length === 1 ? { kind: "ended", by } : (await attemptBundle(source, [tool], limits, bundler)).outcome;
    if (outcome.kind === "ended") enders.push({ file: tool.file, line: null, reason: toEndReason(outcome.by, limits) });
  }
  if (enders.length === 0) throw new FolderRefusal(toEndReason(by, limits), by === "output");
  return enders;
}

function toEndReason(by: EndedBy, limits: AdmissionLimits): string {
  if (by === "output") return ADMISSION.bundleBytes(limits.bundleBytes);
  return by === "memory" ? ADMISSION.bundleMemory(limits.admitHeapBytes) : ADMISSION.bundlerEnded;
}
