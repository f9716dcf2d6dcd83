/** A text seen as lines: where each starts, and which one a position lies in. */
export interface Lines {
  readonly count: number;
  /** The line's text without its line end; `index` counts from 0. */
  at(index: number): string;
  /** The index of the line that holds this position of the text. */
  holding(position: number): number;
  startOf(index: number): number;
}

export function toLines(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // A line end closes the last line; it does not open an empty one.
  if (starts.length > 1 && starts.at(-1) === text.length) starts.pop();

  const startOf = (index: number): number => starts[index] ?? text.length;
  return {
    count: text === "" ? 0 : starts.length,
    startOf,
    at(index) {
      const line = text.slice(startOf(index), startOf(index + 1));
      return line.endsWith("\r\n") ? line.slice(0, -2) : line.endsWith("\n") ? line.slice(0, -1) : line;
    },
    holding(position) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (startOf(middle) <= position) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

/** At most `limit` characters around `from`, with an ellipsis where something is left out; never half a surrogate pair. */
export function clipAround(line: string, from: number, limit: number): string {
  if (line.length <= limit) return line;
  let start = Math.max(0, Math.min(from - Math.floor(limit / 3), line.length - limit));
  let end = Math.min(line.length, start + limit);
  if (isTrailing(line, start)) start += 1;
  if (isTrailing(line, end)) end -= 1;
  return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`;
}

function isTrailing(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
