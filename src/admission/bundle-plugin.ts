import path from "node:path";
import type { Loader, OnLoadArgs, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import { fileFrom, type MadeModules } from "./adapted-modules.ts";
import { remedyFor } from "./builtins.ts";
import {
  EMPTY_MODULE,
  engineModuleSource,
  listFreeModules,
  nodeModule,
  refusedModule,
  siblingModule,
  TEST_MODULE,
  TOOL_MODULE,
} from "./engine-modules.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import { createImportGraph, type ImportGraph } from "./import-graph.ts";
import type { Inputs } from "./inputs.ts";
import type { CapabilityRecord } from "./record.ts";
import { packageName, type OtherForms } from "./package-forms.ts";
import { resolveImport, toNotFound, type Meaning } from "./resolve.ts";
import { quotable } from "./visible-text.ts";
import { addonSource, isNodeModule, workerSource, type Patterns } from "./worker-bundle.ts";

/** A stranger's files, named relative to their folder. */
export const FOLDER = "capability";
/** Modules of ours; nothing of a stranger resolves into it but `toolcell/tool` and what stands for Node's modules. */
const ENGINE = "toolcell";
/** Native addons of a worker: each is a module of ours that loads the file. */
const ADDON = "addon";

export interface Resolution {
  readonly inputs: Inputs;
  readonly graph: ImportGraph;
  readonly runtime: CapabilityRecord["runtime"];
  readonly patterns: Patterns;
  readonly forms: OtherForms;
  /** Whether the package asks for WebAssembly. */
  readonly isWasmAsked: boolean;
  /** Modules of ours that were made for this bundle. */
  readonly modules: MadeModules;
  /** Modules of Node's that cannot be had, by who imports what. */
  readonly refusals: Map<string, string>;
  /** Modules of the names that Node's packages find without importing them, as far as a source names one. */
  readonly freeModules: Set<string>;
  /** Whether something in it follows a call through its promises. */
  isContextUsed: boolean;
  /** Filled while bundling: what stops the whole folder, and whether a reason was found outside the sources. */
  refusal: FolderRefusal | null;
  isByContent: boolean;
}

export function createResolution(
  given: Pick<Resolution, "inputs" | "runtime" | "patterns" | "forms" | "isWasmAsked" | "modules">,
): Resolution {
  return {
    ...given,
    graph: createImportGraph(),
    refusals: new Map(),
    freeModules: new Set(),
    isContextUsed: false,
    refusal: null,
    isByContent: true,
  };
}

const LOADERS: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
  [".json", "json"],
  [".wasm", "binary"],
]);
/** `import bytes from "./font.ttf" with { type: "bytes" }`: any file of the folder, as a Uint8Array or as text. */
const LOADERS_BY_TYPE: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ["bytes", "binary"],
  ["text", "text"],
]);

/**
 * Resolves and loads everything that goes into a bundle. esbuild itself never looks at the disk: what it is handed is
 * what was read and checked here, under names that say nothing of where the folder is.
 */
export function createBundlePlugin(resolution: Resolution): Plugin {
  return {
    name: "toolcell",
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) =>
        args.namespace === FOLDER ? resolveForFolder(args, resolution) : resolveForEngine(args, resolution),
      );
      build.onLoad({ filter: /.*/, namespace: FOLDER }, (args) => loadFile(args, resolution));
      build.onLoad({ filter: /.*/, namespace: ADDON }, (args) => ({
        contents: addonSource(resolution.inputs.read(args.path)),
        loader: "js",
      }));
      build.onLoad({ filter: /.*/, namespace: ENGINE }, (args) => loadModule(args.path, resolution));
    },
  };
}

function resolveForFolder(args: OnResolveArgs, resolution: Resolution): OnResolveResult | undefined {
  const { path: specifier, importer, kind } = args;
  if (specifier === TOOL_MODULE || specifier === TEST_MODULE) return { path: specifier, namespace: ENGINE, sideEffects: false };
  // Nothing is looked up for `require.resolve`: it stays as it is and fails where it runs.
  if (kind === "require-resolve") return { path: specifier, external: true };
  if (resolution.refusal !== null) return fail(resolution.refusal.message);
  const isWorker = resolution.runtime === "worker";
  if (isWorker && isNodeModule(specifier)) return { path: specifier, external: true };
  try {
    const isRequire = kind === "require-call";
    const meaning = resolveImport(resolution.inputs, resolution.forms, { specifier, importer, isRequire, isWorker });
    // A package may try for another that is not there and go on without it: esbuild knows whether it does.
    if (meaning === null) return kind === "import-statement" ? fail(toNotFound(specifier)) : undefined;
    return toResult(meaning, args, resolution);
  } catch (error) {
    return failFor(error, resolution);
  }
}

function toResult(meaning: Meaning, args: OnResolveArgs, resolution: Resolution): OnResolveResult | undefined {
  const { path: specifier, importer, kind } = args;
  switch (meaning.kind) {
    case "empty":
      return { path: EMPTY_MODULE, namespace: ENGINE };
    case "builtin":
      if (meaning.name === "async_hooks") resolution.isContextUsed = true;
      return { path: nodeModule(meaning.name, kind === "require-call"), namespace: ENGINE, sideEffects: false };
    case "refused":
      if (kind === "dynamic-import") return { path: refusedModule(meaning.name), namespace: ENGINE };
      resolution.refusals.set(toRefusalKey(importer, specifier), meaning.name);
      return kind === "import-statement" ? fail(toUnresolved(specifier)) : undefined;
    case "file": {
      const { file } = meaning.source;
      if (resolution.runtime === "worker" && file.endsWith(".node")) return { path: file, namespace: ADDON };
      assertKind(specifier, file, args.with["type"], resolution);
      resolution.graph.add(importer, file);
      return { path: file, namespace: FOLDER };
    }
  }
}

function assertKind(specifier: string, file: string, type: string | undefined, { isWasmAsked }: Resolution): void {
  const ending = path.posix.extname(file);
  const shown = quotable(specifier);
  if (ending === ".node") throw new FileFault(ADMISSION.importAddon(shown));
  if (type !== undefined && type !== "json" && !LOADERS_BY_TYPE.has(type)) throw new FileFault(ADMISSION.importType(shown, quotable(type)));
  if (!LOADERS.has(ending) && !LOADERS_BY_TYPE.has(type ?? "")) throw new FileFault(ADMISSION.importKind(shown));
  if (ending === ".wasm" && !isWasmAsked) throw new FileFault(ADMISSION.importWasm(shown));
}

/** As esbuild words it where nobody resolves a `require`: both are read in one place. */
function toUnresolved(specifier: string): string {
  return `Could not resolve "${specifier}"`;
}

function toRefusalKey(importer: string, specifier: string): string {
  return `${importer}\0${specifier}`;
}

/** Which module of Node's a file wanted that cannot be had, or undefined where it was something else that was not found. */
export function refusedIn({ refusals }: Resolution, importer: string, specifier: string): string | undefined {
  return refusals.get(toRefusalKey(importer, specifier));
}

/** The sentence for it: who asks, and what to do. */
export function toRefusedReason(builtin: string, importer: string, specifier: string): string {
  return ADMISSION.importBuiltin(quotable(specifier), packageName(importer), remedyFor(builtin));
}

/** What our own modules import: each other, and the entry, which is no module of its own, the tools. */
function resolveForEngine({ path: specifier, importer, namespace, kind }: OnResolveArgs, resolution: Resolution): OnResolveResult {
  // What is injected is asked for as an entry is.
  if (kind === "entry-point") return { path: specifier, namespace: ENGINE };
  const sibling = siblingModule(importer, specifier);
  if (sibling !== null) return { path: sibling, namespace: ENGINE, sideEffects: false };
  const made = fileFrom(importer, specifier);
  if (made === null && (namespace === ENGINE || resolution.modules.has(specifier))) return { path: specifier, namespace: ENGINE };
  try {
    const source = resolution.inputs.read(made ?? specifier.slice("./".length));
    return { path: source.file, namespace: FOLDER };
  } catch (error) {
    return failFor(error, resolution);
  }
}

function loadFile({ path: file, with: attributes }: OnLoadArgs, { inputs, runtime, patterns, freeModules }: Resolution): OnLoadResult {
  const loader = LOADERS_BY_TYPE.get(attributes["type"] ?? "") ?? LOADERS.get(path.posix.extname(file)) ?? "js";
  const source = inputs.read(file);
  const { bytes } = source;
  const isCode = loader === "js" || loader === "ts";
  // One of the author's own that is empty is being saved: what is imported from it is missing, and not undefined.
  if (isCode && bytes.length === 0 && packageName(file) === null) return { contents: "export {};", loader };
  if (runtime === "worker") return { contents: isCode ? workerSource(source, patterns) : bytes, loader };
  if (isCode) for (const name of listFreeModules(bytes)) freeModules.add(name);
  return { contents: bytes, loader };
}

function loadModule(name: string, { modules }: Resolution): OnLoadResult {
  const contents = modules.get(name) ?? engineModuleSource(name);
  return contents === null ? fail(`No module ${name}`) : { contents, loader: "js" };
}

function failFor(error: unknown, resolution: Resolution): OnResolveResult {
  if (error instanceof FolderRefusal) resolution.refusal = error;
  else if (!(error instanceof FileFault)) throw error;
  else if (!error.isByContent) resolution.isByContent = false;
  return fail(error.message);
}

function fail(text: string): { errors: { text: string }[] } {
  return { errors: [{ text }] };
}
