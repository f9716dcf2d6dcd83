import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { build, type BuildOptions } from "esbuild";
import { createAdmission } from "../src/admission/admission.ts";
import { readLimits } from "../src/engine/options.ts";
import { buildAdapters } from "./adapters.ts";
import { AGENT_SOURCE, buildCapabilities } from "./capabilities.ts";
import { buildChecks, buildTestModule } from "./checks.ts";
import { buildGlobals } from "./globals.ts";
import { toLibraries, toLicenceText } from "./licences.ts";
import { buildNodeShims } from "./node-shims.ts";

const root = new URL("..", import.meta.url).pathname;
const PROGRAM = {
  outdir: `${root}dist`,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node24",
  legalComments: "none",
} as const satisfies BuildOptions;

rmSync(`${root}dist`, { recursive: true, force: true });
tsc("tsconfig.build.json");
tsc("runtime-api/tsconfig.build.json");
await buildHost();
await buildGuest();
await buildPrograms();
await buildChecks(root);
await buildTestModule(root);
await buildAdapters(root);
await buildGlobals(root);
compileGuest();
await buildNodeShims(`${root}dist/node`);
await buildCapabilities(`${root}dist/capabilities`);
await buildCapabilities(`${root}dist/agent-capabilities`, AGENT_SOURCE);
await readShipped();
chmodSync(`${root}dist/cli.js`, 0o755);

function tsc(project: string): void {
  run([`${root}node_modules/typescript/bin/tsc`, "-p", `${root}${project}`]);
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * What runs in the host, in a handful of files: a command spends most of its time on loading them. All but the command
 * line's first look at Node is two folders below the package's own, where `builtPath` finds the rest.
 */
async function buildHost(): Promise<void> {
  await build({
    ...PROGRAM,
    entryPoints: { cli: `${root}src/cli.ts`, "host/index": `${root}src/index.ts`, "host/worker": `${root}src/admission/worker.ts` },
    chunkNames: "host/[name]-[hash]",
    splitting: true,
    packages: "external",
  });
}

/** The guest's runtime as one script, and the licences of what is in it: its value is `boot`, a function of what the keeper gives it. */
async function buildGuest(): Promise<void> {
  const { outputFiles, metafile } = await build({
    entryPoints: [`${root}runtime-api/guest/main.ts`],
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    write: false,
    format: "iife",
    globalName: "runtime",
    target: "es2024",
    platform: "neutral",
    minifyWhitespace: true,
    minifySyntax: true,
  });
  // No function of the keeper's is handed on as it is.
  const boot = "return runtime.boot(function(t,c,b){$0(t,c,b)},function(...a){return $1(...a)},$2)";
  writeFileSync(`${root}dist/guest.js`, `(function($0,$1,$2){${outputFiles[0]?.text ?? ""}${boot}})\n`);
  writeFileSync(`${root}dist/guest-LICENSES.txt`, await toLicenceText(root, toLibraries(metafile)));
}

/** Puts the runtime and what V8 makes of it into one file. Any other V8 than this one compiles the source. */
function compileGuest(): void {
  run(["--no-node-snapshot", `${root}dist/compile-runtime.js`, `${root}dist/guest.js`, `${root}dist/guest.bin`]);
  rmSync(`${root}dist/guest.js`);
}

/** What runs in processes of its own, each as one file: it starts the faster the fewer files it reads, and a keeper may read no other. */
async function buildPrograms(): Promise<void> {
  await build({
    ...PROGRAM,
    entryPoints: { thread: `${root}src/thread/main.ts`, "compile-runtime": `${root}src/keeper/compile-runtime.ts` },
    external: ["isolated-vm"],
  });
  // As modules they would start a sixth later, and hold more: Node then loads its other loader as well.
  await build({
    ...PROGRAM,
    entryPoints: {
      keeper: `${root}src/keeper/main.ts`,
      probe: `${root}src/keeper/probe.ts`,
      "floor-child": `${root}src/bench/floor-child.ts`,
    },
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    external: ["isolated-vm"],
  });
}

/** Reads and bundles the shipped capabilities once for all: a first call on a fresh machine then waits for neither. */
async function readShipped(): Promise<void> {
  await using admission = createAdmission({ cacheDir: `${root}dist/shipped-cache`, shippedDir: null, limits: readLimits({}) });
  for (const folder of [`${root}dist/capabilities`, `${root}dist/agent-capabilities`]) {
    for (const name of readdirSync(folder).sort()) {
      const { refused, broken } = await admission.admit(`${folder}/${name}`, { shipped: true });
      if (refused !== null || broken.length > 0) throw new Error(`${name}: ${refused ?? JSON.stringify(broken)}`);
    }
  }
}
