import { isBuiltin } from "node:module";
import type { Message } from "esbuild";
import type { SourceFile } from "./source-file.ts";

/*
 * What is different in the bundle of a worker. Its runtime hands it `__toolcell.at(file)`: where a source file stands, and the
 * way from there to what is no part of the bundle.
 */

const PLACE = "__toolcell_file";

/** What a source may ask of itself, by the name that stands for it in a bundle. */
export const WORKER_DEFINES: Readonly<Record<string, string>> = {
  "import.meta.url": `${PLACE}.url`,
  "import.meta.filename": `${PLACE}.filename`,
  "import.meta.dirname": `${PLACE}.dirname`,
  __filename: `${PLACE}.filename`,
  __dirname: `${PLACE}.dirname`,
};

/** One of Node's own modules: it stays outside the bundle, also where a package of that name is there. */
export function isNodeModule(specifier: string): boolean {
  return isBuiltin(specifier);
}

/** Places in one source, as esbuild tells them, at which it would look for files by a pattern. Those are left to Node, when they run. */
export type Patterns = Map<string, Pattern[]>;
interface Pattern {
  /** From 1. */
  readonly line: number;
  /** In bytes. */
  readonly column: number;
  readonly length: number;
  readonly isRequire: boolean;
}

/** Notes every pattern among the errors. True where there was a new one, so that another attempt comes further. */
export function notePatterns(errors: readonly Message[], namespace: string, patterns: Patterns): boolean {
  let isNew = false;
  for (const { text, location } of errors) {
    const kind = /^Could not resolve (require|import)\(".*\*\*.*"\)$/su.exec(text)?.[1];
    if (kind === undefined || location === null || !location.file.startsWith(`${namespace}:`)) continue;
    const { line, column, length } = location;
    const file = location.file.slice(namespace.length + 1);
    const known = patterns.get(file) ?? [];
    if (known.some((other) => other.line === line && other.column === column)) continue;
    patterns.set(file, [...known, { line, column, length, isRequire: kind === "require" }]);
    isNew = true;
  }
  return isNew;
}

/** A source for a worker's bundle: it begins with its place, on the line that it already has, and resolves patterns from there. */
export function workerSource({ file, bytes }: SourceFile, patterns: Patterns): Uint8Array {
  const source = Buffer.from(bytes);
  // A hashbang is one at the very beginning alone.
  const start = source.subarray(0, 2).toString("latin1") === "#!" ? source.indexOf("\n") + 1 : 0;
  const place = Buffer.from(`const ${PLACE} = /* @__PURE__ */ __toolcell.at(${JSON.stringify(file)}); `);
  const whole = Buffer.concat([source.subarray(0, start), place, source.subarray(start)]);
  return withPatterns(whole, patterns.get(file) ?? []);
}

/** A native addon as a module: the file itself, as long as it is the one that was read. */
export function addonSource({ file, sha256 }: SourceFile): string {
  return `module.exports = __toolcell.addon(${JSON.stringify(file)}, ${JSON.stringify(sha256)});\n`;
}

// From the end, so that what is put in moves nothing that is still to come.
function withPatterns(source: Buffer, patterns: readonly Pattern[]): Buffer {
  const ends = patterns.map((pattern) => ({ ...pattern, at: startOfLine(source, pattern.line) + pattern.column }));
  let patched = source;
  for (const { at, length, isRequire } of ends.sort((left, right) => right.at - left.at)) {
    const before = patched.subarray(0, at);
    const expression = patched.subarray(at, at + length);
    const way = Buffer.from(`${PLACE}.${isRequire ? "pathOf" : "urlOf"}(`);
    patched = Buffer.concat([before, way, expression, Buffer.from(")"), patched.subarray(at + length)]);
  }
  return patched;
}

function startOfLine(source: Buffer, line: number): number {
  let at = 0;
  for (let current = 1; current < line; current += 1) at = source.indexOf("\n", at) + 1;
  return at;
}
