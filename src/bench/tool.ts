import { BENCH } from "../catalogue/texts.ts";
import type { Engine } from "../engine/engine.ts";
import type { Outcome } from "../engine/outcome.ts";
import { findAddon } from "../cell/addon.ts";
import { oneByOne } from "./contender.ts";
import { Floor } from "./floor.ts";
import { childPids } from "./processes.ts";
import { toRatio, type RatioAsk } from "./ratio.ts";
import { runRounds, type Plan } from "./rounds.ts";
import { loadNow, toRun, type Run } from "./run.ts";

/** The first call of a tool to be measured that failed. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.text);
    this.outcome = outcome;
  }
}

const [FLOOR, FRESH] = [BENCH.floor, BENCH.fresh];

/** One call at a time, most of them within a second a contender. */
export const TOOL_PLAN: Plan = { rounds: 15, warmUps: 3, turnMs: 60, least: 1, most: 400 };

/**
 * Warm calls of one tool, against the bare floor and a fresh isolate for each call, which both carry the same arguments and
 * run nothing. Rejects with CallFailed where a call does not end well, and with the reason of the plan's signal.
 */
export async function measureTool(engine: Engine, tool: string, args: object, plan: Plan): Promise<Run> {
  const callIt = async (): Promise<void> => {
    const outcome = await engine.call(tool, args, plan.signal === undefined ? {} : { signal: plan.signal });
    if (!outcome.ok) throw new CallFailed(outcome);
  };
  // A tool that cannot be called starts nothing else.
  await callIt();
  const addon = findAddon();
  await using floor = await Floor.start(addon.file);
  await using fresh = await Floor.start(addon.file, "fresh");
  // Of the engine's processes there may be others at any time: all that is not one of these two is its.
  const engines = (): readonly number[] => childPids().filter((pid) => pid !== floor.pid && pid !== fresh.pid);
  const before = loadNow();
  const rows = await runRounds(
    [
      oneByOne(
        FLOOR,
        () => floor.call(args),
        () => [floor.pid],
      ),
      oneByOne(tool, callIt, engines),
      oneByOne(
        FRESH,
        () => fresh.call(args),
        () => [fresh.pid],
      ),
    ],
    plan,
  );
  const asks: readonly RatioAsk[] = [
    { id: "p50-floor", figure: "p50", of: tool, against: [FLOOR] },
    { id: "p99-floor", figure: "p99", of: tool, against: [FLOOR] },
    { id: "cpu-floor", figure: "cpu", of: tool, against: [FLOOR] },
    { id: "p50-fresh", figure: "p50", of: tool, against: [FRESH] },
  ];
  const ratios = asks.map((ask) => toRatio(rows, ask)).filter((ratio) => ratio !== null);
  const scope = { scope: "tool", about: BENCH.aboutTool(tool), roundCount: plan.rounds, rows, ratios, leftOut: [] };
  return toRun([{ ...scope, load: [before, loadNow()] }], addon);
}
