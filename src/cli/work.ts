import { setTimeout } from "node:timers/promises";
import { JobError } from "../catalogue/faults.ts";
import { CLI } from "../catalogue/texts.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { openQueue } from "../engine/engine-jobs.ts";
import type { JobEntry } from "../engine/job-entry.ts";
import { readOptions } from "../engine/options.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { JobPlace } from "../jobs/record.ts";
import { assertNoWords, engineOptions, takeSwitch, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { interruption, type Interruption } from "./interruption.ts";
import { jobLine } from "./job-text.ts";

const PLACES_MS = 500;

/**
 * `toolcell work [--once]`: runs the jobs of the home, each in the workspace and with the agent that it was submitted for, or with
 * `--workspace` or `--agent` of that one alone. It goes on until it is interrupted, with `--once` until none waits. The first interrupt lets what runs end, a second one
 * gives it up.
 */
export async function workCommand(whole: CommandLine): Promise<number> {
  const [line, isOnce] = takeSwitch(whole, "--once");
  assertNoWords(line);
  const { flags } = line;
  const { home, workspace, agentDir } = readOptions(engineOptions(flags));
  const queue = openQueue(readOptions({ home }));
  await using engines = new Engines(line, isOnce);
  using interrupt = interruption(
    () => void (flags.quiet || process.stderr.write(`${CLI.workEnding}\n`)),
    () => void engines.close(),
  );
  const isWanted = (place: JobPlace): boolean =>
    (flags.workspace === null || place.workspace === workspace) && (flags.agent === null || place.agentDir === agentDir);
  const places = (): readonly JobPlace[] => [{ workspace, agentDir }, ...queue.waitingPlaces().filter(isWanted)];
  // A file that cannot be used is told at once.
  queue.waitingPlaces();
  try {
    await (isOnce ? workOnce(engines, places, interrupt) : workOn(engines, places, interrupt, flags.quiet, queue));
  } finally {
    await queue.close();
  }
  return EXIT.ok;
}

// One place after the other, until nothing waits anywhere.
async function workOnce(engines: Engines, places: () => readonly JobPlace[], { signal }: Interruption): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const next = places().find((place) => !done.has(keyOf(place)));
    if (next === undefined || signal.aborted) return;
    await engines.work(next, signal);
    done.add(keyOf(next));
  }
}

async function workOn(
  engines: Engines,
  places: () => readonly JobPlace[],
  { signal }: Interruption,
  isQuiet: boolean,
  queue: JobQueue,
): Promise<void> {
  const workers = new Map<string, Promise<void>>();
  if (!isQuiet) process.stderr.write(`${CLI.working(queue.waitingPlaces().length)}\n`);
  while (!signal.aborted) {
    for (const place of placesNow(places)) if (!workers.has(keyOf(place))) workers.set(keyOf(place), engines.work(place, signal));
    await setTimeout(PLACES_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(workers.values());
}

// Those that are worked tell of a file that cannot be used, and go on once it can.
function placesNow(places: () => readonly JobPlace[]): readonly JobPlace[] {
  try {
    return places();
  } catch (error) {
    if (error instanceof JobError) return [];
    throw error;
  }
}

function keyOf({ workspace, agentDir }: JobPlace): string {
  return JSON.stringify([workspace, agentDir]);
}

function agentOf({ agentDir }: JobPlace): { readonly agentDir?: string } {
  return agentDir === null ? {} : { agentDir };
}

/** An engine for each place that jobs wait in. */
class Engines implements AsyncDisposable {
  readonly #line: CommandLine;
  readonly #isOnce: boolean;
  readonly #made = new Map<string, Promise<Engine>>();

  constructor(line: CommandLine, isOnce: boolean) {
    this.#line = line;
    this.#isOnce = isOnce;
  }

  async work(place: JobPlace, signal: AbortSignal): Promise<void> {
    const { flags } = this.#line;
    const made = createEngine({
      ...engineOptions(flags),
      workspace: place.workspace,
      ...agentOf(place),
      watch: !this.#isOnce,
      limits: { spareCount: 1 },
    });
    this.#made.set(keyOf(place), made);
    const engine = await made;
    const onEnd = (job: JobEntry): void => void process.stdout.write(`${flags.json ? JSON.stringify(job) : jobLine(job)}\n`);
    await engine.work({ once: this.#isOnce, signal, onEnd });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#made.values()].map(async (made) => await (await made).close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
