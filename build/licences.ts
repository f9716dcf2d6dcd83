import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** One text that names each bundled library, its version, its licence and where its source is, as the licences ask. */
export async function toLicenceText(root: string, libraries: readonly string[]): Promise<string> {
  const chapters = await Promise.all(libraries.map((library) => toChapter(join(root, library))));
  return `The code in this folder contains parts of these libraries.\n\n${chapters.join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** The packages that at least one byte of the output comes from. */
export function toLibraries(metafile: Metafile): string[] {
  const libraries = new Set<string>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      const library = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
      if (library !== undefined && bytesInOutput > 0) libraries.add(library);
    }
  }
  return [...libraries].sort();
}

async function toChapter(folder: string): Promise<string> {
  const { name, version, license, homepage, repository } = toManifest(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).sort().find((entry) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(entry));
  if (file === undefined)
    throw new Error(`The library "${name}" brings no licence text, so it cannot be bundled. Choose another, or ship its licence by hand`);
  const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n").trim();
  return `${name} ${version} (${license})\n${repository ?? homepage ?? "no address given"}\n\n${text}\n`;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly homepage: string | undefined;
  readonly repository: string | undefined;
}

function toManifest(json: string): Manifest {
  const manifest: unknown = JSON.parse(json);
  const field = (holder: unknown, key: string): string | undefined => {
    if (typeof holder !== "object" || holder === null) return undefined;
    const value: unknown = Reflect.get(holder, key);
    return typeof value === "string" ? value : undefined;
  };
  const repository = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "repository") : undefined;
  return {
    name: field(manifest, "name") ?? "",
    version: field(manifest, "version") ?? "",
    license: field(manifest, "license") ?? "see below",
    homepage: field(manifest, "homepage"),
    repository: (field(repository, "url") ?? field(manifest, "repository"))?.replace(/^git\+/, ""),
  };
}
