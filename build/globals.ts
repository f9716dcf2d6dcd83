import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { toLicenceText } from "./licences.ts";

/** What a cell has beside the language, as TypeScript's own library describes it. */
const NAMES = [
  "AbortController AbortSignal Blob ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy Crypto CryptoKey CustomEvent",
  "DOMException DecompressionStream Event EventTarget File FormData Headers ReadableByteStreamController ReadableStream",
  "ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader Request Response",
  "SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream TransformStreamDefaultController URL",
  "URLPattern URLSearchParams WebAssembly WritableStream WritableStreamDefaultController WritableStreamDefaultWriter",
  "atob btoa crypto fetch queueMicrotask structuredClone",
].flatMap((names) => names.split(" "));

/** And what is less, or more, or something else than there. */
const OWN = `
interface Console {
  assert(condition?: boolean, ...data: any[]): void;
  clear(): void;
  count(label?: string): void;
  countReset(label?: string): void;
  debug(...data: any[]): void;
  dir(item?: any, options?: any): void;
  dirxml(...data: any[]): void;
  error(...data: any[]): void;
  group(...data: any[]): void;
  groupCollapsed(...data: any[]): void;
  groupEnd(): void;
  info(...data: any[]): void;
  log(...data: any[]): void;
  table(data?: any, properties?: string[]): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  timeLog(label?: string, ...data: any[]): void;
  trace(...data: any[]): void;
  warn(...data: any[]): void;
}
/** Writes to the owner's log. */
declare var console: Console;

interface Performance {
  readonly timeOrigin: number;
  /** Whole milliseconds. */
  now(): number;
  toJSON(): any;
}
declare var Performance: { prototype: Performance };
declare var performance: Performance;

interface Navigator {
  readonly userAgent: string;
}
declare var Navigator: { prototype: Navigator };
declare var navigator: Navigator;

declare var self: typeof globalThis;

declare function setTimeout<Args extends any[]>(handler: (...args: Args) => void, timeout?: number, ...args: Args): number;
declare function setInterval<Args extends any[]>(handler: (...args: Args) => void, timeout?: number, ...args: Args): number;
declare function setImmediate<Args extends any[]>(handler: (...args: Args) => void, ...args: Args): number;
declare function clearTimeout(id: number | undefined): void;
declare function clearInterval(id: number | undefined): void;
declare function clearImmediate(id: number | undefined): void;
declare function reportError(error: any): void;

type Transferable = ArrayBuffer | ReadableStream | WritableStream | TransformStream;
`;

const STATEMENT = /^(?:declare )?(?:interface|var|function|type|namespace) (\w+)/;
const COMMENT = /\/\*[\s\S]*?\*\//g;

/** Types of what stands on the global object of a cell, for `"types": ["toolcell/globals"]` in a capability's tsconfig.json. */
export async function buildGlobals(root: string): Promise<void> {
  const library = findLibrary(root);
  const text = readFileSync(`${root}${library}/lib/lib.webworker.d.ts`, "utf8").replaceAll(COMMENT, "");
  const folder = `${root}dist/runtime-api`;
  writeFileSync(`${folder}/globals.d.ts`, `${OWN}\n${pick(text).join("\n\n")}\n`.trimStart());
  writeFileSync(`${folder}/globals-LICENSES.txt`, await toLicenceText(root, [library]));
}

/** TypeScript's library comes with its compiler, in a package for each platform. */
function findLibrary(root: string): string {
  const name = readdirSync(`${root}node_modules/@typescript`).find((folder) => folder.startsWith("typescript-"));
  return `node_modules/@typescript/${name ?? ""}`;
}

/** The statements of these names, and the types, but no values, that they speak of. */
function pick(library: string): readonly string[] {
  const statements = Map.groupBy(toStatements(library), nameOf);
  const own = new Set(toStatements(OWN).map(nameOf));
  const names = new Set(NAMES);
  // A set is gone through with what is added meanwhile.
  for (const name of names) {
    const missing = !statements.has(name) && NAMES.includes(name);
    if (missing) throw new Error(`TypeScript's library knows no "${name}"`);
    for (const statement of taken(name)) for (const [word] of statement.matchAll(/\b[A-Z]\w+/g)) if (statements.has(word)) names.add(word);
  }
  return [...names].sort().flatMap(taken);

  function taken(name: string): readonly string[] {
    if (own.has(name)) return [];
    const isValue = NAMES.includes(name);
    return (statements.get(name) ?? []).map(toTidy).filter((text) => isValue || !text.startsWith("declare "));
  }
}

/** One begins at the margin, and a brace at the margin closes it. */
function toStatements(text: string): readonly string[] {
  return text.split(/\n(?=[^\s}])/).filter((statement) => STATEMENT.test(statement));
}

function nameOf(statement: string): string {
  return STATEMENT.exec(statement)?.[1] ?? "";
}

function toTidy(statement: string): string {
  return statement.replaceAll(/\n\s*\n/g, "\n").trimEnd();
}
