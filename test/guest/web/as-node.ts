import assert from "node:assert/strict";
import { test } from "node:test";
import { inGuest } from "./a-guest.ts";

// A case is the body of an async function. What is thrown in it counts as its value, by name.
const RUN = `async (act) => {
  const shown = (value, depth = 0) => {
    if (value === undefined) return "undefined";
    if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function" || Object.is(value, -0) || (typeof value === "number" && !Number.isFinite(value))) return typeof value + " " + (Object.is(value, -0) ? "-0" : String(value));
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Error || value instanceof DOMException) return "thrown " + value.name + (value instanceof DOMException ? " " + value.code : "");
    if (ArrayBuffer.isView(value)) return [value.constructor.name, ...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
    if (value instanceof ArrayBuffer) return ["ArrayBuffer", ...new Uint8Array(value)];
    if (Array.isArray(value)) return value.map((each) => shown(each, depth + 1));
    if (value instanceof Map) return ["Map", ...[...value].map((each) => shown(each, depth + 1))];
    if (value instanceof Set) return ["Set", ...[...value].map((each) => shown(each, depth + 1))];
    if (value instanceof Date || value instanceof RegExp) return value.constructor.name + " " + String(value instanceof Date ? value.getTime() : value);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each, depth + 1)]));
  };
  try { return shown(await act()); } catch (error) { return shown(error); }
}`;

/** Runs each case in a cell and in Node: what comes of it must be the same. */
export function testAsNode(what: string, cases: Readonly<Record<string, string>>): void {
  test(`${what} as in Node`, async (context) => {
    // oxlint-disable-next-line no-eval -- the same text runs in both realms
    const inNode = eval(`async () => { ${bodyOf(cases)} }`) as () => Promise<unknown>;
    const own = (await inGuest(bodyOf(cases))) as Record<string, unknown>;
    // As it crosses from the cell.
    const nodes = JSON.parse(JSON.stringify(await inNode())) as Record<string, unknown>;
    for (const name of Object.keys(cases)) await context.test(name, () => assert.deepEqual(own[name], nodes[name]));
  });
}

/** The same where Node is not as the standard has it, or has no such thing: each case stands beside what must come of it. */
export function testByStandard(what: string, cases: Readonly<Record<string, readonly [body: string, expected: unknown]>>): void {
  test(`${what} as the standards have it`, async (context) => {
    const bodies = Object.fromEntries(Object.entries(cases).map(([name, [body]]) => [name, body]));
    const own = (await inGuest(bodyOf(bodies))) as Record<string, unknown>;
    for (const [name, [, expected]] of Object.entries(cases)) await context.test(name, () => assert.deepEqual(own[name], expected));
  });
}

function bodyOf(cases: Readonly<Record<string, string>>): string {
  const acts = Object.entries(cases).map(([name, body]) => `${JSON.stringify(name)}: async () => { ${body} }`);
  return `const run = ${RUN}; const results = {}; for (const [name, act] of Object.entries({ ${acts.join(", ")} })) results[name] = await run(act); return results;`;
}
