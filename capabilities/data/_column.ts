import { medianSorted, sampleStandardDeviation, sum } from "simple-statistics";

export interface ColumnSummary {
  readonly name: string;
  readonly type: "number" | "boolean" | "date" | "text" | "nested" | "mixed" | "empty";
  /** Values that are there; `missing` are null or an empty text. */
  readonly count: number;
  readonly missing: number;
  /** Null where there are too many to count. */
  readonly distinct: number | null;
  readonly min: string | number | null;
  readonly max: string | number | null;
  readonly numbers: { readonly sum: number; readonly mean: number; readonly median: number; readonly stdev: number | null } | null;
  readonly top: readonly { readonly value: string; readonly count: number }[];
}

/** Past this many distinct values a column is no longer counted value by value: the count would outgrow memory. */
const MOST_DISTINCT = 100_000;

export function describeColumn(name: string, values: readonly unknown[], top: number): ColumnSummary {
  const present = values.filter((value) => value !== null && value !== undefined && value !== "");
  const type = toType(present);
  const counts = countValues(present);
  const sorted = type === "number" ? Float64Array.from(present, Number).sort() : null;
  const [min, max] = sorted ? [sorted[0] ?? null, sorted.at(-1) ?? null] : toTextRange(type, present);
  return {
    name,
    type,
    count: present.length,
    missing: values.length - present.length,
    distinct: counts?.size ?? null,
    min,
    max,
    numbers: sorted && toNumbers(Array.from(sorted)),
    top: counts === null ? [] : toRanking(counts, top),
  };
}

function toType(present: readonly unknown[]): ColumnSummary["type"] {
  if (present.length === 0) return "empty";
  const types = new Set<ColumnSummary["type"]>();
  for (const value of present) types.add(typeOf(value));
  const [first = "mixed"] = types;
  if (types.size === 1) return first;
  return [...types].every((type) => type === "text" || type === "date") ? "text" : "mixed";
}

function typeOf(value: unknown): ColumnSummary["type"] {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "object") return "nested";
  return ISO_DATE.test(toText(value)) ? "date" : "text";
}

const ISO_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[-+]\d{2}:?\d{2})?)?$/;

function countValues(present: readonly unknown[]): Map<string, number> | null {
  const counts = new Map<string, number>();
  for (const value of present) {
    const key = toText(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (counts.size > MOST_DISTINCT) return null;
  }
  return counts;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Dates in ISO form stand in the order of their text; of other text the first and last say little, so only dates have a range. */
function toTextRange(type: ColumnSummary["type"], present: readonly unknown[]): [string | null, string | null] {
  if (type !== "date") return [null, null];
  const texts = present.map(toText);
  return [texts.reduce((least, text) => (text < least ? text : least)), texts.reduce((most, text) => (text > most ? text : most))];
}

function toNumbers(sorted: number[]): ColumnSummary["numbers"] {
  const total = sum(sorted);
  return {
    sum: total,
    mean: total / sorted.length,
    median: medianSorted(sorted),
    stdev: sorted.length > 1 ? sampleStandardDeviation(sorted) : null,
  };
}

function toRanking(counts: ReadonlyMap<string, number>, limit: number): { value: string; count: number }[] {
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}
