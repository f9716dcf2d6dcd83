/** What was seen in the rounds of a run: the median, and the ends of the middle half. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Of single calls: half of them, 95 and 99 of 100 were at most as long. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Nothing is left out, neither the slowest nor the first. Throws RangeError for no values at all. */
export function toSpread(values: readonly number[]): Spread {
  const sorted = inOrder(values);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** As `toSpread`, of the times of calls. Throws RangeError for no values at all. */
export function toTimes(values: readonly number[]): Times {
  const sorted = inOrder(values);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), p99: quantile(sorted, 0.99) };
}

function inOrder(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new RangeError("There is no quantile of no values");
  return values.toSorted((one, other) => one - other);
}

// Between two values, in proportion: with fifteen rounds the ends of the middle half fall between rounds.
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}
