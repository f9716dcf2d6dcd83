import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createEngine, type JobEntry } from "toolcell";
import type { JobHost } from "../../src/jobs/host.ts";
import { ownMark } from "../../src/jobs/process-mark.ts";
import { verdictOf } from "../../src/jobs/verdict.ts";
import { alterJobs, ended, untilRunning } from "../jobs/a-queue.ts";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { until } from "../support/processes.ts";
import { testLimit } from "./a-limit.ts";

const code = "export const EXECUTION_PROFILE = { background_eligible: true, retry_safe: true };";
const files = {
  "jobs/quick.js": toolFile("quick", "const run = (context, { chars = 1 }) => 'x'.repeat(chars);", { code }),
  "jobs/wait.js": toolFile(
    "wait",
    `const run = async (context, { ms = 60_000 }) => {
      context.progress(null, "waiting");
      await new Promise((resolve) => setTimeout(resolve, ms));
      return "waited";
    };`,
    { code },
  ),
};
const some = { files, beside: { jobPollMs: 10 } };
const working = { ...some, options: { work: true } };

describe("jobs", () => {
  testLimit("jobMs", {
    ...working,
    set: 400,
    at: ["a job that takes less has its time", async (made) => assert.deepEqual(await run(made, "wait", { ms: 50 }), ["done", null])],
    over: [
      "a job that takes longer is ended",
      async ({ engine }) => {
        const { outcome } = await engine.waitForJob((await engine.submit("wait")).id);
        assert.deepEqual([outcome?.error?.code, outcome?.error?.limit], ["CALL_TIMEOUT", { name: "timeoutMs", value: 400 }]);
      },
    ],
    raised: ["it has its time", async (made) => assert.deepEqual(await run(made, "wait", { ms: 500 }), ["done", null])],
  });

  testLimit("jobRunCount", {
    ...working,
    set: 2,
    raisedTo: 3,
    at: ["so many run at once", (made) => runsAtOnce(made, 2, 2)],
    over: ["one more waits for its turn", (made) => runsAtOnce(made, 3, 2)],
    raised: ["it runs beside them", (made) => runsAtOnce(made, 3, 3)],
  });

  testLimit("jobQueueCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["so many may wait", (made) => queued(made, 2)],
    over: ["one more is refused", (made) => isRefused(made, { n: 3 }, /^2 jobs wait already \(jobQueueCount\): let a worker do them/u)],
    raised: ["it waits with them", (made) => queued(made, 3)],
  });

  testLimit("jobBytes", {
    ...some,
    set: 1024,
    raisedTo: 1025,
    at: ["arguments that fill it are taken", (made) => submitBytes(made, 1024)],
    over: ["a byte more is refused", (made) => isRefused(made, { n: 3 }, /^All jobs together may take 1024 bytes \(jobBytes\)/u)],
    raised: ["it is taken", (made) => submitBytes(made, 1025)],
  });

  testLimit("jobOutcomeBytes", {
    ...working,
    set: 2048,
    at: ["an outcome within it is kept whole", async (made) => assert.equal(await textOf(made, 500), "x".repeat(500))],
    over: [
      "one past it has failed, and says what to do",
      async ({ engine }) => {
        const { state, outcome } = await engine.waitForJob((await engine.submit("quick", { chars: 2048 })).id);
        assert.deepEqual(
          [state, outcome?.error?.code, outcome?.error?.limit],
          ["failed", "BAD_RESULT", { name: "jobOutcomeBytes", value: 2048 }],
        );
        assert.match(
          outcome?.text ?? "",
          /more than the 2048 that are kept of a job \(jobOutcomeBytes\): return less, or write it to a file/u,
        );
      },
    ],
    raised: ["it is kept whole", async (made) => assert.equal(await textOf(made, 2048), "x".repeat(2048))],
  });

  test("jobOutcomeBytes: an outcome of exactly so many bytes is kept, and one of one more is not", () => {
    const end = { outcome: { ok: true, error: null, text: "é" }, isRepeatable: true };
    const bytes = Buffer.byteLength(JSON.stringify(end.outcome));
    const host = { tooLarge: () => ({ ok: false }) } as unknown as JobHost;
    const job = { seq: 1, id: "a", tool: "quick", capability: "jobs", argsJson: "{}", optionsJson: "{}" };
    const was = { isBegun: true, isCancelled: false, isInterrupted: false };
    const stateAt = (limit: number): unknown => {
      const verdict = verdictOf(job, end, was, host, limit);
      return verdict.kind === "end" ? verdict.state : verdict.kind;
    };
    assert.deepEqual([stateAt(bytes), stateAt(bytes - 1)], ["done", "failed"]);
  });

  testLimit("jobKeepMs", {
    ...some,
    set: 60_000,
    at: ["what has ended is kept for so long", (made) => keptAfter(made, 50_000, true)],
    over: ["and no longer", (made) => keptAfter(made, 60_001, false)],
    raised: ["it is kept", (made) => keptAfter(made, 60_001, true)],
  });

  testLimit("jobKeepCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["so many that have ended are kept", (made) => kept(made, 2, 2)],
    over: ["of one more the oldest goes", (made) => kept(made, 1, 2)],
    raised: ["all three are kept", (made) => kept(made, 3, 3)],
  });

  testLimit("jobTryCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["a job whose worker was gone once is tried again", (made) => afterLosses(made, 1, ["pending", null])],
    over: ["after so many times it has failed", (made) => afterLosses(made, 2, ["failed", "CELL_CRASHED"])],
    raised: ["it is tried once more", (made) => afterLosses(made, 2, ["pending", null])],
  });

  testLimit("jobPollMs", {
    files,
    options: { work: true },
    set: 600,
    raisedTo: 60_000,
    at: ["what another process submits is seen within that time", async (made) => assert.ok((await betweenLooks(made)) < 2 * 600)],
    over: ["and no sooner", async (made) => assert.ok((await betweenLooks(made)) > 0.8 * 600)],
    raised: [
      "it is seen later",
      async (made) => {
        await using other = await beside(made);
        // The first look may come after it.
        await other.submit("wait", { n: 1 });
        await setTimeout(50);
        const { id } = await other.submit("wait", { n: 2 });
        await setTimeout(1500);
        assert.equal(other.job(id)?.state, "pending");
      },
    ],
  });

  testLimit("jobLeaseMs", {
    ...some,
    set: 500,
    at: ["a worker that cannot be looked for keeps its job for so long", (made) => afterSilence(made, 250, "running")],
    over: ["and no longer", (made) => afterSilence(made, 600, "pending")],
    raised: ["it keeps it", (made) => afterSilence(made, 600, "running")],
  });
});

async function run({ engine }: TestEngine, tool: string, args: object): Promise<ReturnType<typeof ended>> {
  return ended(await engine.waitForJob((await engine.submit(tool, args)).id));
}

async function textOf({ engine }: TestEngine, chars: number): Promise<string | undefined> {
  return (await engine.waitForJob((await engine.submit("quick", { chars })).id)).outcome?.text;
}

async function runsAtOnce({ engine }: TestEngine, count: number, running: number): Promise<void> {
  const jobs: JobEntry[] = [];
  for (let n = 0; n < count; n += 1) jobs.push(await engine.submit("wait", { n }));
  for (const { id } of jobs.slice(0, running)) await untilRunning({ engine }, id);
  await setTimeout(100);
  assert.deepEqual([engine.jobs({ state: "running" }).length, engine.jobs({ state: "pending" }).length], [running, count - running]);
  for (const { id } of jobs.reverse()) await engine.cancelJob(id);
  for (const { id } of jobs) await engine.waitForJob(id);
}

async function queued({ engine }: TestEngine, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) assert.equal((await engine.submit("quick", { n })).state, "pending");
}

async function isRefused({ engine }: TestEngine, args: object, says: RegExp): Promise<void> {
  await assert.rejects(engine.submit("quick", args), { code: "JOBS_FULL", message: says });
}

async function submitBytes({ engine }: TestEngine, bytes: number): Promise<void> {
  const empty = JSON.stringify({ t: "" }).length;
  assert.equal((await engine.submit("quick", { t: "x".repeat(bytes - empty) })).state, "pending");
}

async function keptAfter({ engine, home }: TestEngine, ms: number, isKept: boolean): Promise<void> {
  const { id } = await engine.submit("quick", { ms });
  await engine.cancelJob(id);
  alterJobs(home, "UPDATE jobs SET ended_ms = ? WHERE id = ?", Date.now() - ms, id);
  assert.equal(engine.job(id) !== null, isKept);
}

async function kept({ engine }: TestEngine, more: number, count: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < more; n += 1) ids.unshift((await engine.submit("quick", { n }, { key: `${more} ${n}` })).id);
  for (const id of ids.toReversed()) await engine.cancelJob(id);
  const listed = engine.jobs().map(({ id }) => id);
  assert.deepEqual([listed.length, listed.slice(0, more)], [count, ids]);
}

async function afterLosses({ engine, home }: TestEngine, losses: number, then: readonly unknown[]): Promise<void> {
  const { id } = await engine.submit("quick", { losses });
  for (let loss = 0; loss < losses; loss += 1) {
    inHands(home, id, JSON.stringify({ ...ownMark(), startedAt: "1" }));
    engine.jobs();
  }
  const job = engine.job(id);
  assert.ok(job);
  assert.deepEqual(ended(job), then);
  if (then[0] === "failed")
    assert.match(job.outcome?.text ?? "", new RegExp(`ended before it did, ${losses} times: it is not tried again`, "u"));
}

async function afterSilence({ engine, home }: TestEngine, ms: number, state: string): Promise<void> {
  const { id } = await engine.submit("quick", { ms });
  inHands(home, id, JSON.stringify({ ...ownMark(), host: "another" }));
  engine.jobs();
  await setTimeout(ms);
  assert.equal(engine.job(id)?.state, state);
}

// As a worker of that mark would have left it.
function inHands(home: string, id: string, mark: string): void {
  alterJobs(home, "INSERT INTO workers (id, mark, beat) VALUES (?, ?, 0)", `of ${id}`, mark);
  alterJobs(home, "UPDATE jobs SET state = 'running', worker = ?, begun = 1, retry_safe = 1 WHERE id = ?", `of ${id}`, id);
}

// Of two jobs the second comes right after the look that saw the first.
async function betweenLooks(made: TestEngine): Promise<number> {
  await using other = await beside(made);
  const first = await other.submit("wait", { n: performance.now() });
  await until(() => other.job(first.id)?.state === "running");
  const second = await other.submit("wait", { n: performance.now() });
  await until(() => other.job(second.id)?.state === "running");
  const [from, to] = [first, second].map(({ id }) => Date.parse(other.job(id)?.startedAt ?? ""));
  for (const { id } of [first, second]) await other.cancelJob(id);
  for (const { id } of [first, second]) await other.waitForJob(id);
  return (to ?? 0) - (from ?? 0);
}

async function beside({ home, folder }: TestEngine) {
  return await createEngine({ home, capabilities: [folder], log: () => undefined, limits: { jobPollMs: 10 } });
}
