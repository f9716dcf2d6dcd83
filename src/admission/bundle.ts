import type { BuildOptions, Message } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import { createBundlePlugin, ENTRY, FOLDER, type Resolution } from "./bundle-plugin.ts";
import type { Bundler, BuildOutcome, EndedBy } from "./bundler.ts";
import { FolderRefusal } from "./faults.ts";
import { createImportGraph } from "./import-graph.ts";
import type { Inputs } from "./inputs.ts";
import type { AdmissionLimits } from "./limits.ts";
import type { Fault } from "./record.ts";
import { toNotFound } from "./resolve.ts";
import type { ToolDeclaration } from "./tool-file.ts";
import { quotable } from "./visible-text.ts";

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
  tools: readonly BundledTool[],
  limits: AdmissionLimits,
  bundler: Bundler,
): Promise<Bundle> {
  const broken: Fault[] = [];
  let isByContent = true;
  let left = tools;
  while (left.length > 0) {
    const attempt = await attemptBundle(inputs, left, limits, bundler);
    if (attempt.resolution.refusal !== null) throw attempt.resolution.refusal;
    isByContent &&= attempt.resolution.isByContent;
    const { outcome } = attempt;
    if (outcome.kind === "built") return { text: outcome.text, broken, isByContent };
    if (outcome.kind === "ended") isByContent &&= outcome.by === "output";
    const faults =
      outcome.kind === "failed"
        ? attribute(outcome.errors, left, attempt.resolution)
        : await findEnders(inputs, left, limits, bundler, outcome.by);
    broken.push(...faults);
    left = left.filter((tool) => !faults.some((fault) => fault.file === tool.file));
  }
  return { text: null, broken, isByContent };
}

interface Attempt {
  readonly outcome: BuildOutcome;
  readonly resolution: Resolution;
}

async function attemptBundle(inputs: Inputs, tools: readonly BundledTool[], limits: AdmissionLimits, bundler: Bundler): Promise<Attempt> {
  const modules = new Map([[ENTRY, toEntry(tools)]]);
  for (const [index, { validators }] of tools.entries()) {
    modules.set(`toolcell:schema/${index}/first`, validators.first);
    modules.set(`toolcell:schema/${index}/all`, validators.all);
  }
  const resolution: Resolution = { inputs, graph: createImportGraph(), modules, refusal: null, isByContent: true };
  const outcome = await bundler.build(toBuildOptions(resolution));
  if (outcome.kind !== "built") return { outcome, resolution };
  const text = wrap(outcome.text);
  const isTooLarge = Buffer.byteLength(text) > limits.bundleBytes;
  return { outcome: isTooLarge ? { kind: "ended", by: "output" } : { kind: "built", text }, resolution };
}

/** Each tool's code runs when it is first loaded and not before: `import()` of a literal is bundled as a lazy module. */
function toEntry(tools: readonly BundledTool[]): string {
  const entries = tools.map(({ name, file }, index) => {
    const load = `load: () => import(${JSON.stringify(`./${file}`)})`;
    const check = `validate: () => import("toolcell:schema/${index}/first"), explain: () => import("toolcell:schema/${index}/all")`;
    return `  ${JSON.stringify(name)}: { file: ${JSON.stringify(file)}, ${load}, ${check} },\n`;
  });
  return `export const tools = {\n  __proto__: null,\n${entries.join("")}};\n`;
}

function toBuildOptions(resolution: Resolution): BuildOptions {
  return {
    entryPoints: [ENTRY],
    bundle: true,
    format: "iife",
    globalName: "__capability",
    platform: "neutral",
    target: "es2024",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    sourcemap: false,
    // The whole bundle is strict: what could not be is found in its own file and not when the bundle is loaded.
    tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
    // Many packages ask for this one; nothing here comes from the machine.
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [createBundlePlugin(resolution)],
  };
}

function wrap(bundle: string): string {
  return `__toolcell_load(function (__toolcell) { "use strict";\n${bundle}return __capability; });\n`;
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
  inputs: Inputs,
  tools: readonly BundledTool[],
  limits: AdmissionLimits,
  bundler: Bundler,
  by: EndedBy,
): Promise<Fault[]> {
  const enders: Fault[] = [];
  for (const tool of tools) {
    const outcome: BuildOutcome =
      tools.length === 1 ? { kind: "ended", by } : (await attemptBundle(inputs, [tool], limits, bundler)).outcome;
    if (outcome.kind === "ended") enders.push({ file: tool.file, line: null, reason: toEndReason(outcome.by, limits) });
  }
  if (enders.length === 0) throw new FolderRefusal(toEndReason(by, limits), by === "output");
  return enders;
}

function toEndReason(by: EndedBy, limits: AdmissionLimits): string {
  if (by === "output") return ADMISSION.bundleBytes(limits.bundleBytes);
  return by === "memory" ? ADMISSION.bundleMemory(limits.admitHeapBytes) : ADMISSION.bundlerEnded;
}
