import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { SubmitOptions } from "toolcell";
import { ended, makeQueue, untilRunning } from "./a-queue.ts";

describe("a submitted job", () => {
  test("waits, with nothing to show yet, until somebody works", async () => {
    await using queue = await makeQueue();
    const job = await queue.engine.submit("record", { n: 1 });
    const { id, tool, state, progress, outcome, attempts, isNew, workspace, startedAt, endedAt } = job;
    assert.match(id, /^[0-9a-f]{12}$/u);
    assert.deepEqual(
      [tool, state, progress, outcome, attempts, isNew, workspace, startedAt, endedAt],
      ["record", "pending", null, null, 0, true, queue.workspace, null, null],
    );
    assert.ok(Math.abs(Date.parse(job.submittedAt) - Date.now()) < 60_000);
    assert.equal(queue.count("begun", 1), 0);
  });

  test("is run by `work`, and kept with its whole outcome and its last progress", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("record", { n: 1 });
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.ok(job?.outcome);
    const { ok, tool, capability, text, summary, payload, error, effects } = job.outcome;
    assert.deepEqual(
      [job.state, job.attempts, ok, tool, capability, text, summary],
      ["done", 1, true, "record", "ledger", "did 1", "did it"],
    );
    assert.deepEqual([(payload as { n: number }).n, error, effects.length, job.progress], [1, null, 2, { fraction: 0.5, detail: "half" }]);
    assert.ok(job.startedAt !== null && job.endedAt !== null && job.startedAt <= job.endedAt);
    assert.deepEqual([queue.count("begun", 1), queue.count("ended", 1)], [1, 1]);
  });

  test("is run by an engine that works beside, and waited for", async () => {
    await using queue = await makeQueue({ work: true });
    const seen: unknown[] = [];
    const { id } = await queue.engine.submit("record", { n: 1, ms: 100 });
    const job = await queue.engine.waitForJob(id, { onProgress: (progress) => seen.push(progress) });
    assert.deepEqual([ended(job), job.outcome?.text], [["done", null], "did 1"]);
    assert.deepEqual(seen, [{ fraction: 0.5, detail: "half" }]);
  });

  test("that its tool refuses has failed, and says why", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("refuse");
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.outcome?.error?.code, job?.outcome?.error?.message], ["failed", "TOOL_ERROR", "Not today."]);
  });

  test("whose arguments do not fit has failed, and says what is wrong with them", async () => {
    await using queue = await makeQueue({}, { "ledger/strict.js": STRICT });
    const { id } = await queue.engine.submit("strict", { n: "many" });
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.equal(job?.outcome?.error?.code, "INVALID_ARGUMENTS");
    assert.match(job?.outcome?.text ?? "", /`n` must be an integer, not a string/u);
  });

  test("keeps what it was given until it has ended, and no longer", async () => {
    await using queue = await makeQueue();
    await queue.engine.submit("record", { n: 1, note: "only-for-this-job" });
    const holds = (): boolean =>
      ["jobs.db", "jobs.db-wal"].some((file) => readFileSync(path.join(queue.home, file), "latin1").includes("only-for-this-job"));
    assert.ok(holds());
    await queue.engine.work({ once: true });
    assert.ok(!JSON.stringify(queue.engine.jobs()).includes("only-for-this-job"));
    await queue.engine.close();
    assert.ok(!readFileSync(path.join(queue.home, "jobs.db"), "latin1").includes("only-for-this-job"));
  });
});

describe("a submission is refused, and nothing is queued:", () => {
  for (const [what, tool, args, code, says] of [
    ["of a tool that there is none of", "recrod", {}, "UNKNOWN_TOOL", /no tool "recrod"\. There is: .*record/u],
    [
      "of a tool that does not say that it runs in the background",
      "foreground",
      {},
      "NOT_BACKGROUND",
      /"foreground" does not run in the background: call it, or let its author say `background_eligible: true`/u,
    ],
    ["of a shipped tool that answers at once", "math_evaluate", { expression: "1" }, "NOT_BACKGROUND", /does not run in the background/u],
    ["with arguments that are no object", "record", [1], "INVALID_ARGUMENTS", /must be a JSON object, not an array/u],
    ["with arguments that are no JSON", "record", { n: 1n }, "INVALID_ARGUMENTS", /are no JSON/u],
  ] as const) {
    test(what, async () => {
      await using queue = await makeQueue();
      await assert.rejects(queue.engine.submit(tool, args), { name: "JobError", code, message: says });
      assert.deepEqual(queue.engine.jobs(), []);
    });
  }

  test("of a capability that is switched off", async () => {
    await using queue = await makeQueue();
    await queue.engine.disable("ledger");
    await assert.rejects(queue.engine.submit("record"), { code: "UNKNOWN_TOOL" });
  });

  for (const [what, options, says] of [
    ["an option that there is none of", { kye: "a" }, /`submit` has no option `kye`\. It has `key`/u],
    ["an empty key", { key: "" }, /`key` must be a string of 1 to 200 characters/u],
    ["a key that is too long", { key: "k".repeat(201) }, /`key` must be a string of 1 to 200 characters/u],
    ["a key that is no string", { key: 7 }, /`key`/u],
    ["a time of nothing", { timeoutMs: Number.NaN }, /`timeoutMs` must be from/u],
    ["a negative limit", { resultLimit: -1 }, /`resultLimit`/u],
    ["a caller that is no string", { caller: 1 }, /`caller`/u],
    ["options that are none", null, /must be an object/u],
  ] as const) {
    test(`with ${what}`, async () => {
      await using queue = await makeQueue();
      await assert.rejects(queue.engine.submit("record", {}, options as unknown as SubmitOptions), says);
      assert.deepEqual(queue.engine.jobs(), []);
    });
  }
});

describe("the same work is not queued twice:", () => {
  test("the same tool and arguments, in whatever order, are the job that waits already", async () => {
    await using queue = await makeQueue();
    const first = await queue.engine.submit("record", { n: 1, deep: { a: 1, b: [1, 2] } });
    const again = await queue.engine.submit("record", { deep: { b: [1, 2], a: 1 }, n: 1 });
    assert.deepEqual([again.id, again.isNew], [first.id, false]);
    for (const [tool, args] of [
      ["record", { n: 1, deep: { a: 1, b: [2, 1] } }],
      ["repeat", { n: 1, deep: { a: 1, b: [1, 2] } }],
    ] as const)
      assert.equal((await queue.engine.submit(tool, args)).isNew, true);
    await queue.engine.work({ once: true });
    assert.deepEqual(
      queue.engine.jobs().map(({ state }) => state),
      ["done", "done", "done"],
    );
  });

  test("nor is what runs; what has ended may be submitted anew", async () => {
    await using queue = await makeQueue({ work: true });
    const first = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, first.id);
    assert.equal((await queue.engine.submit("hold", { n: 1 })).id, first.id);
    queue.letGo(1);
    await queue.engine.waitForJob(first.id);
    assert.equal((await queue.engine.submit("hold", { n: 1 })).isNew, true);
  });

  test("what is being cancelled stands in nobody's way", async () => {
    await using queue = await makeQueue();
    const first = await queue.engine.submit("hold", { n: 1 });
    queue.alter("UPDATE jobs SET cancel_asked = 1");
    assert.notEqual((await queue.engine.submit("hold", { n: 1 })).id, first.id);
  });

  test("a key stands for one job, also when that has ended", async () => {
    await using queue = await makeQueue();
    const first = await queue.engine.submit("record", { n: 1 }, { key: "order-7" });
    await queue.engine.work({ once: true });
    const again = await queue.engine.submit("record", { n: 1 }, { key: "order-7" });
    assert.deepEqual([again.id, again.isNew, again.state, again.outcome?.text], [first.id, false, "done", "did 1"]);
    assert.equal(queue.count("begun", 1), 1);
  });

  test("two keys are two jobs of the same work", async () => {
    await using queue = await makeQueue();
    const jobs = [await queue.engine.submit("record", { n: 1 }, { key: "a" }), await queue.engine.submit("record", { n: 1 }, { key: "b" })];
    assert.deepEqual(
      jobs.map(({ isNew }) => isNew),
      [true, true],
    );
    await queue.engine.work({ once: true });
    assert.equal(queue.count("ended", 1), 2);
  });

  test("a key for other work is refused", async () => {
    await using queue = await makeQueue();
    await queue.engine.submit("record", { n: 1 }, { key: "order-7" });
    for (const [tool, args] of [
      ["record", { n: 2 }],
      ["repeat", { n: 1 }],
    ] as const)
      await assert.rejects(queue.engine.submit(tool, args, { key: "order-7" }), {
        code: "JOB_KEY_TAKEN",
        message: /The key "order-7" belongs to/u,
      });
    assert.equal(queue.engine.jobs().length, 1);
  });

  test("of twenty at once, one is made", async () => {
    await using queue = await makeQueue();
    await using other = await queue.another();
    const jobs = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? queue.engine : other).submit("record", { n: 1 })),
    );
    assert.equal(new Set(jobs.map(({ id }) => id)).size, 1);
    assert.equal(jobs.filter(({ isNew }) => isNew).length, 1);
  });
});

const STRICT = `export const NAME = "strict"; export const DESCRIPTION = "Does it.";
export const INPUT_SCHEMA = { type: "object", properties: { n: { type: "integer" } } };
export const EXECUTION_PROFILE = { background_eligible: true };
export const run = () => "done";`;
