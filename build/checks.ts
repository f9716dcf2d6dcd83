import { readdirSync } from "node:fs";
import { build } from "esbuild";
import { CHECK_PREFIX } from "../src/admission/schema-checks.ts";

/** What compiled schemas call in a cell, each file a CommonJS module that requires the others by name. */
export async function buildChecks(root: string): Promise<void> {
  const folder = `${root}runtime-api/checks`;
  await build({
    entryPoints: readdirSync(folder).map((file) => `${folder}/${file}`),
    outdir: `${root}dist/checks`,
    bundle: true,
    format: "cjs",
    target: "es2024",
    platform: "neutral",
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [
      {
        name: "checks",
        setup: (checks) =>
          checks.onResolve({ filter: /^\.\/[a-z-]+\.ts$/ }, ({ path }) => ({
            path: `${CHECK_PREFIX}${path.slice(2, -3)}`,
            external: true,
          })),
      },
    ],
  });
}

/** `toolcell/test` as one file, for the bundles of tests. */
export async function buildTestModule(root: string): Promise<void> {
  await build({
    entryPoints: [`${root}runtime-api/test.ts`],
    outfile: `${root}dist/test-module.js`,
    bundle: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
  });
}
