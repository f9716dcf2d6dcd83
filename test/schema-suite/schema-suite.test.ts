import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Engine } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";
import { ANSWERED_OTHERWISE, REFUSED, type Exception } from "./by-design.ts";
import { PARTS, PROJECT, readGroups, SUITE_FOLDER, type Group } from "./suite.ts";

/** How many of the suite's tests end as it says, and how many do not by design. */
const COUNTS = {
  draft7: { passed: 892, byDesign: 35 },
  "draft7/optional": { passed: 109, byDesign: 9 },
  "draft7/optional/format": { passed: 669, byDesign: 7 },
  "draft2020-12": { passed: 1219, byDesign: 80 },
  "draft2020-12/optional": { passed: 144, byDesign: 18 },
  "draft2020-12/optional/format": { passed: 757, byDesign: 7 },
};

/** Schemas that share a capability, and so a cell. */
const CELL_SCHEMA_COUNT = 100;

interface Case {
  readonly part: string;
  readonly group: Group;
  readonly tool: string;
}

/** What came of all cases. */
interface Tally {
  readonly counts: Record<string, { passed: number; byDesign: number }>;
  /** Exceptions that something has been let through by. */
  readonly met: Set<Exception>;
  readonly wrong: string[];
}

test("the JSON Schema Test Suite passes through the validation that calls use", async (t) => {
  if (SUITE_FOLDER === null) {
    t.diagnostic(`Not run, as TOOLCELL_TEST_DATA names no folder with the suite: ${PARTS.map(({ name }) => name).join(", ")}`);
    return;
  }
  const cases = listCases();
  const sources = cases.map(({ group, tool }, index) => [
    `suite_${Math.floor(index / CELL_SCHEMA_COUNT)}/${tool}.js`,
    toSource(tool, group),
  ]);
  await using made = await makeEngine(Object.fromEntries(sources));
  const tally: Tally = { counts: {}, met: new Set(), wrong: [] };
  const broken = new Map(made.engine.capabilities().flatMap((capability) => capability.broken.map(({ file, reason }) => [file, reason])));
  for (const one of cases) {
    const reason = broken.get(`${one.tool}.js`);
    if (reason === undefined) await callCase(made.engine, one, tally);
    else tellRefused(one, reason, tally);
  }
  for (const [part, { passed, byDesign }] of Object.entries(tally.counts))
    t.diagnostic(`${part}: ${passed} passed, ${byDesign} by design otherwise`);
  assert.deepEqual(tally.wrong, []);
  assert.deepEqual(tally.counts, COUNTS);
  assertGuideSays(tally);
  assert.deepEqual(
    [...REFUSED, ...ANSWERED_OTHERWISE].filter((exception) => !tally.met.has(exception)),
    [],
    "an exception that nothing meets",
  );
});

function listCases(): readonly Case[] {
  return PARTS.flatMap((part) => readGroups(part).map((group) => ({ part: part.name, group }))).map((one, index) => ({
    ...one,
    tool: `case_${index}`,
  }));
}

function toSource(tool: string, { inputSchema }: Group): string {
  return toolFile(tool, 'const run = () => "fits";', { schema: JSON.stringify(inputSchema) });
}

function tellRefused({ part, group }: Case, reason: string, tally: Tally): void {
  const exception = REFUSED.find((one) => isOf(one, group) && one.sentence.test(reason));
  if (exception === undefined) tally.wrong.push(`${group.file}, ${group.description}: ${reason}`);
  else tally.met.add(exception);
  countOf(tally, part).byDesign += group.tests.length;
}

async function callCase(engine: Engine, { part, group, tool }: Case, tally: Tally): Promise<void> {
  const count = countOf(tally, part);
  for (const { description, data, valid } of group.tests) {
    const { ok, error, text } = await engine.call(tool, { value: data });
    const isAnswered = ok || (error?.code === "INVALID_ARGUMENTS" && isTold(text));
    if (isAnswered && ok === valid) {
      count.passed += 1;
      continue;
    }
    const exception = ANSWERED_OTHERWISE.find((one) => isOf(one, group) && one.tests.test(description));
    if (isAnswered && exception !== undefined) tally.met.add(exception);
    else tally.wrong.push(`${group.file}, ${group.description}, ${description}: ${text}`);
    count.byDesign += 1;
  }
}

/** The guide for authors shows how many there are, and how many end as the suite says. */
function assertGuideSays({ counts }: Tally): void {
  const passed = Object.values(counts).reduce((sum, count) => sum + count.passed, 0);
  const all = Object.values(counts).reduce((sum, count) => sum + count.byDesign, passed);
  const guide = readFileSync(path.join(PROJECT, "docs/authors.md"), "utf8");
  for (const count of [passed, all])
    assert.ok(guide.includes(` ${count.toLocaleString("en-US")} `), `docs/authors.md does not say ${count}`);
}

function countOf({ counts }: Tally, part: string): { passed: number; byDesign: number } {
  return (counts[part] ??= { passed: 0, byDesign: 0 });
}

function isOf({ file, schemas }: Exception, group: Group): boolean {
  return file === group.file && (schemas === undefined || schemas.includes(group.description));
}

/** What a model reads says what is wrong in words. */
function isTold(text: string): boolean {
  return / was not run: .+\.$/s.test(text) && !/undefined|\[object|NaN/.test(text);
}
