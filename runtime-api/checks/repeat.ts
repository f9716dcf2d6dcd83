export interface Repeat {
  readonly first: number;
  readonly second: number;
}

/** The first item that stands in an array a second time, or null. Each item is looked at once, and not once for each other. */
export function findRepeat(items: readonly unknown[]): Repeat | null {
  const seen = new Map<unknown, number>();
  for (const [second, item] of items.entries()) {
    const key = toKey(item);
    const first = seen.get(key);
    if (first !== undefined) return { first, second };
    seen.set(key, second);
  }
  return null;
}

/** The same for what is the same JSON. A text gets a mark, so that it is never the key of an object. */
function toKey(item: unknown): unknown {
  if (typeof item === "string") return `"${item}`;
  return typeof item === "object" && item !== null ? toSorted(item) : item;
}

function toSorted(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toSorted).join(",")}]`;
  const keyed = value as Readonly<Record<string, unknown>>;
  const entries = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toSorted(keyed[name])}`);
  return `{${entries.join(",")}}`;
}
