import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runInGuest, type Place, type Run } from "./guest.ts";
import { folderNameOf, installPackage } from "./install.ts";
import { PACKAGES, type Package } from "./list.ts";
import { packagesPage, passing, passingByPage, timesTrivial, type Tried } from "./page.ts";
import { startService, type Service } from "./service.ts";

// `npm run packages`: every package, and docs/packages.md; exit 1, with the page left as it is, where fewer pass than it says.
// Names after it try those alone and write nothing. `--folder DIR` keeps what was installed there for the next time.

const PAGE = join(import.meta.dirname, "../docs/packages.md");

const { values, positionals } = parseArgs({ options: { folder: { type: "string" } }, allowPositionals: true });
const unknown = positionals.find((word) => !PACKAGES.some(({ name }) => name === word));
if (unknown !== undefined) throw new RangeError(`"${unknown}" is no package of packages/versions.json`);
const chosen = positionals.length === 0 ? PACKAGES : PACKAGES.filter(({ name }) => positionals.includes(name));
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "toolcell-packages-")) : resolve(values.folder);
try {
  await using service = await startService();
  const tried: Tried[] = [];
  for (const entry of chosen) tried.push(show({ entry, ...(await tryPackage(entry, service)) }));
  console.log(`${passing(tried)} of ${tried.length} pass`);
  if (chosen === PACKAGES) publish(tried);
  else if (passing(tried) < tried.length) process.exitCode = 1;
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function tryPackage(entry: Package, service: Service): Promise<Run> {
  const name = folderNameOf(entry.name);
  const place = placeOf(name);
  const capability = join(place.capabilities, name);
  // What an engine of another day bundled is no answer to what this one does.
  rmSync(place.home, { recursive: true, force: true });
  try {
    await installPackage(entry, capability);
    const permissions = { ...(entry.wasm && { wasm: true }), ...(entry.service && { network: [service.host] }) };
    writeFileSync(join(capability, "index.ts"), `export const PERMISSIONS = ${JSON.stringify(permissions)};\n`);
    return await runInGuest(place, name, entry.service ? { service: service.url } : {}, entry.answer);
  } catch (error) {
    // npm's own failures, the network's among them: the others go on.
    const fault = error instanceof Error ? error.message : String(error);
    return { asked: "", fault, detail: "", bundleBytes: null, firstMs: null, trivialMs: null };
  }
}

function placeOf(name: string): Place {
  return { home: join(folder, name, "home"), capabilities: join(folder, name, "capabilities") };
}

function show(tried: Tried): Tried {
  const { entry, fault, detail } = tried;
  console.log(fault === null ? `yes ${entry.name}, ${timesTrivial(tried)} times` : `no  ${entry.name}: ${fault}\n${detail}`.trimEnd());
  return tried;
}

function publish(tried: readonly Tried[]): void {
  const before = passingByPage(readIfThere(PAGE));
  if (passing(tried) < before) {
    console.error(`Fewer pass than the ${before} of docs/packages.md, which is left as it is`);
    process.exitCode = 1;
  } else writeFileSync(PAGE, packagesPage(tried));
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
