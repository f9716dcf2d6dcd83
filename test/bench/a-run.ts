import type { Ratio } from "../../src/bench/ratio.ts";
import type { Row } from "../../src/bench/rounds.ts";
import type { Run, ScopeReport } from "../../src/bench/run.ts";
import { toSpread } from "../../src/bench/statistics.ts";

/** A row as if it had been measured: its p50 round by round, the rest in proportion. */
export function makeRow(name: string, p50s: readonly number[], cpus: readonly (number | null)[] = p50s): Row {
  const rounds = p50s.map((p50, round) => ({ p50, p95: p50 * 2, p99: p50 * 3, cpu: cpus[round] ?? null, rate: 1e6 / p50 }));
  const { median } = toSpread(p50s);
  return { name, unit: "us", callsARound: 100, times: { p50: median, p95: median * 2, p99: median * 3 }, rounds };
}

export function makeRatio(id: string, rounds: readonly number[]): Ratio {
  return { id, figure: "p50", of: "warm call", against: ["bare floor"], ...toSpread(rounds), rounds };
}

export function makeScope(scope: string, ratios: readonly Ratio[], rows: readonly Row[] = []): ScopeReport {
  return {
    scope,
    about: "something",
    roundCount: 3,
    load: [0.5, 0.75],
    rows,
    ratios,
    leftOut: [{ name: "Deno", reason: "it is not here" }],
  };
}

export function makeRun(scopes: readonly ScopeReport[], cpu = "A machine"): Run {
  const machine = { cpu, coreCount: 2, memoryBytes: 1024 ** 3, system: "linux 6", versions: { toolcell: "0.1.0", node: "24.0.0" } };
  return { format: 1, at: "2026-01-02T03:04:05.000Z", machine, scopes };
}
