import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { findAddon } from "../src/cell/addon.ts";
import { detectWalls } from "../src/cell/detect-walls.ts";
import { readLimits } from "../src/engine/options.ts";
import type { HazardCase } from "./case.ts";
import { DRIVERS, type DriverName } from "./driver.ts";
import { CASES } from "./groups.ts";
import { judge, type Verdict } from "./judge.ts";
import { containmentPage } from "./report.ts";

// `npm run hazards`: every case under every driver, and docs/containment.md. `--quick` tries three and writes nothing; names of
// cases after it try those. Exit 1 where a cell did not contain one.

const QUICK = ["loop_forever", "sort_huge", "through_a_host_function"];
const PAGE = fileURLToPath(new URL("../docs/containment.md", import.meta.url));

const words = process.argv.slice(2).filter((word) => word !== "--quick");
const isQuick = process.argv.includes("--quick") || words.length > 0;
const chosen = words.length > 0 ? words : QUICK;
const cases = isQuick ? CASES.filter(({ name }) => chosen.includes(name)) : CASES;

const judged = await judgeAll(cases);
if (!isQuick) writeFileSync(PAGE, containmentPage(judged, versions(), await standingWalls()));
const escaped = judged.filter(({ driver, isContained }) => driver === "cell" && !isContained);
for (const { hazard, why } of escaped) console.error(`A cell did not contain ${hazard}: ${why}`);
process.exitCode = escaped.length > 0 ? 1 : 0;

// Two at a time, as many as the smallest machine has cores. One whose only fault is a delay may have been slowed down by the
// other, and is tried once more alone, whichever driver it is.
async function judgeAll(hazards: readonly HazardCase[]): Promise<readonly Verdict[]> {
  const waiting = hazards.flatMap((hazard) => DRIVERS.map((driver) => ({ driver, hazard })));
  const total = waiting.length;
  const verdicts: Verdict[] = [];
  const doubtful: { readonly driver: DriverName; readonly hazard: HazardCase }[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await judge(next.driver, next.hazard);
      if (verdict.isDoubtful) {
        doubtful.push(next);
        console.log(`again later: ${verdict.hazard} ${verdict.driver}: ${verdict.why}`);
      } else show(verdicts, verdict, total);
    }
  };
  await Promise.all([lane(), lane()]);
  for (const { driver, hazard } of doubtful) show(verdicts, await judge(driver, hazard), total);
  return verdicts;
}

function show(verdicts: Verdict[], verdict: Verdict, total: number): void {
  verdicts.push(verdict);
  console.log(
    `${verdicts.length}/${total} ${verdict.hazard} ${verdict.driver}: ${verdict.isContained ? "contained" : `no: ${verdict.why}`}`,
  );
}

function versions(): Readonly<Record<string, string>> {
  return { Node: process.version, V8: process.versions.v8, "isolated-vm": versionOf("isolated-vm"), toolcell: versionOf("toolcell") };
}

function versionOf(name: string): string {
  return (createRequire(import.meta.url)(`${name}/package.json`) as { readonly version: string }).version;
}

async function standingWalls(): Promise<readonly string[]> {
  const reports = await detectWalls(readLimits({}), {}, findAddon().file);
  return reports.filter(({ stands }) => stands).map(({ wall }) => wall);
}
