import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { CLI } from "../catalogue/texts.ts";
import { createTestEngine, type Engine } from "../engine/engine.ts";
import type { LogEntry } from "../engine/log.ts";
import { CommandFailure, engineOptions, onlyWord, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { makeTestFolder, type TestFolder } from "./test-folder.ts";
import { runTests, type TestResult } from "./test-run.ts";

/** `toolcell test <folder>`: runs a capability's own tests, sealed, against its tools as they are called in production. */
export async function testCommand(line: CommandLine): Promise<number> {
  const word = onlyWord(line, "the folder to test");
  const folder = resolve(word);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new CommandFailure("NO_FOLDER", CLI.noFolder(word));
  using tests = makeTestFolder(folder);
  if (tests.files.length === 0) throw new CommandFailure("NO_TESTS", CLI.noTests(word));
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    return await testFolder(line, basename(folder), tests, interrupt.signal);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
}

async function testFolder({ flags }: CommandLine, name: string, tests: TestFolder, signal: AbortSignal): Promise<number> {
  const log: LogEntry[] = [];
  const options = engineOptions(flags);
  const capabilities = [tests.root, ...(options.capabilities ?? [])];
  // One cell for the tests, and one for the tools.
  const limits = { spareCount: 2 };
  await using engine = await createTestEngine({ ...options, capabilities, limits, log: (entry) => log.push(entry) }, tests.tester);
  const refusal = whyNot(engine, name);
  if (refusal !== null) throw new CommandFailure("NOT_TAKEN", refusal);
  const results: TestResult[] = [];
  for await (const result of runTests({ engine, tests, log, signal, timeoutMs: flags.timeoutMs })) {
    results.push(result);
    if (!flags.json) process.stdout.write(toText(result));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  const failedCount = results.filter(({ ok }) => !ok).length;
  if (!flags.quiet) process.stderr.write(`${signal.aborted ? CLI.testsStopped : CLI.tested(results.length - failedCount, failedCount)}\n`);
  return failedCount === 0 && !signal.aborted ? EXIT.ok : EXIT.failed;
}

/** Why a capability cannot be tested: it is not taken, or not all of it. */
function whyNot(engine: Engine, name: string): string | null {
  const entries = engine.capabilities().filter((entry) => entry.name === name);
  const refused = entries.find((entry) => entry.refused !== null)?.refused ?? null;
  if (refused !== null) return CLI.noCapability(name, refused);
  const faults = entries.flatMap(({ broken }) =>
    broken.map(({ file, line, reason }) => `${file}${line === null ? "" : `:${line}`}: ${reason}`),
  );
  return faults.length === 0 ? null : `${CLI.checkFailed(name)}\n${faults.join("\n")}`;
}

function toText({ file, name, ok, reason, ms }: TestResult): string {
  const head = `${ok ? CLI.testPassed : CLI.testFailed} ${name === null ? file : `${file}: ${name}`}`;
  return ok ? `${head} (${ms} ms)\n` : `${head}\n${(reason ?? "").replaceAll(/^/gm, "    ")}\n`;
}
