import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toChart } from "../src/bench/chart.ts";
import { toAmount, toFigure } from "../src/bench/pretty.ts";
import { BENCH } from "../src/catalogue/texts.ts";
import type { Row } from "../src/bench/rounds.ts";
import { readRun, type Run, type ScopeReport } from "../src/bench/run.ts";
import { toSpread } from "../src/bench/statistics.ts";
import { isMet, TARGETS } from "./targets.ts";

// `node bench/page.ts` writes what bench/saved.json holds into docs/performance.md, between its two marks, and draws its chart.
// `node bench/page.ts FILE` takes another saved run.

const ROOT = join(import.meta.dirname, "..");
const [PAGE, CHART] = [join(ROOT, "docs/performance.md"), join(ROOT, "docs/performance.svg")];
const [BEGIN, END] = ["<!-- results: made by `node bench/page.ts`, from bench/saved.json -->", "<!-- end of results -->"];
export const SAVED = join(import.meta.dirname, "saved.json");

/** The page with these results in place of those that it has. Throws where it has no place for them. */
export function withResults(page: string, run: Run): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no place for results: "${BEGIN}" and "${END}"`);
  return `${page.slice(0, from)}${BEGIN}\n\n${toResults(run)}\n\n${page.slice(to)}`;
}

/** The chart of single calls, or null for a run that has none. */
export function toCallChart({ scopes }: Run): string | null {
  const calls = scopes.find(({ scope }) => scope === "call");
  if (calls === undefined) return null;
  const byTime = calls.rows.toSorted((one, other) => one.times.p50 - other.times.p50);
  return toChart(byTime, {
    title: "One warm call: p50 (dot) to p99",
    description: "Times on a logarithmic scale, of one machine in one run; only what stands beside each other can be compared.",
    own: ["warm call"],
  });
}

function toResults({ at, machine, scopes }: Run): string {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  const head = `${machine.cpu}, ${machine.coreCount} cores, ${(machine.memoryBytes / 1024 ** 3).toFixed(0)} GiB, ${machine.system}; ${versions.join(", ")}; ${at.slice(0, 10)}.`;
  return [head, toTargets(scopes), ...scopes.map(toSection)].join("\n\n");
}

function toTargets(scopes: readonly ScopeReport[]): string {
  const lines = TARGETS.flatMap((target) => {
    const ratio = scopes.find(({ scope }) => scope === target.scope)?.ratios.find(({ id }) => id === target.id);
    if (target.value === null) return [];
    const seen =
      ratio === undefined
        ? "not measured | | "
        : `${toFigure(ratio.median)} | ${toFigure(ratio.low)} to ${toFigure(ratio.high)} | ${isMet(target, ratio) ? "yes" : "no"}`;
    return [`| ${target.says} | ${target.bound} ${target.value} | ${seen} |`];
  });
  return ["### What is asked of it", "", "| | asked | measured | middle half | met |", "|---|---|---|---|---|", ...lines].join("\n");
}

function toSection({ scope, about, roundCount, load, rows, ratios, leftOut }: ScopeReport): string {
  return [
    `### \`${scope}\``,
    "",
    `${about.charAt(0).toUpperCase()}${about.slice(1)}. ${roundCount} rounds; load ${load[0].toFixed(2)} before and ${load[1].toFixed(2)} after.`,
    "",
    ...(scope === "call" ? ["![One warm call beside everything that people use in its place](performance.svg)", ""] : []),
    "| | p50 | p95 | p99 | CPU | calls/s |",
    "|---|---|---|---|---|---|",
    ...rows.map(rowLine),
    ...(ratios.length === 0 ? [] : ["", "| ratio | median | middle half |", "|---|---|---|"]),
    ...ratios.map(
      ({ of, against, figure, median, low, high }) =>
        `| ${of} / ${against.join(" + ")}, ${BENCH.figures[figure]} | ${toFigure(median)} | ${toFigure(low)} to ${toFigure(high)} |`,
    ),
    ...(leftOut.length === 0 ? [] : ["", `Left out: ${leftOut.map(({ name, reason }) => `${name} (${reason})`).join("; ")}.`]),
  ].join("\n");
}

function rowLine({ name, unit, times, rounds }: Row): string {
  const cells = [times.p50, times.p95, times.p99].map((time) => toAmount(time, unit));
  const told = (values: readonly (number | null)[], show: (value: number) => string): string => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? "" : show(toSpread(known).median);
  };
  const cpu = told(
    rounds.map((round) => round.cpu),
    (micros) => toAmount(micros, "us"),
  );
  return `| ${[
    name,
    ...cells,
    cpu,
    told(
      rounds.map((round) => round.rate),
      toFigure,
    ),
  ].join(" | ")} |`;
}

if (import.meta.main) {
  const file = process.argv[2] ?? SAVED;
  const run = readRun(readFileSync(file, "utf8"), file);
  writeFileSync(PAGE, withResults(readFileSync(PAGE, "utf8"), run));
  const chart = toCallChart(run);
  if (chart !== null) writeFileSync(CHART, chart);
}
