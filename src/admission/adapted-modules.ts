import { commandOf, listerOf, type AdaptedEntry, type AdaptedSource } from "./adapted.ts";
import type { AdmissionLimits } from "./limits.ts";

/** Modules of ours that one bundle is made with, by name: each stands between the guest's runtime and a stranger's file. */
export type MadeModules = ReadonlyMap<string, string>;

/** How a stranger's file is reached from one of these; no name that a stranger writes is looked up among them. */
const PREFIX = "adapted/";

export const NO_MODULES: MadeModules = new Map();

/** The module that lists an entry's tools. The entry is run by the call, which has a deadline and words for each end. */
export function listingModule(source: AdaptedSource, index: number, limits: AdmissionLimits): readonly [string, string] {
  const entry = entryAt(source, index);
  const { toolCount, descriptionChars, schemaBytes } = limits;
  const about = { ...toAbout(entry), toolCount, descriptionChars, schemaBytes };
  return [
    `${PREFIX}${listerOf(index)}`,
    `import { list } from "${adapterOf(source)}";
export const run = async () => ({ text: "", payload: await list(await import(${JSON.stringify(`./${entry.file}`)}), ${JSON.stringify(about)}) });
`,
  ];
}

/** The module that runs one listed tool. All tools of one file share the one instance of it. */
export function servingModule(source: AdaptedSource, index: number, name: string): readonly [string, string] {
  return toServing(source, index, name, "serve");
}

/** The module that hands a command line over. */
export function commandModule(source: AdaptedSource): readonly [string, string] {
  return toServing(source, 0, commandOf(source.name), "serveCommand");
}

/** The file that a module of ours imports, or null where it imports another module of ours. */
export function fileFrom(importer: string, specifier: string): string | null {
  return importer.startsWith(PREFIX) && specifier.startsWith("./") ? specifier.slice("./".length) : null;
}

function toServing(source: AdaptedSource, index: number, name: string, serve: string): readonly [string, string] {
  const entry = entryAt(source, index);
  return [
    `${PREFIX}${name}`,
    `import { ${serve} } from "${adapterOf(source)}";
import * as entry from ${JSON.stringify(`./${entry.file}`)};
export const { run, unload } = ${serve}(entry, ${JSON.stringify({ ...toAbout(entry), name })});
`,
  ];
}

function toAbout({ key, exportName }: AdaptedEntry): object {
  return { key, exportName };
}

function adapterOf({ kind }: AdaptedSource): string {
  return `adapt/${kind}.js`;
}

function entryAt({ entries }: AdaptedSource, index: number): AdaptedEntry {
  const entry = entries[index];
  if (entry === undefined) throw new Error(`There is no entry ${index}`);
  return entry;
}
