/** Where the code of a bundle comes from. It is kept behind the code, for the owner's log, and no cell is given it. */
export interface BundleMap {
  /** Lines of a bundle before the code that is mapped. */
  readonly leadingLines: number;
  /** Files by the names that the bundler knows them by: never a path of the machine. */
  readonly sources: readonly string[];
  /** As in a source map of revision 3. */
  readonly mappings: string;
}

/** What the bundler printed: code, and behind it a source map. */
interface Printed {
  readonly code: string;
  readonly map: Omit<BundleMap, "leadingLines"> | null;
}

const PRINTED_MARK = "//# sourceMappingURL=data:application/json;base64,";
const MARK = "\n//# map=";

export function splitPrinted(printed: string): Printed {
  const at = printed.lastIndexOf(PRINTED_MARK);
  if (at === -1) return { code: printed, map: null };
  const json = Buffer.from(printed.slice(at + PRINTED_MARK.length), "base64").toString("utf8");
  const { sources, mappings } = JSON.parse(json) as { sources: string[]; mappings: string };
  return { code: printed.slice(0, at), map: { sources, mappings } };
}

/** A bundle as it is stored: its text, in which the code stands, and the map of that code. */
export function withMap(text: string, { code, map }: Printed): string {
  if (map === null) return text;
  const leadingLines = text.slice(0, Math.max(0, text.indexOf(code))).split("\n").length - 1;
  return `${text.trimEnd()}${MARK}${JSON.stringify({ leadingLines, ...map })}\n`;
}

/** What a cell loads of a stored bundle. */
export function codeOf(stored: string): string {
  const at = markOf(stored);
  return at === -1 ? stored : stored.slice(0, at + 1);
}

/** The map of a stored bundle, or null where it has none. */
export function mapOf(stored: string): BundleMap | null {
  const at = markOf(stored);
  return at === -1 ? null : (JSON.parse(stored.slice(at + MARK.length)) as BundleMap);
}

/** Only the last line is ours: one that looks like it stands somewhere in a package's own text. */
function markOf(stored: string): number {
  const at = stored.lastIndexOf("\n", stored.length - 2);
  return at !== -1 && stored.startsWith(MARK, at) ? at : -1;
}
