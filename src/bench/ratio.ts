import type { Figures, Row } from "./rounds.ts";
import { toSpread, type Spread } from "./statistics.ts";

/** What is to be told of two sides that ran in the same rounds. */
export interface RatioAsk {
  /** Its name in saved runs. */
  readonly id: string;
  readonly figure: keyof Figures;
  readonly of: string;
  /** The names of the other side; of several, their sum. */
  readonly against: readonly string[];
}

export interface Ratio extends RatioAsk, Spread {
  /** Round by round: what the above is of. */
  readonly rounds: readonly number[];
}

/** The ratio taken round by round, where both sides took part and the system told the figure; null elsewhere. */
export function toRatio(rows: readonly Row[], ask: RatioAsk): Ratio | null {
  const side = figuresOf(rows, ask.of, ask.figure);
  const others = ask.against.map((name) => figuresOf(rows, name, ask.figure));
  const rounds = side.map((figure, round) => figure / others.reduce((sum, other) => sum + (other[round] ?? NaN), 0));
  return rounds.length === 0 || !rounds.every(Number.isFinite) ? null : { ...ask, ...toSpread(rounds), rounds };
}

function figuresOf(rows: readonly Row[], name: string, figure: keyof Figures): readonly number[] {
  return rows.find((row) => row.name === name)?.rounds.map((round) => round[figure] ?? NaN) ?? [];
}
