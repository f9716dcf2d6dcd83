import type { BundleMap } from "./bundle-map.ts";

/** A place in a bundle, both from 0. */
interface Spot {
  readonly line: number;
  readonly column: number;
}

/** Of a stack no more is told; a guest says how long it is. */
const LINE_COUNT = 50;
const LINE_CHARS = 1000;
const FRAME = /^\s+at /;
const PLACE = /\bcapability\.js:(\d{1,9}):(\d{1,9})/;
/** The bundler calls a function by the name of the file whose body it is. */
const MODULE_BODY = /^(\s+at )capability:.* \((.*)\)$/;
const RUNTIME_PLACE = /\bguest\.js:\d/;

/**
 * A stack that a cell has sent, with the author's files and lines in place of the bundle's. It is a stranger's text: a line
 * that is no frame stays as it is, and a frame is left out that leads into code of the bundler's or the runtime's.
 */
export function traceStack(stack: string, capability: string, map: BundleMap): string {
  const lines = stack.split("\n", LINE_COUNT).map((line) => line.slice(0, LINE_CHARS));
  const places = findPlaces(
    map,
    lines.flatMap((line) => spotOf(line, map) ?? []),
  );
  return lines.flatMap((line) => traceLine(line, capability, map, places)).join("\n");
}

function traceLine(line: string, capability: string, map: BundleMap, places: ReadonlyMap<string, string>): readonly string[] {
  if (!FRAME.test(line)) return [line];
  const spot = spotOf(line, map);
  if (spot === null) return RUNTIME_PLACE.test(line) ? [] : [line];
  const place = places.get(keyOf(spot));
  if (place === undefined) return [];
  return [line.replace(PLACE, () => place.replace(/^capability:/, `${capability}/`)).replace(MODULE_BODY, "$1$2")];
}

function spotOf(line: string, { leadingLines }: BundleMap): Spot | null {
  const [, row, column] = (FRAME.test(line) ? PLACE.exec(line) : null) ?? [];
  return row === undefined || column === undefined ? null : { line: Number(row) - 1 - leadingLines, column: Number(column) - 1 };
}

function keyOf({ line, column }: Spot): string {
  return `${line}:${column}`;
}

/** Where each of these comes from, as `file:line:column`. The mappings are gone through once, as far as the last of them. */
function findPlaces({ sources, mappings }: BundleMap, spots: readonly Spot[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const lastLine = Math.max(-1, ...spots.map(({ line }) => line));
  const reader = createReader(mappings);
  let [source, sourceLine, sourceColumn] = [0, 0, 0];
  for (let line = 0; line <= lastLine && !reader.isAtEnd(); line += 1) {
    const wanted = spots.filter((spot) => spot.line === line);
    for (let column = 0; reader.isInLine();) {
      column += reader.readNumber();
      const isMapped = reader.isInSegment();
      if (isMapped) {
        source += reader.readNumber();
        sourceLine += reader.readNumber();
        sourceColumn += reader.readNumber();
        // The name that a segment may end with.
        if (reader.isInSegment()) reader.readNumber();
      }
      const place = isMapped && wanted.length > 0 ? `${sources[source] ?? "unknown"}:${sourceLine + 1}:${sourceColumn + 1}` : null;
      for (const spot of wanted) {
        if (spot.column < column) continue;
        if (place === null) places.delete(keyOf(spot));
        else places.set(keyOf(spot), place);
      }
      reader.skip(COMMA);
    }
    reader.skip(SEMICOLON);
  }
  return places;
}

interface MappingReader {
  isAtEnd(): boolean;
  isInLine(): boolean;
  isInSegment(): boolean;
  skip(mark: number): void;
  /** The next number, in base 64 with the sign in its last bit. */
  readNumber(): number;
}

const [COMMA, SEMICOLON] = [",".charCodeAt(0), ";".charCodeAt(0)];
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** By the digit's code, and -1 for what is none. A large bundle has millions of digits. */
const VALUES = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));

function createReader(mappings: string): MappingReader {
  let at = 0;
  const valueAt = (index: number): number => VALUES[mappings.charCodeAt(index)] ?? -1;

  return {
    isAtEnd: () => at >= mappings.length,
    isInLine: () => at < mappings.length && mappings.charCodeAt(at) !== SEMICOLON,
    isInSegment: () => valueAt(at) >= 0,
    skip: (mark) => {
      if (mappings.charCodeAt(at) === mark) at += 1;
    },
    readNumber: () => {
      let [value, weight] = [0, 1];
      for (;;) {
        const digit = valueAt(at);
        at += 1;
        // What is no digit ends a number that is cut short.
        if (digit < 0) break;
        value += (digit & 31) * weight;
        weight *= 32;
        if (digit < 32) break;
      }
      return value % 2 === 1 ? -Math.floor(value / 2) : value / 2;
    },
  };
}
