import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { toLibraries, toLicenceText } from "./licences.ts";

/** What stands between the guest's runtime and sources of other forms, each as one file that is bundled with such a source. */
export async function buildAdapters(root: string): Promise<void> {
  const folder = `${root}runtime-api/guest/adapt`;
  const { metafile } = await build({
    entryPoints: ["module.ts", "package.ts"].map((name) => `${folder}/${name}`),
    outdir: `${root}dist/adapt`,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    metafile: true,
    plugins: [
      {
        name: "adapters",
        // There is one ToolError in a cell, or what one throws the other would not know.
        setup: (adapters) => adapters.onResolve({ filter: /\/tool-error\.ts$/ }, () => ({ path: "toolcell/tool", external: true })),
      },
    ],
  });
  writeFileSync(`${root}dist/adapt-LICENSES.txt`, await toLicenceText(root, toLibraries(metafile)));
}
