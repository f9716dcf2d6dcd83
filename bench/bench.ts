import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { compareRuns } from "../src/bench/compare.ts";
import { comparisonText, toPretty } from "../src/bench/pretty.ts";
import { readRun, toJson, toRun } from "../src/bench/run.ts";
import { findAddon } from "../src/cell/addon.ts";
import { runGuard } from "./guard.ts";
import { measureScope, SCOPES } from "./measure.ts";
import { targetLines } from "./targets.ts";

// `npm run bench` measures all, `npm run bench -- call reload` these. `--json` prints the run instead, `--out FILE` saves it,
// `--compare FILE` holds its ratios against a saved run's, `--quick` takes shorter turns. `--guard` is for CI: exit 1 where
// something has regressed.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    quick: { type: "boolean" },
    guard: { type: "boolean" },
    out: { type: "string" },
    compare: { type: "string" },
  },
});
const unknown = positionals.find((scope) => !SCOPES.includes(scope));
if (unknown !== undefined) {
  console.error(`There is no scope "${unknown}". There is ${SCOPES.join(", ")}`);
  process.exit(2);
}
if (values.guard === true) process.exitCode = runGuard() ? 0 : 1;
else measure(positionals.length === 0 ? SCOPES : positionals);

function measure(scopes: readonly string[]): void {
  // Whoever waited for minutes should not learn of a wrong name at the end.
  const saved = values.compare === undefined ? null : readRun(readFileSync(values.compare, "utf8"), values.compare);
  const reports = scopes.map((scope) => {
    process.stderr.write(`${scope} ...\n`);
    return measureScope(scope, values.quick === true);
  });
  const run = toRun(reports, findAddon());
  if (values.out !== undefined) writeFileSync(values.out, toJson(run));
  const comparison = saved === null ? null : compareRuns(saved, run);
  if (values.json === true) process.stdout.write(toJson(comparison === null ? run : { ...run, comparison }));
  else {
    const targets = targetLines(reports);
    process.stdout.write(`${toPretty(run)}\n${targets.length < 2 ? "" : `\n== targets\n\n${targets.join("\n")}\n`}`);
    if (comparison !== null) process.stdout.write(`${comparisonText(comparison)}\n`);
  }
}
