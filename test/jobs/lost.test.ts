import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ownMark, type ProcessMark } from "../../src/jobs/process-mark.ts";
import { startCommand } from "../support/command.ts";
import { canSeeProcesses, until } from "../support/processes.ts";
import { ended, makeQueue, untilRunning, type TestQueue } from "./a-queue.ts";

const onLinux = { skip: canSeeProcesses ? false : "processes cannot be seen here" } as const;

describe("a job whose worker is killed", onLinux, () => {
  test("has failed where its tool is not safe to be run twice, and says why", async () => {
    await using queue = await makeQueue();
    const { id } = await killedWith(queue, "hold");
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.attempts, job?.outcome?.error?.code], ["failed", 1, "CELL_CRASHED"]);
    assert.deepEqual([job?.outcome?.error?.started, job?.outcome?.error?.retrySafe, job?.outcome?.capability], [true, false, "ledger"]);
    assert.match(job?.outcome?.text ?? "", /^hold failed: The process that ran it ended before it did, and nobody knows how far it came/u);
    await queue.engine.work({ once: true });
    assert.deepEqual([queue.count("begun", 1), queue.engine.job(id)?.state], [1, "failed"]);
  });

  test("waits again where its tool is, and is done by the next", async () => {
    await using queue = await makeQueue();
    const { id } = await killedWith(queue, "repeat", 1000);
    assert.deepEqual([queue.engine.job(id)?.state, queue.engine.job(id)?.progress], ["pending", { fraction: 0.5, detail: "half" }]);
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.attempts, queue.count("begun", 1), queue.count("ended", 1)], ["done", 2, 2, 1]);
  });

  test("is found by a worker that has been running all the time", async () => {
    await using queue = await makeQueue();
    await using other = await queue.another();
    const stop = new AbortController();
    const works: Promise<void>[] = [];
    const { id } = await killedWith(queue, "repeat", 1000, () => works.push(other.work({ signal: stop.signal })));
    assert.deepEqual([(await queue.engine.waitForJob(id)).state, queue.count("begun", 1)], ["done", 2]);
    stop.abort();
    await Promise.all(works);
  });
});

test("a job that had not been begun waits again, whatever its tool says of itself", async () => {
  await using queue = await makeQueue();
  const { id } = await inHandsOf(queue, "record", { mark: { ...ownMark(), startedAt: "1" }, isBegun: false });
  assert.deepEqual([queue.engine.job(id)?.state, queue.engine.job(id)?.attempts], ["pending", 0]);
  await queue.engine.work({ once: true });
  assert.deepEqual([ended(present(queue, id)), queue.count("begun", 1)], [["done", null], 1]);
});

describe("a worker is known by more than its number:", onLinux, () => {
  test("one whose number another process has now is gone", async () => {
    await using queue = await makeQueue();
    const { id } = await inHandsOf(queue, "record", { mark: { ...ownMark(), startedAt: "1" } });
    assert.deepEqual(ended(present(queue, id)), ["failed", "CELL_CRASHED"]);
  });

  test("one whose number nobody has is gone", async () => {
    await using queue = await makeQueue();
    const { child, end } = startCommand(["--version"]);
    const { pid = 0 } = child;
    await end;
    const { id } = await inHandsOf(queue, "record", { mark: { ...ownMark(), pid } });
    assert.deepEqual(ended(present(queue, id)), ["failed", "CELL_CRASHED"]);
  });

  test("one that still is there is not gone, however long it says nothing", async () => {
    await using queue = await makeQueue({ limits: { jobLeaseMs: 50 } });
    const { id } = await inHandsOf(queue, "record", { mark: ownMark() });
    await looks(queue, 20);
    assert.equal(queue.engine.job(id)?.state, "running");
  });

  for (const [where, other] of [
    ["before the system was started anew", { boot: "another" }],
    ["on another machine", { host: "another" }],
    ["in another container", { space: "pid:[1]" }],
  ] as const) {
    test(`one that ran ${where} is gone once it has been silent for \`jobLeaseMs\``, async () => {
      await using queue = await makeQueue({ limits: { jobLeaseMs: 400 } });
      const since = performance.now();
      const { id } = await inHandsOf(queue, "record", { mark: { ...ownMark(), ...other } });
      assert.equal(queue.engine.job(id)?.state, "running");
      await queue.engine.waitForJob(id);
      assert.ok(performance.now() - since >= 400);
      assert.deepEqual(ended(present(queue, id)), ["failed", "CELL_CRASHED"]);
    });
  }

  test("one that cannot be looked for and goes on giving signs of life keeps its job", async () => {
    await using queue = await makeQueue({ limits: { jobLeaseMs: 1000 } });
    await using far = await queue.another({ work: true });
    const { id } = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, id);
    queue.alter("UPDATE workers SET mark = ?", JSON.stringify({ ...ownMark(), host: "another" }));
    const since = performance.now();
    while (performance.now() - since < 2500) await looks(queue, 1);
    assert.equal(far.job(id)?.state, "running");
    queue.letGo(1);
    assert.equal((await far.waitForJob(id)).state, "done");
  });

  test("one that was taken for gone and is not gives its job up, and works on under another name", async () => {
    await using queue = await makeQueue({ limits: { jobLeaseMs: 50 } });
    // It gives a sign of life once a second, and the other waits for one for less.
    await using far = await queue.another({ work: true, limits: { jobLeaseMs: 4000 } });
    const { id } = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, id);
    queue.alter("UPDATE workers SET mark = ?", JSON.stringify({ ...ownMark(), host: "another" }));
    assert.deepEqual(ended(await queue.engine.waitForJob(id)), ["failed", "CELL_CRASHED"]);
    const next = await far.submit("record", { n: 2 });
    assert.equal((await far.waitForJob(next.id)).state, "done");
    queue.letGo(1);
    assert.deepEqual(ended(present(queue, id)), ["failed", "CELL_CRASHED"]);
  });
});

test("a worker that is stopped in the midst of a job keeps it, and ends it when it goes on", onLinux, async () => {
  await using queue = await makeQueue({ limits: { jobLeaseMs: 50 } });
  const { child, end } = startCommand(["work", "--once", ...queue.flags]);
  const { id } = await queue.engine.submit("hold", { n: 1 });
  await untilRunning(queue, id);
  child.kill("SIGSTOP");
  const { id: other } = await queue.engine.submit("record", { n: 2 });
  queue.letGo(1);
  await queue.engine.work({ once: true });
  await looks(queue, 20);
  assert.deepEqual([queue.engine.job(id)?.state, queue.engine.job(other)?.state], ["running", "done"]);
  child.kill("SIGCONT");
  assert.equal((await queue.engine.waitForJob(id)).state, "done");
  assert.equal((await end).code, 0);
  assert.equal(queue.count("begun", 1), 1);
});

test("what is gone leaves no worker behind in the file", onLinux, async () => {
  await using queue = await makeQueue();
  await killedWith(queue, "hold");
  await queue.engine.work({ once: true });
  assert.deepEqual(queue.workers(), []);
});

function present(queue: TestQueue, id: string) {
  const job = queue.engine.job(id);
  assert.ok(job);
  return job;
}

async function looks({ engine }: TestQueue, count: number): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    engine.jobs();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function killedWith(queue: TestQueue, tool: string, ms = 0, before: () => unknown = () => null): Promise<{ readonly id: string }> {
  const { child, end } = startCommand(["work", ...queue.flags]);
  const { id } = await queue.engine.submit(tool, { n: 1, ms });
  await untilRunning(queue, id);
  await until(() => queue.count("begun", 1) === 1);
  before();
  child.kill("SIGKILL");
  await end;
  return { id };
}

interface Hands {
  readonly mark: ProcessMark;
  readonly isBegun?: boolean;
}

// As a worker of that mark would have left it.
async function inHandsOf(queue: TestQueue, tool: string, { mark, isBegun = true }: Hands): Promise<{ readonly id: string }> {
  const { id } = await queue.engine.submit(tool, { n: 1 });
  queue.alter("INSERT INTO workers (id, mark, beat) VALUES ('w', ?, 0)", JSON.stringify(mark));
  queue.alter(
    "UPDATE jobs SET state = 'running', worker = 'w', begun = ?, attempts = ? WHERE id = ?",
    isBegun ? 1 : 0,
    isBegun ? 1 : 0,
    id,
  );
  return { id };
}
