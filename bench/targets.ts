import type { Ratio } from "../src/bench/ratio.ts";
import type { ScopeReport } from "../src/bench/run.ts";
import { toFigure, toTable } from "../src/bench/pretty.ts";

/** What a ratio is to be, and what it may become before the guard says so. */
export interface Target {
  readonly scope: string;
  /** Of the ratio, in its scope's report. */
  readonly id: string;
  readonly says: string;
  readonly bound: "at most" | "at least";
  /** Null for what is watched and was never promised. */
  readonly value: number | null;
  /** What a guard's run measures where nothing has regressed; null for what no guard's run measures, or not well enough. */
  readonly usual: number | null;
  /** The guard speaks up beyond `usual` times this, or below it in as many parts. Below 1.5: a regression by half again is seen. */
  readonly margin: number;
}

// The one table: what is promised, and what is watched. `npm run bench -- --guard` prints what each measures now.
export const TARGETS: readonly Target[] = [
  row("call", "p50-floor", "warm call, one at a time, p50 against the bare floor", "at most", 1.35, 1.95, 1.4),
  row("call", "cpu-floor", "CPU of a warm call against the bare floor's", "at most", 1.35, 2.1, 1.4),
  row("call", "p50-mcp", "p50 of a warm call against MCP over stdio", "at most", 0.85, 0.85, 1.4),
  row("call", "cpu-mcp", "CPU of a warm call against MCP over stdio", "at most", 0.8, 0.8, 1.4),
  // The slowest of a hundred are the machine's more than anybody's.
  row("call", "p99-mcp", "p99 of a warm call against MCP over stdio's", "at most", 1, null, 1.4),
  row("throughput", "rate-mcp", "calls a second, 64 at once over 1 capability, against MCP over stdio", "at least", 2, 1.6, 1.4),
  row("throughput", "cpu-floor", "CPU of a call, 64 at once, against the bare floor's", "at most", null, 2.1, 1.4),
  // On two cores one run in three is half as fast as the next.
  row("throughput", "rate-8-1", "calls a second, 64 at once, over 8 capabilities against 1", "at least", 1.3, null, 1.4),
  row("payload", "p50-floor-1MiB", "1 MiB as argument and as result, against the bare floor", "at most", 1.5, 1.1, 1.4),
  row("start", "first-spare", "first call with a spare, against a warm call, an isolate and the bundle run", "at most", 2, 2.1, 1.4),
  row("start", "first-cold", "first call without a spare, against Node started and isolated-vm loaded", "at most", 1.5, 1.65, 1.4),
  // What the system takes to hand an isolate its memory was seen to change threefold from one run to the next.
  row("call", "p50-fresh", "warm call against a fresh isolate for each call", "at most", 0.1, null, 1.4),
  row("density", "latency-200", "warm call while 200 cells stand, against 1", "at most", 1.15, null, 1.4),
  row("density", "shared-memory", "private memory of one of 8 idle cells in a process, against one alone", "at most", null, 0.33, 1.2),
  row("density", "memory", "private memory of an idle cell, against an empty Node with isolated-vm", "at most", 1.25, 1.46, 1.2),
];

/** The scopes that a guard's run measures. */
export const GUARDED = [...new Set(TARGETS.filter(({ usual }) => usual !== null).map(({ scope }) => scope))];

/** The table of what was promised, with what this run says to it. A target whose scope was not run is not in it. */
export function targetLines(reports: readonly ScopeReport[]): string[] {
  const asked = TARGETS.filter(({ value }) => value !== null).filter(({ scope }) => reports.some((report) => report.scope === scope));
  const lines = asked.map((target) => {
    const ratio = ratioOf(reports, target);
    const seen = ratio === null ? ["-", "not measured"] : [toFigure(ratio.median), isMet(target, ratio) ? "met" : "not met"];
    return [target.says, target.bound, toFigure(target.value ?? NaN), ...seen];
  });
  return toTable([["", "", "target", "measured", ""], ...lines]);
}

export function isMet({ bound, value }: Target, { median }: Pick<Ratio, "median">): boolean {
  return value === null || (bound === "at most" ? median <= value : median >= value);
}

/** What the guard has to say to one target. */
export interface Watched {
  readonly target: Target;
  readonly limit: number;
  /** Null where this run could not take it: that is told, and no regression. */
  readonly ratio: Ratio | null;
  readonly hasRegressed: boolean;
}

/** Every target that is guarded, held against what a run measured. */
export function watch(reports: readonly ScopeReport[]): readonly Watched[] {
  return TARGETS.flatMap((target) => {
    const limit = limitOf(target);
    if (limit === null) return [];
    const ratio = ratioOf(reports, target);
    const isBeyond = ratio !== null && (target.bound === "at most" ? ratio.median > limit : ratio.median < limit);
    return [{ target, limit, ratio, hasRegressed: isBeyond }];
  });
}

/** The guard's table, as lines. */
export function watchedLines(watched: readonly Watched[]): string[] {
  const lines = watched.map(({ target, limit, ratio, hasRegressed }) => [
    `${target.scope} ${target.id}`,
    toFigure(target.usual ?? NaN),
    `${target.bound} ${toFigure(limit)}`,
    ratio === null ? "-" : toFigure(ratio.median),
    ratio === null ? "not measured" : hasRegressed ? "REGRESSED" : "ok",
  ]);
  return toTable([["", "usual", "limit", "now", ""], ...lines]);
}

/** Where the guard speaks up, or null for what is not guarded. */
export function limitOf({ bound, usual, margin }: Target): number | null {
  if (usual === null) return null;
  return bound === "at most" ? usual * margin : usual / margin;
}

function ratioOf(reports: readonly ScopeReport[], { scope, id }: Target): Ratio | null {
  return reports.find((report) => report.scope === scope)?.ratios.find((ratio) => ratio.id === id) ?? null;
}

function row(
  scope: string,
  id: string,
  says: string,
  bound: Target["bound"],
  value: number | null,
  usual: number | null,
  margin: number,
): Target {
  return { scope, id, says, bound, value, usual, margin };
}
