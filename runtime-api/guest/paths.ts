/** Both ways between the machine's paths and the mounts, for a runtime that shows its tools the machine's own. */
export interface PathTranslation {
  /** The mount's path for one of the machine's; whatever is none stays as it is. */
  toMount(path: string): string;
  /** A text for the model, with the mounts in the place of the machine's paths. */
  shown(text: string): string;
}

// An isolate knows no path but the mounts'.
let translation: PathTranslation | null = null;

/** Set once, before any package's code runs. */
export function translatePaths(by: PathTranslation): void {
  translation = by;
}

/** A path as the host's powers name it. */
export function toMount<T>(path: T): T | string {
  return translation === null || typeof path !== "string" ? path : translation.toMount(path);
}

/** The arguments of a request for files, with its paths as the host names them. */
export function withMounts(args: object): object {
  if (translation === null) return args;
  const named = { ...args } as { path?: unknown; from?: unknown; to?: unknown };
  for (const name of ["path", "from", "to"] as const) if (name in named) named[name] = toMount(named[name]);
  return named;
}

/** A text as the model may read it. */
export function shown(text: string): string {
  return translation === null ? text : translation.shown(text);
}
