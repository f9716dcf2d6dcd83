import type { HazardCase } from "../../hazards/case.ts";
import { toolFile, type Files } from "../support/capabilities.ts";

const DEADLINE_MS = 2000;
// What ends by another limit than time gets the time to reach it, also on a slow machine.
const PATIENT_MS = 15_000;

/** A capability for each hazard, and one that answers beside them. */
export function hazardTools(cases: readonly HazardCase[]): Files {
  const neighbour = { "neighbour/tool.js": toolFile("neighbour", "function run() { return 'here'; }") };
  const tools = cases.map(({ name, body }) => [`${name}/tool.js`, toolFile(name, `async function run(context) { ${body} }`)] as const);
  return { ...Object.fromEntries(tools), ...neighbour };
}

export function patienceFor({ ends }: HazardCase): number {
  return ends.includes("CALL_TIMEOUT") ? DEADLINE_MS : PATIENT_MS;
}
