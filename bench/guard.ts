import type { ScopeReport } from "../src/bench/run.ts";
import { measureScope } from "./measure.ts";
import { GUARDED, watch, watchedLines, type Watched } from "./targets.ts";

/**
 * A short run of what is guarded. What seems to have regressed is measured once more, by itself: only what regressed twice
 * has. Resolves with whether all is well, having printed what it saw.
 */
export function runGuard(measure: (scope: string) => ScopeReport = (scope) => measureScope(scope, true)): boolean {
  const first = watch(GUARDED.map(measure));
  print(first);
  const suspects = first.filter(({ hasRegressed }) => hasRegressed);
  if (suspects.length === 0) return true;
  const scopes = [...new Set(suspects.map(({ target }) => target.scope))];
  console.log(`\nOnce more: ${scopes.join(", ")}\n`);
  const again = watch(scopes.map(measure)).filter(({ target }) => suspects.some((suspect) => suspect.target === target));
  print(again);
  const regressed = again.filter(({ hasRegressed }) => hasRegressed);
  for (const { target, ratio } of regressed)
    console.log(`REGRESSED: ${target.says}: ${ratio?.median.toFixed(3) ?? "-"} where ${target.usual?.toFixed(3) ?? "-"} is usual`);
  return regressed.length === 0;
}

function print(watched: readonly Watched[]): void {
  for (const line of watchedLines(watched)) console.log(line);
}
