import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JobEntry } from "toolcell";
import { startCommand } from "../support/command.ts";
import { until } from "../support/processes.ts";
import { makeQueue, type TestQueue } from "./a-queue.ts";

// Loaded before anything of ours: a wall clock that goes wherever it likes, at each look.
const JUMPING = `--import=data:text/javascript,${encodeURIComponent(
  "const now = Date.now; Date.now = () => now() + Math.floor((Math.random() - 0.5) * 5 * 86_400_000);",
)}`;
const COUNT = 60;

describe("several workers at once", () => {
  test("run every job once, and no more at a time than `jobRunCount` of all of theirs", async () => {
    await using queue = await makeQueue();
    await submitMany(queue, COUNT, 40);
    const ends = await Promise.all(Array.from({ length: 3 }, () => startCommand(["work", "--once", ...queue.flags]).end));
    assert.deepEqual(
      ends.map(({ code, stderr }) => [code, stderr]),
      Array.from({ length: 3 }, () => [0, ""]),
    );
    assertOnce(queue, COUNT);
    const lines = ends.map(({ stdout }) => stdout.split("\n").filter(Boolean).length);
    assert.equal(
      lines.reduce((sum, count) => sum + count, 0),
      COUNT,
    );
    assert.ok(lines.filter((count) => count > 0).length > 1, `one had all of it: ${lines.join()}`);
    const most = mostAtOnce(queue.engine.jobs({ limit: COUNT }));
    assert.ok(most > 1 && most <= 4, `${most} at once`);
  });

  test("in one process do so too", async () => {
    await using queue = await makeQueue({ limits: { jobRunCount: 3 } });
    await using other = await queue.another();
    await submitMany(queue, COUNT, 5);
    await Promise.all([queue.engine.work({ once: true }), queue.engine.work({ once: true }), other.work({ once: true })]);
    assertOnce(queue, COUNT);
    assert.ok(mostAtOnce(queue.engine.jobs({ limit: COUNT })) <= 3);
    assert.deepEqual(queue.workers(), []);
  });

  test("whose clocks jump by days run every job once, in the order in which they came", async () => {
    await using queue = await makeQueue({ limits: { jobRunCount: 1 } });
    await submitMany(queue, 20, 1);
    const env = { NODE_OPTIONS: JUMPING };
    const order: string[] = [];
    const workers = Array.from({ length: 2 }, () => startCommand(["work", "--once", ...queue.flags], { env }));
    for (const { child } of workers) child.stdout?.on("data", (text: Buffer) => order.push(...text.toString().split("\n").filter(Boolean)));
    for (const { code } of await Promise.all(workers.map(({ end }) => end))) assert.equal(code, 0);
    assertOnce(queue, 20);
    assert.equal(order.length, 20);
  });

  test("whose clocks jump take nothing from one that is alive, and all of one that is killed", async () => {
    await using queue = await makeQueue();
    const env = { NODE_OPTIONS: JUMPING };
    const held = startCommand(["work", ...queue.flags], { env });
    const { id } = await queue.engine.submit("hold", { n: "held" });
    await until(() => queue.count("begun", "held") === 1);
    await submitMany(queue, 8, 1);
    await startCommand(["work", "--once", ...queue.flags], { env }).end;
    assert.equal(queue.engine.job(id)?.state, "running");
    held.child.kill("SIGKILL");
    await held.end;
    assert.equal(queue.engine.job(id)?.state, "failed");
    await queue.engine.work({ once: true });
    assertOnce(queue, 8);
  });
});

async function submitMany({ engine }: TestQueue, count: number, ms: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await engine.submit("record", { n, ms });
}

function assertOnce(queue: TestQueue, count: number): void {
  const jobs = queue.engine.jobs({ limit: 1000 }).filter(({ tool }) => tool === "record");
  assert.deepEqual([jobs.length, jobs.filter(({ state, attempts }) => state === "done" && attempts === 1).length], [count, count]);
  for (let n = 0; n < count; n += 1) assert.deepEqual([queue.count("begun", n), queue.count("ended", n)], [1, 1], `run ${n}`);
}

function mostAtOnce(jobs: readonly JobEntry[]): number {
  const spans = jobs.map(({ outcome }) => outcome?.payload as { readonly begunAt: number; readonly endedAt: number });
  return Math.max(...spans.map(({ begunAt }) => spans.filter((other) => other.begunAt <= begunAt && begunAt < other.endedAt).length));
}
