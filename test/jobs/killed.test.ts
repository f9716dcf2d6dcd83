import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { JobEntry } from "toolcell";
import { runCommand, startCommand } from "../support/command.ts";
import { until } from "../support/processes.ts";
import { seededRandom, type Random } from "../support/random.ts";
import { makeQueue, type TestQueue } from "./a-queue.ts";

const KILLS = 100;
const WORKERS = 3;
// Half are killed in the midst of several jobs, a quarter about when the first begins, a quarter on the way to it.
const STAGES = ["begun", "begun", "taken", "starting"] as const;
const [WORKING_MS, STARTING_MS] = [250, 500];
const WAITING = 24;

test(`of the jobs of workers that are killed at ${KILLS} random moments none is lost, and none run twice that is not safe to be`, async (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  await using queue = await makeQueue();
  const submitted = new Map<string, { readonly tool: string; readonly n: number }>();
  const killing = { left: KILLS };
  // Who is killed writes no cache of what was compiled: one that ends by itself leaves it to the others.
  const env = { NODE_COMPILE_CACHE: path.join(queue.home, "compiled") };
  assert.equal((await runCommand(["work", "--once", "--quiet", ...queue.flags], { env })).code, 0);
  await Promise.all([
    keepLoaded(queue, random, submitted, killing),
    ...Array.from({ length: WORKERS }, () => killWorkers(queue, random, killing, env)),
  ]);
  await queue.engine.work({ once: true });

  const jobs = new Map(queue.engine.jobs({ limit: 10_000 }).map((job) => [job.id, job]));
  assert.equal(jobs.size, submitted.size);
  const ends = readdirSync(queue.workspace);
  const tally = { done: 0, failed: 0, again: 0 };
  for (const [id, { tool, n }] of submitted) {
    const job = jobs.get(id);
    assert.ok(job, `job ${id} is lost`);
    const [begun, ended] = (["begun", "ended"] as const).map((what) => ends.filter((name) => name.startsWith(`${what}.${n}.`)));
    const about = `${tool} ${n} is ${job.state} after ${job.attempts} attempts: ${begun?.join()} ${ended?.join()}`;
    if (tool === "record") assert.ok((begun?.length ?? 0) <= 1 && job.attempts <= 1, about);
    // A run may be killed after it was begun and before it left anything.
    assert.ok((begun?.length ?? 0) <= job.attempts, about);
    assertEnd(job, n, ended ?? [], about);
    tally[job.state === "done" ? "done" : "failed"] += 1;
    if (job.attempts > 1) tally.again += 1;
  }
  t.diagnostic(`${submitted.size} jobs, of which ${tally.done} done, ${tally.failed} failed, ${tally.again} run again`);
  assert.ok(tally.done >= 20 && tally.failed >= 10 && tally.again >= 10, "the kills met nothing");
});

// What is said to be done has been done by the run that says so; what has failed says that its worker was gone.
function assertEnd({ state, outcome, tool }: JobEntry, n: number, ended: readonly string[], about: string): void {
  if (state === "done") {
    assert.equal(outcome?.text, `did ${n}`, about);
    assert.ok(ended.includes(`ended.${n}.${outcome.callId}`), about);
    return;
  }
  assert.deepEqual([state, outcome?.error?.code, outcome?.error?.started], ["failed", "CELL_CRASHED", true], about);
  const says = tool === "record" ? /nobody knows how far it came.*not run again/u : /ended before it did, 3 times/u;
  assert.match(outcome?.error?.message ?? "", says);
}

async function killWorkers(
  queue: TestQueue,
  random: Random,
  killing: { left: number },
  env: Readonly<Record<string, string>>,
): Promise<void> {
  while (killing.left > 0) {
    killing.left -= 1;
    const { child, end } = startCommand(["work", "--quiet", ...queue.flags], { env });
    await once(child, "spawn");
    const stage = random.pick(STAGES);
    if (stage !== "starting") await until(() => queue.runs(child.pid, stage));
    // The moment is what is random here: nothing is waited for.
    await setTimeout(random.below(stage === "starting" ? STARTING_MS : WORKING_MS));
    child.kill("SIGKILL");
    assert.equal((await end).signal, "SIGKILL", "a worker ended by itself");
  }
}

async function keepLoaded(
  { engine }: TestQueue,
  random: Random,
  submitted: Map<string, { readonly tool: string; readonly n: number }>,
  killing: { readonly left: number },
): Promise<void> {
  for (let n = 0; killing.left > 0;) {
    const waiting = engine.jobs({ state: "pending" }).length;
    for (let more = waiting; more < WAITING; more += 1, n += 1) {
      const tool = random.pick(["record", "repeat"]);
      const { id } = await engine.submit(tool, { n, ms: random.below(150) });
      submitted.set(id, { tool, n });
    }
    await setTimeout(20);
  }
}
