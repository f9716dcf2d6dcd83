/** One side of a comparison: does its work `count` times, one after the other. */
export interface Contender {
  readonly name: string;
  run(count: number): Promise<void>;
}

export interface Comparison {
  readonly name: string;
  /** Medians over the rounds, in microseconds for one run. */
  readonly baseline: number;
  readonly contender: number;
  /** Of the ratios taken round by round: median, and where the middle half lies. */
  readonly ratio: number;
  readonly spread: readonly [number, number];
}

/** Runs both in turn, `rounds` times: what the machine does meanwhile happens to both. */
export async function compare(baseline: Contender, contender: Contender, rounds: number, count: number): Promise<Comparison> {
  const times: (readonly [number, number])[] = [];
  for (let round = -2; round < rounds; round += 1) {
    const pair = [await timeOf(baseline, count), await timeOf(contender, count)] as const;
    // The first two warm both up.
    if (round >= 0) times.push(pair);
  }
  const ratios = times.map(([base, other]) => other / base).sort((a, b) => a - b);
  return {
    name: `${contender.name} / ${baseline.name}`,
    baseline: quantile(
      times.map(([base]) => base).sort((a, b) => a - b),
      0.5,
    ),
    contender: quantile(
      times.map(([, other]) => other).sort((a, b) => a - b),
      0.5,
    ),
    ratio: quantile(ratios, 0.5),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

async function timeOf(contender: Contender, count: number): Promise<number> {
  const startedAt = performance.now();
  await contender.run(count);
  return ((performance.now() - startedAt) * 1000) / count;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
