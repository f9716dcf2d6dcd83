import type { Ratio } from "./ratio.ts";
import type { Run } from "./run.ts";
import type { Spread } from "./statistics.ts";

/** One ratio in two runs. */
export interface Change {
  readonly scope: string;
  readonly id: string;
  readonly saved: Spread;
  readonly now: Spread;
  /** The median now, in parts of the saved one. */
  readonly change: number;
  /** Whether the middle halves lie apart: less than that is no more than the machine's own restlessness. */
  readonly isBeyondSpread: boolean;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** Ratios that one of the two does not have. */
  readonly onlySaved: readonly string[];
  readonly onlyNow: readonly string[];
  readonly isSameMachine: boolean;
}

/** Ratios against ratios, and never a time: those are of another hour, and maybe of another machine. */
export function compareRuns(saved: Run, now: Run): Comparison {
  const [before, after] = [ratiosOf(saved), ratiosOf(now)];
  const scopes = new Set(now.scopes.map(({ scope }) => scope));
  const changes = [...after].flatMap(([name, ratio]) => {
    const other = before.get(name);
    return other === undefined ? [] : [toChange(name, other, ratio)];
  });
  return {
    changes,
    onlySaved: [...before.keys()].filter((name) => !after.has(name) && scopes.has(scopeIn(name))),
    onlyNow: [...after.keys()].filter((name) => !before.has(name)),
    isSameMachine: saved.machine.cpu === now.machine.cpu && saved.machine.coreCount === now.machine.coreCount,
  };
}

function ratiosOf({ scopes }: Run): ReadonlyMap<string, Ratio> {
  return new Map(scopes.flatMap(({ scope, ratios }) => ratios.map((ratio) => [`${scope} ${ratio.id}`, ratio] as const)));
}

function toChange(name: string, saved: Ratio, now: Ratio): Change {
  return {
    scope: scopeIn(name),
    id: now.id,
    saved: { median: saved.median, low: saved.low, high: saved.high },
    now: { median: now.median, low: now.low, high: now.high },
    change: now.median / saved.median,
    isBeyondSpread: now.low > saved.high || now.high < saved.low,
  };
}

function scopeIn(name: string): string {
  return name.slice(0, name.indexOf(" "));
}
