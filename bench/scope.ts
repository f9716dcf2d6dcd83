import { parseArgs } from "node:util";
import { toPretty } from "../src/bench/pretty.ts";
import { toRatio, type RatioAsk } from "../src/bench/ratio.ts";
import type { Plan, Row } from "../src/bench/rounds.ts";
import { loadNow, toRun, type LeftOut, type ScopeReport } from "../src/bench/run.ts";
import { findAddon } from "../src/cell/addon.ts";

const ROUNDS = 15;

/** Why a quick run leaves out what is not there yet. */
export const QUICK_INSTALLS_NOTHING = "A quick run installs nothing, and it is not there yet: a whole run of this scope brings it";

/** What a scope found out. */
export interface Measured {
  readonly about: string;
  readonly rows: readonly Row[];
  readonly asks: readonly RatioAsk[];
  readonly leftOut?: readonly LeftOut[];
}

/** Measures one scope; a quick run has shorter turns, not fewer rounds, and leaves out what takes long to set up. */
export type Measure = (isQuick: boolean) => Promise<Measured>;

/** How long the turns of single calls are. */
export function callPlan(isQuick: boolean, warmUps = 5): Plan {
  return { rounds: ROUNDS, warmUps, least: 1, ...(isQuick ? { turnMs: 25, most: 250 } : { turnMs: 60, most: 400 }) };
}

/** The program of one scope: prints what it found, with `--json` as JSON alone. */
export async function runScope(scope: string, measure: Measure): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "boolean" }, quick: { type: "boolean" } } });
  const before = loadNow();
  const { about, rows, asks, leftOut = [] } = await measure(values.quick === true);
  const found = asks.map((ask) => ({ ask, ratio: toRatio(rows, ask) }));
  // What is asked of a side that was left out has its reason there.
  const untold = found.filter(
    ({ ask, ratio }) => ratio === null && [ask.of, ...ask.against].every((name) => rows.some((row) => row.name === name)),
  );
  const report: ScopeReport = {
    scope,
    about,
    roundCount: ROUNDS,
    load: [before, loadNow()],
    rows,
    ratios: found.map(({ ratio }) => ratio).filter((ratio) => ratio !== null),
    leftOut: [...leftOut, ...untold.map(({ ask }) => ({ name: ask.id, reason: "The system does not tell it" }))],
  };
  const text = values.json === true ? JSON.stringify(report) : toPretty(toRun([report], findAddon()));
  await new Promise<void>((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}
