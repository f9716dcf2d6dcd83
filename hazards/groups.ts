import { ONE_LINERS, type OneLiner } from "../test/hazards/one-liners.ts";
import type { Group, HazardCase } from "./case.ts";
import { MEMORY, TIME_CASES } from "./more-limits.ts";
import { BRIDGE, ESCAPE, VALUES } from "./more-reach.ts";

/** Every case, by what it goes for. Those of the tests' own list are told apart by how they can end. */
export const GROUPS: readonly Group[] = [
  { title: "Memory", cases: [...ONE_LINERS.filter(isMemory), ...MEMORY] },
  { title: "Time", cases: [...ONE_LINERS.filter(isTime), ...TIME_CASES] },
  { title: "Results and errors", cases: [...ONE_LINERS.filter(isValue), ...VALUES] },
  { title: "What it says while it runs", cases: [...ONE_LINERS.filter(isSaid), ...BRIDGE] },
  { title: "Ways out", cases: [...ONE_LINERS.filter(isReach), ...ESCAPE] },
];

export const CASES: readonly HazardCase[] = GROUPS.flatMap(({ cases }) => cases);

function isSaid({ name }: OneLiner): boolean {
  return name.endsWith("_flood") && !/^(?:microtask|then)_/u.test(name);
}

function isReach({ name }: OneLiner): boolean {
  return /^(?:reach_|dynamic_import|poisoned|atomics_wait)/u.test(name);
}

function isValue({ name }: OneLiner): boolean {
  return /result|^throw|^error|^thrown|^stray|^thenable|^to_json|^huge_text|unhandled/u.test(name);
}

function isMemory(one: OneLiner): boolean {
  return (
    (one.ends.includes("MEMORY_LIMIT") && !isValue(one) && !/^(?:then_flood|bigint_text|sparse_reverse|sort_huge)$/u.test(one.name)) ||
    one.name === "wasm_memory"
  );
}

function isTime(one: OneLiner): boolean {
  return !isSaid(one) && !isReach(one) && !isValue(one) && !isMemory(one);
}
