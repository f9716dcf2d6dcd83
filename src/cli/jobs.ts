import { setTimeout } from "node:timers/promises";
import { JobError } from "../catalogue/faults.ts";
import { CLI, JOBS } from "../catalogue/texts.ts";
import { openQueue, toJobEntry } from "../engine/engine-jobs.ts";
import type { JobEntry } from "../engine/job-entry.ts";
import { readFilter } from "../engine/job-options.ts";
import { readOptions, type Settings } from "../engine/options.ts";
import type { JobQueue } from "../jobs/queue.ts";
import { assertNoWords, engineOptions, onlyWord, takeSwitch, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { interruption } from "./interruption.ts";
import { jobLine, reportEnd } from "./job-text.ts";
import { createProgressLine } from "./progress-line.ts";

/** `toolcell jobs [id] [--watch] [--cancel]`: what is queued and what came of it. It makes no engine, and runs nothing. */
export async function jobsCommand(whole: CommandLine): Promise<number> {
  const [unwatched, isWatching] = takeSwitch(whole, "--watch");
  const [line, isCancelling] = takeSwitch(unwatched, "--cancel");
  const settings = readOptions(engineOptions(line.flags));
  const queue = openQueue(settings);
  try {
    if (line.words.length === 0) {
      assertNoWords(line);
      if (isCancelling) throw new UsageError(CLI.missingWord(CLI.theJob));
      return isWatching ? await watchAll(queue, settings, line) : listAll(queue, line);
    }
    const id = onlyWord(line, CLI.theJob);
    if (isCancelling && !isWatching) return cancel(queue, id, line);
    if (isCancelling) queue.cancel(id);
    return isWatching ? await watchOne(queue, id, line) : show(queue, id, line);
  } finally {
    await queue.close();
  }
}

function listAll(queue: JobQueue, { flags }: CommandLine): number {
  const jobs = queue.list(readFilter({})).map(toJobEntry);
  if (flags.json) process.stdout.write(`${JSON.stringify(jobs, null, 2)}\n`);
  else for (const job of jobs) process.stdout.write(`${jobLine(job)}\n`);
  if (jobs.length === 0 && !flags.quiet && !flags.json) process.stderr.write(`${CLI.noJobs}\n`);
  return EXIT.ok;
}

function show(queue: JobQueue, id: string, { flags }: CommandLine): number {
  const job = found(queue, id);
  if (flags.json) process.stdout.write(`${JSON.stringify(job, null, 2)}\n`);
  else process.stdout.write(`${jobLine(job)}\n${job.outcome === null ? "" : `${job.outcome.text.trimEnd()}\n`}`);
  return EXIT.ok;
}

function cancel(queue: JobQueue, id: string, { flags }: CommandLine): number {
  const hadEnded = found(queue, id).endedAt !== null;
  const job = toJobEntry(queue.cancel(id));
  if (flags.json) process.stdout.write(`${JSON.stringify(job, null, 2)}\n`);
  else (hadEnded ? process.stderr : process.stdout).write(`${hadEnded ? CLI.endedBefore(id, job.state) : CLI.cancelled(id, job.state)}\n`);
  return hadEnded ? EXIT.failed : EXIT.ok;
}

async function watchOne(queue: JobQueue, id: string, { flags }: CommandLine): Promise<number> {
  const progress = createProgressLine(process.stderr, !flags.quiet);
  using interrupt = interruption();
  try {
    const job = await queue.waitFor(id, {
      signal: interrupt.signal,
      onProgress: ({ fraction, detail }) => progress.show(fraction, detail),
    });
    progress.clear();
    return reportEnd(toJobEntry(job), flags.json);
  } catch (error) {
    // Whoever has seen enough has given up the looking, not the job.
    if (!interrupt.signal.aborted) throw error;
    progress.clear();
    return EXIT.failed;
  }
}

// A line for each job as it is, and for each change that is seen.
async function watchAll(queue: JobQueue, { limits }: Settings, { flags }: CommandLine): Promise<number> {
  using interrupt = interruption();
  let told = new Map<string, string>();
  while (!interrupt.signal.aborted) {
    const seen = new Map<string, string>();
    for (const job of queue.list(readFilter({})).map(toJobEntry).reverse()) {
      const text = flags.json ? JSON.stringify(job) : jobLine(job);
      seen.set(job.id, text);
      if (told.get(job.id) !== text) process.stdout.write(`${text}\n`);
    }
    told = seen;
    await setTimeout(limits.jobPollMs, undefined, { signal: interrupt.signal }).catch(() => undefined);
  }
  return EXIT.ok;
}

function found(queue: JobQueue, id: string): JobEntry {
  const job = queue.find(id);
  if (job === null) throw new JobError("UNKNOWN_JOB", JOBS.unknown(id));
  return toJobEntry(job);
}
