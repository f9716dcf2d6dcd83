import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { toLibraries, toLicenceText } from "./licences.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = join(ROOT, "capabilities");
/** Those that are there only where an engine has an agent. */
export const AGENT_SOURCE = join(ROOT, "agent-capabilities");

/** What one shipped capability came to. */
export interface BuiltCapability {
  readonly name: string;
  readonly bytes: number;
  readonly files: readonly { readonly file: string; readonly bytes: number }[];
  /** The libraries inside, as folders relative to the project. */
  readonly libraries: readonly string[];
}

/**
 * Bundles each folder of `capabilities/` into `outDir/<name>/`: the tool files as plain JavaScript whose constants stay
 * literals, what they share and their libraries in `_shared/`, and the libraries' licences in LICENSES.txt.
 * The same sources give the same bytes. What is in `outDir` before is removed.
 */
export async function buildCapabilities(outDir: string, source: string = SOURCE): Promise<readonly BuiltCapability[]> {
  await rm(outDir, { recursive: true, force: true });
  const entries = await readdir(source, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => buildCapability(name, join(source, name), join(outDir, name))));
}

async function buildCapability(name: string, source: string, outDir: string): Promise<BuiltCapability> {
  const sources = (await readdir(source)).filter((file) => file.endsWith(".ts")).sort();
  const { outputFiles, metafile } = await build({
    // The `_` files are entries too: that alone moves them and their libraries out of the tool files, which stay readable.
    entryPoints: sources.map((file) => join(source, file)),
    absWorkingDir: ROOT,
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    mainFields: ["module", "main"],
    external: ["toolcell/tool"],
    chunkNames: "_shared/[name]-[hash]",
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    write: false,
    logLevel: "error",
  });

  const files: { file: string; bytes: number }[] = [];
  const write = async (file: string, contents: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(outDir, file)), { recursive: true });
    await writeFile(join(outDir, file), contents);
    files.push({ file, bytes: Buffer.byteLength(contents) });
  };
  for (const { path, contents } of outputFiles) {
    const file = path.slice(outDir.length + 1);
    // What is left of a `_` entry names again what is in `_shared/`; nothing imports it.
    if (!basename(file).startsWith("_")) await write(file, contents);
  }
  const libraries = toLibraries(metafile);
  if (libraries.length > 0) await write("LICENSES.txt", await toLicenceText(ROOT, libraries));
  return {
    name,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.sort((a, b) => (a.file < b.file ? -1 : 1)),
    libraries,
  };
}
