import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { PROVIDED } from "../src/admission/builtins.ts";
import { toLibraries, toLicenceText } from "./licences.ts";
import { createNodeLibraryPlugin } from "./node-library.ts";

const ROOT = join(import.meta.dirname, "..");
const SHIMS = join(ROOT, "runtime-api/node");
const require = createRequire(import.meta.url);

/**
 * Bundles Node's modules for a guest into `outDir`: one self-contained module each, with what they share beside them, and
 * the licences of what is in them. Under every name that Node's own module has stands either what does it or a function
 * that says that it cannot be.
 */
export async function buildNodeShims(outDir: string): Promise<void> {
  // Two of them are asked here for their names alone.
  process.noDeprecation = true;
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const { metafile } = await build({
    entryPoints: PROVIDED.map((name) => ({ in: `facade:${name}`, out: toFileName(name) })),
    absWorkingDir: ROOT,
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "neutral",
    target: "es2024",
    mainFields: ["module", "main"],
    conditions: ["module"],
    chunkNames: "shared-[hash]",
    legalComments: "none",
    charset: "utf8",
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    logLevel: "error",
    define: { global: "globalThis" },
    plugins: [
      {
        name: "facade",
        setup(plugin) {
          plugin.onResolve({ filter: /^facade:/ }, ({ path }) => ({ path: path.slice("facade:".length), namespace: "facade" }));
          plugin.onLoad({ filter: /.*/, namespace: "facade" }, ({ path }) => ({ contents: toFacade(path), resolveDir: SHIMS }));
        },
      },
      createNodeLibraryPlugin(),
    ],
  });
  const node = `Node.js ${process.version} (MIT)\nhttps://github.com/nodejs/node\n\n${readFileSync(join(import.meta.dirname, "node-licence.txt"), "utf8")}`;
  writeFileSync(join(outDir, "LICENSES.txt"), `${await toLicenceText(ROOT, toLibraries(metafile))}\n${"-".repeat(80)}\n\n${node}`);
}

function toFileName(name: string): string {
  return name.replaceAll("/", "-");
}

/** A module with Node's names: an import of one that cannot be had is then an error where it is used, and not before. */
function toFacade(name: string): string {
  const own = require(`node:${name}`) as Readonly<Record<string, unknown>>;
  const names = Object.getOwnPropertyNames(own).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && !NOT_EXPORTED.has(key));
  const functions = names.filter((key) => typeof Object.getOwnPropertyDescriptor(own, key)?.value === "function");
  return `import { shim } from "./${toFileName(name)}.ts";
import { complete } from "./internal/complete.ts";
const whole = complete(${JSON.stringify(name)}, shim, ${JSON.stringify(functions)});
export default whole;
const { ${names.map((key) => `${key}: ${key}_`).join(", ")} } = whole;
export { ${names.map((key) => `${key}_ as ${key}`).join(", ")} };
`;
}

/** Properties of the function that a module is, and what is no name for a binding. */
const NOT_EXPORTED = new Set(["length", "name", "prototype", "arguments", "caller", "default"]);
