import { BENCH } from "../catalogue/texts.ts";
import type { Change, Comparison } from "./compare.ts";
import type { Ratio } from "./ratio.ts";
import type { Row } from "./rounds.ts";
import type { Machine, Run, ScopeReport } from "./run.ts";
import { toSpread } from "./statistics.ts";

/** A run as lines for people. */
export function toPretty({ machine, scopes }: Run): string {
  return [...machineLines(machine), ...scopes.flatMap(scopeLines)].join("\n");
}

/** What a run is against a saved one, as lines for people. */
export function comparisonText({ changes, onlySaved, onlyNow, isSameMachine }: Comparison): string {
  const lines = changes.map(({ scope, id, saved, now, change, isBeyondSpread }: Change) => [
    `${scope} ${id}`,
    toFigure(saved.median),
    toFigure(now.median),
    `x ${toFigure(change)}`,
    isBeyondSpread ? BENCH.beyondSpread : "",
  ]);
  return [
    "",
    BENCH.compared,
    ...(isSameMachine ? [] : [BENCH.otherMachine]),
    ...toTable([["", BENCH.saved, BENCH.now, BENCH.change, ""], ...lines]),
    ...onlySaved.map((name) => BENCH.onlySaved(name)),
    ...onlyNow.map((name) => BENCH.onlyNow(name)),
  ].join("\n");
}

/** Columns of one width, the first to the left and the others to the right. */
export function toTable(lines: readonly (readonly string[])[]): string[] {
  const widths = lines.reduce<number[]>((all, line) => line.map((cell, column) => Math.max(cell.length, all[column] ?? 0)), []);
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

/** Three digits that count. */
export function toFigure(value: number): string {
  if (!Number.isFinite(value)) return "-";
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.max(0, Math.min(6, 2 - digits)));
}

/** In the unit that keeps it short. */
export function toAmount(value: number, unit: Row["unit"]): string {
  if (unit === "MiB") return `${toFigure(value)} MiB`;
  if (value >= 1e6) return `${toFigure(value / 1e6)} s`;
  return value >= 1000 ? `${toFigure(value / 1000)} ms` : `${toFigure(value)} us`;
}

function machineLines({ cpu, coreCount, memoryBytes, system, versions }: Machine): string[] {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [BENCH.machine(cpu, coreCount, (memoryBytes / 1024 ** 3).toFixed(0), system), named.join(", "), BENCH.method];
}

function scopeLines({ scope, about, roundCount, load, rows, ratios, leftOut }: ScopeReport): string[] {
  const table = [["", "p50", "p95", "p99", BENCH.cpu, BENCH.rate, BENCH.callsARound], ...rows.map(rowCells)];
  return [
    "",
    `== ${scope}: ${about}`,
    BENCH.roundsAndLoad(roundCount, load[0].toFixed(2), load[1].toFixed(2)),
    "",
    ...toTable(table),
    ...(ratios.length === 0 ? [] : ["", ...toTable(ratios.map(ratioCells))]),
    ...leftOut.map(({ name, reason }) => BENCH.leftOut(name, reason)),
  ];
}

function rowCells({ name, unit, times, rounds, callsARound }: Row): string[] {
  const amounts = [times.p50, times.p95, times.p99].map((time) => toAmount(time, unit));
  const cpu = rounds.map((round) => round.cpu).filter((time) => time !== null);
  const rates = rounds.map((round) => round.rate).filter((rate) => rate !== null);
  const told = (values: readonly number[], show: (value: number) => string): string =>
    values.length === 0 ? "-" : show(toSpread(values).median);
  return [name, ...amounts, told(cpu, (micros) => toAmount(micros, "us")), told(rates, toFigure), String(callsARound)];
}

function ratioCells({ of, against, figure, median, low, high }: Ratio): string[] {
  const name = `${of} / ${against.join(" + ")}, ${BENCH.figures[figure]}`;
  return [name, toFigure(median), BENCH.spread(toFigure(low), toFigure(high))];
}
