import { measureJson } from "../bridge/measure.ts";
import { TRIM } from "../catalogue/texts.ts";

export interface Trimmed {
  readonly text: string;
  /** Characters of the original that are shown, and that there were; null where nothing was left out. */
  readonly trimmed: { readonly shown: number; readonly total: number } | null;
}

const HEAD_SHARE = 0.65;

/**
 * A text held to `limit` characters: its head and its tail around a line that says how much was left out. A text that is
 * a JSON object or array is shortened by its structure and stays JSON. `left` characters are missing from `text` already,
 * at the joint of head and tail.
 */
export function trimText(text: string, limit: number | null, left = 0): Trimmed {
  const total = text.length + left;
  const room = Math.min(limit ?? Infinity, left > 0 ? text.length : Infinity);
  if (total <= room) return { text, trimmed: null };
  const json = left > 0 ? null : shortenJson(text, room);
  if (json !== null) return { text: json, trimmed: { shown: json.length, total } };
  return trimFlat(text, total, room);
}

function trimFlat(text: string, total: number, limit: number): Trimmed {
  const marker = TRIM.leftOut(total);
  const room = Math.max(0, limit - marker.length);
  const head = text.slice(0, boundaryBefore(text, Math.floor(room * HEAD_SHARE)));
  const tail = text.slice(boundaryAfter(text, text.length - (room - Math.floor(room * HEAD_SHARE))));
  const shown = head.length + tail.length;
  const line = TRIM.leftOut(total - shown);
  // No room even for the line: the line alone says it, cut short.
  return { text: room === 0 ? line.slice(0, limit) : `${head}${line}${tail}`, trimmed: { shown: room === 0 ? 0 : shown, total } };
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// The longest emoji are some 30 units; a longer run of combining marks is nobody's character.
const WINDOW = 64;

// The nearest end of a character at or before `at`.
function boundaryBefore(text: string, at: number): number {
  return at <= 0 ? 0 : (clusterAt(text, at)?.start ?? at);
}

function boundaryAfter(text: string, at: number): number {
  return at >= text.length ? text.length : (clusterAt(text, Math.max(0, at))?.end ?? at);
}

// The character that a cut at `at` would split, or undefined where it splits none.
function clusterAt(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  let from = Math.max(0, at - WINDOW);
  if (from > 0 && isLowSurrogate(text, from)) from -= 1;
  const cluster = segmenter.segment(text.slice(from, at + WINDOW)).containing(at - from);
  if (cluster === undefined || cluster.index + from === at) return undefined;
  return { start: cluster.index + from, end: cluster.index + from + cluster.segment.length };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// What is nested deeper or holds more values costs more to walk than its shape is worth: it is cut as a text.
const WALKABLE = { depth: 128, values: 500_000 };

// From generous to scant: items of an array or an object, characters of a string, levels.
const STEPS = [
  [512, 4096, 128],
  [256, 2048, 128],
  [128, 1024, 128],
  [64, 512, 64],
  [32, 256, 32],
  [16, 128, 16],
  [8, 96, 16],
  [4, 64, 8],
  [2, 48, 8],
  [1, 40, 4],
  [1, 40, 2],
  [0, 0, 1],
] as const;

function shortenJson(text: string, limit: number): string | null {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return null;
  const { depth, values } = measureJson(text, WALKABLE);
  if (depth > WALKABLE.depth || values > WALKABLE.values) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const indent = /^[[{]\n( +)/u.exec(text)?.[1]?.length ?? 0;
  for (const [items, chars, levels] of STEPS) {
    const json = JSON.stringify(shorten(value, { items, chars }, levels), null, indent);
    if (json.length <= limit) return json;
  }
  return null;
}

interface Share {
  readonly items: number;
  readonly chars: number;
}

function shorten(value: unknown, share: Share, levels: number): unknown {
  if (typeof value === "string") return shortenString(value, share);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TRIM.nestedLeftOut;
  return Array.isArray(value) ? shortenArray(value, share, levels - 1) : shortenObject(value, share, levels - 1);
}

function shortenString(text: string, { chars }: Share): string {
  return text.length <= chars ? text : trimFlat(text, text.length, chars).text;
}

function shortenArray(array: readonly unknown[], share: Share, levels: number): unknown[] {
  const { items } = share;
  const kept = (item: unknown): unknown => shorten(item, share, levels);
  if (array.length <= items) return array.map(kept);
  const head = Math.ceil(items * HEAD_SHARE);
  return [
    ...array.slice(0, head).map(kept),
    TRIM.itemsLeftOut(array.length - items),
    ...array.slice(array.length - (items - head)).map(kept),
  ];
}

function shortenObject(object: object, share: Share, levels: number): Record<string, unknown> {
  const entries = Object.entries(object);
  const kept = entries
    .slice(0, share.items)
    .map(([key, item]): [string, unknown] => [shortenString(key, share), shorten(item, share, levels)]);
  if (entries.length > share.items) kept.push(["…", TRIM.keysLeftOut(entries.length - share.items)]);
  return Object.fromEntries(kept);
}
