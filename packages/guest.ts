import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createEngine, type Engine, type Json, type LogEntry, type Outcome } from "toolcell";

/** Where one capability stands with its home; nothing else is kept there. */
export interface Place {
  readonly home: string;
  readonly capabilities: string;
}

export interface Run {
  /** What the tool says of itself. */
  readonly asked: string;
  /** Null where every answer was right. */
  readonly fault: string | null;
  /** For whoever looks into a fault: the stack that no model sees. */
  readonly detail: string;
  readonly bundleBytes: number | null;
  /** Milliseconds of the quickest first call, and of that of a tool that imports nothing. */
  readonly firstMs: number | null;
  readonly trivialMs: number | null;
}

interface FirstCall {
  readonly asked: string;
  readonly fault: string | null;
  readonly detail: string;
  readonly wallMs: number;
}

const ROUNDS = 3;
const TRIVIAL = "trivial";
const TRIVIAL_TOOL = `export const NAME = "${TRIVIAL}";
export const DESCRIPTION = "Imports nothing.";
export const run = () => ({ done: true });
`;

/**
 * Calls the one tool of the capability `name` in guests of fresh engines, and holds what it answers to what is known. The
 * trivial tool has its turn before each, since the machine does other things too.
 */
export async function runInGuest(place: Place, name: string, args: object, answer: Json): Promise<Run> {
  mkdirSync(join(place.capabilities, TRIVIAL), { recursive: true });
  writeFileSync(join(place.capabilities, TRIVIAL, "trivial.ts"), TRIVIAL_TOOL);
  const calls: FirstCall[] = [];
  const trivialCalls: FirstCall[] = [];
  do {
    trivialCalls.push(await callFirst(place, TRIVIAL, {}, { done: true }));
    calls.push(await callFirst(place, name, args, answer));
  } while (calls.length < ROUNDS && calls.every(({ fault }) => fault === null));
  const { asked, fault, detail } = calls.at(-1) ?? { asked: "", fault: null, detail: "" };
  const run = { asked, fault, detail, bundleBytes: bundleBytes(place) };
  return fault === null
    ? { ...run, firstMs: quickest(calls), trivialMs: quickest(trivialCalls) }
    : { ...run, firstMs: null, trivialMs: null };
}

async function callFirst({ home, capabilities }: Place, name: string, args: object, answer: Json): Promise<FirstCall> {
  const log: LogEntry[] = [];
  await using engine = await createEngine({
    home,
    workspace: home,
    capabilities: [capabilities],
    // Whatever a task's PERMISSIONS ask for was written by this program.
    policy: { grant: () => true },
    log: (entry) => log.push(entry),
  });
  const tool = engine.tools().find(({ capability }) => capability === name);
  if (tool === undefined) return { asked: "", fault: whyNoTool(engine, name), detail: "", wallMs: 0 };
  const outcome = await engine.call(tool.name, args);
  const detail = log.findLast((entry) => entry.detail !== undefined)?.detail ?? "";
  return { asked: tool.description, fault: faultOf(outcome, answer), detail, wallMs: outcome.usage.wallMs };
}

function whyNoTool(engine: Engine, name: string): string {
  const capability = engine.capabilities().find((entry) => entry.name === name);
  return capability?.refused ?? capability?.broken[0]?.reason ?? `No capability "${name}" was found`;
}

function faultOf({ ok, text, payload }: Outcome, answer: Json): string | null {
  if (!ok) return text;
  return isDeepStrictEqual(payload, answer) ? null : `Answered ${JSON.stringify(payload)} in place of ${JSON.stringify(answer)}`;
}

/** The home's cache holds two bundles, and the trivial tool's is the smaller: those of the shipped capabilities are kept elsewhere. */
function bundleBytes({ home }: Place): number | null {
  const folder = join(home, "cache", "bundles");
  try {
    const sizes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    return sizes.length < 2 ? null : Math.max(...sizes);
  } catch {
    return null;
  }
}

function quickest(calls: readonly FirstCall[]): number {
  return Math.min(...calls.map(({ wallMs }) => wallMs));
}
