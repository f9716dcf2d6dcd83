/** The guest's runtime: a script whose value is a function of the keeper's two. */
export interface Runtime {
  readonly source: string;
  /** What V8 has compiled of it already; null where that is another V8's. */
  readonly cache: Uint8Array | null;
}

// One file holds both, since a keeper may read no other: the source, and behind it a comment with what is compiled. V8 takes
// no cache of another version, of other flags or for another source, and then the source is compiled anew.
const MARK = "\n//# compiled by ";

/** The text of a runtime file. */
export function packRuntime(source: string, cache: Uint8Array): string {
  return `${source}${MARK}${maker()} ${Buffer.from(cache).toString("base64")}\n`;
}

export function unpackRuntime(text: string): Runtime {
  const end = text.lastIndexOf(MARK);
  if (end === -1) return { source: text, cache: null };
  const [by, base64 = ""] = text.slice(end + MARK.length).split(" ", 2);
  return { source: text.slice(0, end), cache: by === maker() ? new Uint8Array(Buffer.from(base64, "base64")) : null };
}

function maker(): string {
  return `${process.versions.v8}-${process.platform}-${process.arch}`;
}
