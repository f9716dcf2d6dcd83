import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { readToolWords } from "./tool-words.ts";

/** `toolcell submit [--key K] <tool> …`: puts a call into the queue; prints its job's id, or with `--json` the job. */
export async function submitCommand(whole: CommandLine): Promise<number> {
  const [line, key] = takeKey(whole);
  const { json, quiet, timeoutMs } = line.flags;
  await using engine = await createEngine(engineOptions(line.flags));
  const { tool, args } = await readToolWords(line, engine.tools());
  const job = await engine.submit(tool, args, {
    ...(key === null ? {} : { key }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
  });
  process.stdout.write(`${json ? JSON.stringify(job, null, 2) : job.id}\n`);
  if (!quiet && !json) process.stderr.write(`${job.isNew ? CLI.submitted(job.id) : CLI.submittedBefore(job.id, job.state)}\n`);
  return EXIT.ok;
}

// It stands before the tool's name: after it, a flag of that name is the tool's.
function takeKey(line: CommandLine): readonly [CommandLine, string | null] {
  const [first = "", second] = line.words;
  if (line.firstLiteral === 0 || (first !== "--key" && !first.startsWith("--key="))) return [line, null];
  const key = first === "--key" ? second : first.slice("--key=".length);
  if (key === undefined || key === "") throw new UsageError(CLI.missingValue("--key"));
  const count = first === "--key" ? 2 : 1;
  return [{ ...line, words: line.words.slice(count), firstLiteral: Math.max(0, line.firstLiteral - count) }, key];
}
