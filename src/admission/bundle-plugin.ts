import path from "node:path";
import type { Loader, OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";
import { ADMISSION } from "../catalogue/texts.ts";
import { engineModuleOf, engineModuleSource } from "./engine-modules.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { ImportGraph } from "./import-graph.ts";
import type { Inputs } from "./inputs.ts";
import type { CapabilityRecord } from "./record.ts";
import { resolveImport, toNotFound } from "./resolve.ts";
import { addonSource, isNodeModule, workerSource, type Patterns } from "./worker-bundle.ts";

/** A stranger's files, named relative to their folder. */
export const FOLDER = "capability";
/** Modules of ours; nothing of a stranger resolves into it but `toolcell/tool` and the file modules. */
const ENGINE = "toolcell";
/** Native addons of a worker: each is a module of ours that loads the file. */
const ADDON = "addon";

export interface Resolution {
  readonly inputs: Inputs;
  readonly runtime: CapabilityRecord["runtime"];
  readonly patterns: Patterns;
  readonly graph: ImportGraph;
  /** Filled while bundling: what stops the whole folder, and whether a reason was found outside the sources. */
  refusal: FolderRefusal | null;
  isByContent: boolean;
}

const LOADERS: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  [".ts", "ts"],
  [".mts", "ts"],
  [".cts", "ts"],
  [".js", "js"],
  [".mjs", "js"],
  [".cjs", "js"],
  [".json", "json"],
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
      build.onLoad({ filter: /.*/, namespace: FOLDER }, (args) => loadFile(args.path, resolution));
      build.onLoad({ filter: /.*/, namespace: ADDON }, (args) => ({
        contents: addonSource(resolution.inputs.read(args.path)),
        loader: "js",
      }));
      build.onLoad({ filter: /.*/, namespace: ENGINE }, (args) => loadModule(args.path));
    },
  };
}

function resolveForFolder(args: OnResolveArgs, resolution: Resolution): OnResolveResult | undefined {
  const { path: specifier, importer, kind } = args;
  const isWorker = resolution.runtime === "worker";
  const ours = engineModuleOf(specifier, resolution.runtime);
  if (ours !== null) return { path: ours, namespace: ENGINE, sideEffects: false };
  // Nothing is looked up for `require.resolve`: it stays as it is and fails where it runs.
  if (kind === "require-resolve") return { path: specifier, external: true };
  if (resolution.refusal !== null) return fail(resolution.refusal.message);
  if (isWorker && isNodeModule(specifier)) return { path: specifier, external: true };
  try {
    const source = resolveImport(resolution.inputs, { specifier, importer, isRequire: kind === "require-call", isWorker });
    // A package may try for another that is not there and go on without it: esbuild knows whether it does.
    if (source === null) return kind === "import-statement" ? fail(toNotFound(specifier)) : undefined;
    if (isWorker && source.file.endsWith(".node")) return { path: source.file, namespace: ADDON };
    if (!LOADERS.has(path.posix.extname(source.file))) return fail(ADMISSION.importKind(specifier));
    resolution.graph.add(importer, source.file);
    return { path: source.file, namespace: FOLDER };
  } catch (error) {
    return failFor(error, resolution);
  }
}

/** What our own modules import: each other, and the entry, which is no module of its own, the tools. */
function resolveForEngine({ path: specifier, namespace }: OnResolveArgs, resolution: Resolution): OnResolveResult {
  if (namespace === ENGINE) return { path: specifier, namespace: ENGINE };
  try {
    const source = resolution.inputs.read(specifier.slice("./".length));
    return { path: source.file, namespace: FOLDER };
  } catch (error) {
    return failFor(error, resolution);
  }
}

function loadFile(file: string, { inputs, runtime, patterns }: Resolution): OnLoadResult {
  const source = inputs.read(file);
  const loader = LOADERS.get(path.posix.extname(file)) ?? "js";
  return { contents: runtime === "worker" && loader !== "json" ? workerSource(source, patterns) : source.bytes, loader };
}

function loadModule(name: string): OnLoadResult {
  const contents = engineModuleSource(name);
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
