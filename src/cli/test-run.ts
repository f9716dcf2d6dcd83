import { CLI } from "../catalogue/texts.ts";
import { cleanLine, cleanText } from "../engine/clean.ts";
import type { Engine } from "../engine/engine.ts";
import type { LogEntry } from "../engine/log.ts";
import type { Outcome } from "../engine/outcome.ts";
import { withoutCopy, type TestFile, type TestFolder } from "./test-folder.ts";

export interface TestResult {
  /** Relative to the capability's folder. */
  readonly file: string;
  /** Null where it is the file that failed: it does not load, or declares no test. */
  readonly name: string | null;
  readonly ok: boolean;
  /** Why it failed, and where. */
  readonly reason: string | null;
  readonly ms: number;
}

interface Run {
  readonly engine: Engine;
  readonly tests: TestFolder;
  /** What the engine has logged so far. */
  readonly log: readonly LogEntry[];
  readonly signal: AbortSignal;
  /** The whole time of one test; null for the engine's own. */
  readonly timeoutMs: number | null;
}

const NAME_CHARS = 200;

/** Runs every test of every file, one after the other. */
export async function* runTests(run: Run): AsyncGenerator<TestResult> {
  for (const file of run.tests.files) yield* runFile(run, file);
}

async function* runFile(run: Run, { file, tool }: TestFile): AsyncGenerator<TestResult> {
  const { engine, tests, signal } = run;
  const tester = engine.capabilities().find(({ name }) => name === tests.tester);
  const reason = tester?.refused ?? tester?.broken.find((fault) => fault.file === `${tool}.js`)?.reason ?? null;
  if (reason !== null) return yield { file, name: null, ok: false, reason: withoutCopy(reason, tests.tester), ms: 0 };
  const listing = await callTest(run, tool, {});
  const names = listing.ok ? toNames(listing.payload) : [];
  if (names.length === 0) {
    return yield { file, name: null, ok: false, reason: listing.ok ? CLI.declaresNoTest : reasonOf(run, listing), ms: 0 };
  }
  for (const [index, name] of names.entries()) {
    if (signal.aborted) return;
    const outcome = await callTest(run, tool, { index });
    const ms = Math.round(outcome.usage.wallMs);
    yield { file, name: cleanLine(name, NAME_CHARS), ok: outcome.ok, reason: outcome.ok ? null : reasonOf(run, outcome), ms };
  }
}

async function callTest({ engine, signal, timeoutMs }: Run, tool: string, args: object): Promise<Outcome> {
  return await engine.call(tool, args, { signal, ...(timeoutMs === null ? {} : { timeoutMs }) });
}

function toNames(payload: unknown): readonly string[] {
  return Array.isArray(payload) ? payload.map(String) : [];
}

/** In the words of what was thrown, where anything was, and with the place in the author's own files. */
function reasonOf({ log, tests }: Run, { callId, error }: Outcome): string {
  const isThrown = error?.code === "TOOL_EXCEPTION" || error?.code === "LOAD_FAILED";
  const stack = isThrown ? log.find((entry) => entry.callId === callId && entry.detail !== undefined)?.detail : undefined;
  if (stack === undefined) return error?.message ?? "";
  const [words = ""] = stack.split(/\n\s+at /, 1);
  const own = stack.split("\n").find((line) => /^\s+at /.test(line) && line.includes(`${tests.tester}/`));
  const place = own === undefined ? "" : `\n${withoutCopy(own, tests.tester).trim()}`;
  return cleanText(`${words.replace(/^AssertionError: /, "")}${place}`);
}
