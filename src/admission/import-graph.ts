/** Who imports whom in one bundle, so that an error in a file breaks the tools that reach it and no others. */
export interface ImportGraph {
  add(importer: string, imported: string): void;
  /** The entries from which a file is reached, itself included where it is one. */
  entriesReaching(file: string, entries: readonly string[]): string[];
  /** A file and everything that leads to it, the nearest first. */
  reaching(file: string): Iterable<string>;
}

export function createImportGraph(): ImportGraph {
  const importersOf = new Map<string, Set<string>>();

  function add(importer: string, imported: string): void {
    const importers = importersOf.get(imported);
    if (importers === undefined) importersOf.set(imported, new Set([importer]));
    else importers.add(importer);
  }

  function reaching(file: string): Set<string> {
    const reached = new Set([file]);
    // A Set is walked to its end, also through what is added on the way.
    for (const current of reached) for (const importer of importersOf.get(current) ?? []) reached.add(importer);
    return reached;
  }

  function entriesReaching(file: string, entries: readonly string[]): string[] {
    const reached = reaching(file);
    return entries.filter((entry) => reached.has(entry));
  }

  return { add, entriesReaching, reaching };
}
