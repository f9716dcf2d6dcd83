import { geometricMean, harmonicMean, linearRegression, sampleCorrelation, sampleKurtosis, sampleSkewness, sum } from "simple-statistics";
import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";

export const NAME = "math_statistics";
export const DESCRIPTION =
  "Describe a list of numbers: count, sum, mean, median, modes, quartiles and other percentiles, variance, standard deviation, skewness, " +
  "kurtosis and outliers. With a second list also the correlation and the straight line that fits best.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    values: { type: "array", items: { type: "number" }, minItems: 1, description: "The numbers." },
    against: {
      type: "array",
      items: { type: "number" },
      minItems: 2,
      description: "A second list of the same length: `values` is taken as x, this as y.",
    },
    percentiles: {
      type: "array",
      items: { type: "number", minimum: 0, maximum: 100 },
      maxItems: 20,
      default: [],
      description: "More percentiles to give, such as 90 or 99.9.",
    },
    population: {
      type: "boolean",
      default: false,
      description: "The numbers are all there are, not a sample: divide the variance by n, not by n - 1.",
    },
  },
  required: ["values"],
  additionalProperties: false,
} as const;

interface Args {
  readonly values: readonly number[];
  readonly against?: readonly number[];
  readonly percentiles?: readonly number[];
  readonly population?: boolean;
}

export function run(_context: ToolContext, { values, against, percentiles = [], population = false }: Args): ToolResult {
  if (values.length === 0) throw new ToolError('"values" is empty. Give at least one number.');
  const sorted = Array.from(Float64Array.from(values).sort());
  const facts = {
    ...describe(sorted, population),
    percentiles: Object.fromEntries(percentiles.map((percent) => [String(percent), quantile(sorted, percent / 100)])),
  };
  const relation = against && relate(values, against);
  return {
    text: [...toLines(facts, population), ...(relation ? toRelationLines(relation) : [])].join("\n"),
    summary: `n ${facts.count}, mean ${show(facts.mean)}, stdev ${show(facts.stdev)}`,
    payload: { ...facts, ...(relation && { relation }) },
  };
}

function describe(sorted: number[], isPopulation: boolean) {
  const count = sorted.length;
  const total = sum(sorted); // Kahan's: small numbers are not lost beside large ones.
  const mean = total / count;
  const squares = sum(sorted.map((value) => (value - mean) ** 2));
  const divisor = isPopulation ? count : count - 1;
  const variance = divisor > 0 ? squares / divisor : null;
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)];
  const fence = 1.5 * (q3 - q1);
  const isPositive = (sorted[0] ?? 0) > 0;
  const hasSpread = squares > 0;
  return {
    count,
    sum: total,
    mean,
    median,
    modes: toModes(sorted),
    min: sorted[0] ?? 0,
    max: sorted.at(-1) ?? 0,
    q1,
    q3,
    variance,
    stdev: variance === null ? null : Math.sqrt(variance),
    standardError: variance === null ? null : Math.sqrt(variance / count),
    skewness: hasSpread && count > 2 ? sampleSkewness(sorted) : null,
    kurtosis: hasSpread && count > 3 ? sampleKurtosis(sorted) : null,
    geometricMean: isPositive ? geometricMean(sorted) : null,
    harmonicMean: isPositive ? harmonicMean(sorted) : null,
    outliers: sorted.filter((value) => value < q1 - fence || value > q3 + fence),
  };
}

/** Between the two nearest values, in proportion: what spreadsheets and NumPy give (type 7 of Hyndman and Fan). */
function quantile(sorted: readonly number[], fraction: number): number {
  const at = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

/** Every value that occurs most often; none where all occur once. The list is sorted, so equal values stand together. */
function toModes(sorted: readonly number[]): number[] {
  let modes: number[] = [];
  let most = 1;
  let length = 0;
  sorted.forEach((value, index) => {
    length = value === sorted[index - 1] ? length + 1 : 1;
    if (length > most) [most, modes] = [length, [value]];
    else if (length === most && most > 1) modes.push(value);
  });
  return modes;
}

function relate(x: readonly number[], y: readonly number[]) {
  if (x.length !== y.length)
    throw new ToolError(`"values" has ${x.length} numbers and "against" ${y.length}. Give two lists of the same length.`);
  const isFlat = (list: readonly number[]): boolean => list.every((value) => value === list[0]);
  if (isFlat(x) || isFlat(y))
    throw new ToolError('One of the two lists holds the same number throughout, so there is nothing to relate. Leave "against" out.');
  const correlation = sampleCorrelation([...x], [...y]);
  const { m: slope, b: intercept } = linearRegression(x.map((value, index) => [value, y[index] ?? 0]));
  return { correlation, rSquared: correlation ** 2, slope, intercept };
}

function toLines(facts: ReturnType<typeof describe> & { percentiles: Readonly<Record<string, number>> }, isPopulation: boolean): string[] {
  const { modes, outliers } = facts;
  const list = (values: readonly number[]): string =>
    values.slice(0, 10).map(show).join(", ") + (values.length > 10 ? ` and ${values.length - 10} more` : "");
  return [
    `count ${facts.count}, sum ${show(facts.sum)}, mean ${show(facts.mean)}, median ${show(facts.median)}, mode ${modes.length > 0 ? list(modes) : "none"}`,
    `min ${show(facts.min)}, q1 ${show(facts.q1)}, q3 ${show(facts.q3)}, max ${show(facts.max)}`,
    `variance ${show(facts.variance)}, standard deviation ${show(facts.stdev)} (${isPopulation ? "population" : "sample"}), standard error ${show(facts.standardError)}`,
    `skewness ${show(facts.skewness)}, kurtosis ${show(facts.kurtosis)}, geometric mean ${show(facts.geometricMean)}, harmonic mean ${show(facts.harmonicMean)}`,
    ...(Object.keys(facts.percentiles).length > 0
      ? [
          `percentiles: ${Object.entries(facts.percentiles)
            .map(([percent, value]) => `${percent} % ${show(value)}`)
            .join(", ")}`,
        ]
      : []),
    `outliers (over 1.5 quartile ranges away): ${outliers.length > 0 ? list(outliers) : "none"}`,
  ];
}

function toRelationLines({ correlation, rSquared, slope, intercept }: ReturnType<typeof relate>): string[] {
  return [
    `correlation ${show(correlation)}, r squared ${show(rSquared)}, best line y = ${show(slope)} x ${intercept < 0 ? "-" : "+"} ${show(Math.abs(intercept))}`,
  ];
}

function show(value: number | null): string {
  return value === null ? "-" : String(Number(value.toPrecision(10)));
}
