import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { startCommand } from "../support/command.ts";
import { ended, makeQueue, untilRunning } from "./a-queue.ts";

describe("a job is cancelled", () => {
  test("before it is begun: at once, and its tool never is", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("record", { n: 1 });
    const job = await queue.engine.cancelJob(id);
    assert.deepEqual([ended(job), job.outcome?.error?.started], [["cancelled", "CANCELLED"], false]);
    await queue.engine.work({ once: true });
    assert.equal(queue.count("begun", 1), 0);
  });

  test("while it runs: its call is ended", async () => {
    await using queue = await makeQueue({ work: true });
    const { id } = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, id);
    assert.equal((await queue.engine.cancelJob(id)).state, "running");
    const job = await queue.engine.waitForJob(id);
    assert.deepEqual([ended(job), job.outcome?.error?.started], [["cancelled", "CANCELLED"], true]);
    assert.deepEqual(job.progress, { fraction: 0.25, detail: "holding" });
  });

  test("while it runs in another process, whose worker goes on", async () => {
    await using queue = await makeQueue();
    const { child, end } = startCommand(["work", ...queue.flags]);
    const { id } = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, id);
    await queue.engine.cancelJob(id);
    assert.deepEqual(ended(await queue.engine.waitForJob(id)), ["cancelled", "CANCELLED"]);
    const next = await queue.engine.submit("record", { n: 2 });
    assert.deepEqual(ended(await queue.engine.waitForJob(next.id)), ["done", null]);
    child.kill("SIGTERM");
    assert.equal((await end).code, 0);
  });

  test("after it has ended: it stays what it is", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("record", { n: 1 });
    await queue.engine.work({ once: true });
    assert.deepEqual(ended(await queue.engine.cancelJob(id)), ["done", null]);
  });

  test("after its worker was killed: it is cancelled, and not tried again", async () => {
    await using queue = await makeQueue();
    const { child, end } = startCommand(["work", ...queue.flags]);
    const { id } = await queue.engine.submit("repeat", { n: 1, ms: 60_000 });
    await untilRunning(queue, id);
    queue.alter("UPDATE jobs SET cancel_asked = 1 WHERE id = ?", id);
    child.kill("SIGKILL");
    await end;
    assert.equal(queue.engine.job(id)?.state, "cancelled");
  });

  test("that there is none of: an error says so", async () => {
    await using queue = await makeQueue();
    await assert.rejects(queue.engine.cancelJob("nix"), { name: "JobError", code: "UNKNOWN_JOB", message: /There is no job "nix"/u });
    await assert.rejects(queue.engine.waitForJob("nix"), { code: "UNKNOWN_JOB" });
    assert.equal(queue.engine.job("nix"), null);
  });
});

describe("by the time that it is run", () => {
  test("its capability is gone: it has failed, and says so", async () => {
    await using queue = await makeQueue({}, { "brief/brief.js": toolFile("brief", "const run = () => 'here';", { code: BACKGROUND }) });
    const { id } = await queue.engine.submit("brief");
    rmSync(path.join(queue.folder, "brief"), { recursive: true });
    await queue.engine.refresh();
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.outcome?.error?.code, job?.outcome?.error?.started], ["failed", "UNKNOWN_TOOL", false]);
    assert.match(job?.outcome?.text ?? "", /There is no tool "brief"/u);
  });

  test("its capability is switched off: it has failed, and says so", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("record", { n: 1 });
    await queue.engine.disable("ledger");
    await queue.engine.work({ once: true });
    assert.equal(queue.engine.job(id)?.outcome?.error?.code, "UNKNOWN_TOOL");
    assert.equal(queue.count("begun", 1), 0);
  });

  test("its grants are taken back: it has failed, and says so", async () => {
    await using queue = await makeQueue();
    const { id } = await queue.engine.submit("record", { n: 1 });
    await queue.engine.revoke("ledger");
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.outcome?.error?.code], ["failed", "PERMISSION_DENIED"]);
    assert.equal(queue.count("begun", 1), 0);
  });

  test("its tool says no more that it runs in the background: it has failed, and says so", async () => {
    const files = { "brief/brief.js": toolFile("brief", "const run = () => 'here';", { code: BACKGROUND }) };
    await using queue = await makeQueue({}, files);
    const { id } = await queue.engine.submit("brief");
    writeFileSync(path.join(queue.folder, "brief/brief.js"), toolFile("brief", "const run = () => 'here';"));
    await queue.engine.refresh();
    await queue.engine.work({ once: true });
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.outcome?.error?.code, job?.outcome?.error?.started], ["failed", "PERMISSION_DENIED", false]);
    assert.match(job?.outcome?.text ?? "", /"brief" does not run in the background/u);
  });
});

test("a job of one agent's tool is not another's of the same name: it is neither taken for it, nor run by it", async () => {
  const toModule = (answer: string): string => `export const EXECUTION_PROFILE = { add: { background_eligible: true } };
export const getToolSchemas = () => [{ name: "notes_add", description: "d", input_schema: { type: "object" } }];
export const dispatch = () => "${answer}";`;
  await using queue = await makeQueue();
  const [one, other] = ["one", "other"].map((name) => path.join(queue.home, "agents", name)) as [string, string];
  for (const agentDir of [one, other]) {
    mkdirSync(path.join(agentDir, "tools"), { recursive: true });
    writeFileSync(path.join(agentDir, "tools/notes.js"), toModule(path.basename(agentDir)));
  }
  await using ofOne = await queue.another({ agentDir: one });
  await using ofOther = await queue.another({ agentDir: other });
  const first = await ofOne.submit("notes_add", { text: "private" });
  assert.equal((await ofOne.submit("notes_add", { text: "private" })).isNew, false);
  const second = await ofOther.submit("notes_add", { text: "private" });
  assert.equal(second.isNew, true);
  await ofOther.work({ once: true });
  assert.equal(ofOther.job(second.id)?.outcome?.text, "other");
  assert.equal(ofOther.job(first.id)?.state, "pending");
  await ofOne.work({ once: true });
  assert.equal(ofOne.job(first.id)?.outcome?.text, "one");
});

test("a job whose tool another has taken the name of meanwhile has failed, and says so", async () => {
  const tool = (answer: string): string => toolFile("brief", `const run = () => "${answer}";`, { code: BACKGROUND });
  await using queue = await makeQueue({}, { "brief/brief.js": tool("one") });
  const { id } = await queue.engine.submit("brief");
  rmSync(path.join(queue.folder, "brief"), { recursive: true });
  mkdirSync(path.join(queue.folder, "other"));
  writeFileSync(path.join(queue.folder, "other/brief.js"), tool("other"));
  await queue.engine.refresh();
  assert.equal((await queue.engine.call("brief")).text, "other");
  await queue.engine.work({ once: true });
  const job = queue.engine.job(id);
  assert.deepEqual([job?.state, job?.outcome?.error?.code, job?.outcome?.error?.started], ["failed", "PERMISSION_DENIED", false]);
  assert.match(job?.outcome?.text ?? "", /another tool here than the one that it was submitted for/u);
});

describe("an engine that is closed while a job runs", () => {
  test("puts it back where it has done nothing yet", async () => {
    await using queue = await makeQueue();
    const other = await queue.another({ work: true });
    const { id } = await queue.engine.submit("hold_still", { n: 1 });
    await untilRunning(queue, id);
    await other.close();
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.attempts, job?.outcome], ["pending", 1, null]);
    queue.letGo(1);
    await queue.engine.work({ once: true });
    assert.deepEqual(queue.engine.job(id)?.outcome?.text, "let go of 1");
  });

  test("puts it back where its tool says that it may run again", async () => {
    await using queue = await makeQueue();
    const other = await queue.another({ work: true });
    const { id } = await queue.engine.submit("repeat", { n: 1, ms: 60_000 });
    await untilRunning(queue, id);
    await other.close();
    assert.equal(queue.engine.job(id)?.state, "pending");
    assert.equal(queue.count("begun", 1), 1);
  });

  test("says that it has failed where it has done something, and is not safe to be run twice", async () => {
    await using queue = await makeQueue();
    const other = await queue.another({ work: true });
    const { id } = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, id);
    await other.close();
    const job = queue.engine.job(id);
    assert.deepEqual([job?.state, job?.outcome?.error?.code, job?.outcome?.error?.retrySafe], ["failed", "CANCELLED", false]);
    assert.match(job?.outcome?.text ?? "", /Its worker was told to stop while it ran/u);
    assert.equal(job?.outcome?.effects[0]?.state, "done");
  });
});

test("jobs that wait for their capability's turn keep no place from those of another", async () => {
  const narrow = {
    "narrow/index.js": "export const LIMITS = { concurrency: 1 };\nexport const PERMISSIONS = { workspace: 'read' };",
    "narrow/wait.js": toolFile("wait", WAIT, { code: BACKGROUND }),
  };
  await using queue = await makeQueue({ work: true, policy: { grant: () => true }, limits: { jobRunCount: 2 } }, narrow);
  const first = await queue.engine.submit("wait", { n: 1 });
  const second = await queue.engine.submit("wait", { n: 2 });
  await untilRunning(queue, first.id);
  const other = await queue.engine.submit("record", { n: 3 });
  assert.equal((await queue.engine.waitForJob(other.id)).state, "done");
  assert.equal(queue.engine.job(second.id)?.state, "pending");
  for (const n of [1, 2]) queue.letGo(n);
  for (const { id } of [first, second]) assert.equal((await queue.engine.waitForJob(id)).state, "done");
});

test("a job that waits behind calls of somebody else's goes on waiting instead of failing", async () => {
  await using queue = await makeQueue({ work: true, limits: { callCount: 1, queueMs: 50 } });
  const call = queue.engine.call("hold", { n: 1 });
  const { id } = await queue.engine.submit("record", { n: 2 });
  const before = (await queue.engine.call("record", { n: 3 })).error?.code;
  assert.equal(before, "QUEUE_TIMEOUT");
  assert.ok(["pending", "running"].includes(queue.engine.job(id)?.state ?? ""));
  queue.letGo(1);
  assert.equal((await call).ok, true);
  const job = await queue.engine.waitForJob(id);
  assert.deepEqual([job.state, job.attempts], ["done", 1]);
});

test("a job has the time that it was submitted with, and `jobMs` by default", async () => {
  await using queue = await makeQueue({ work: true, limits: { jobMs: 150, callMs: 10 } });
  const [own, usual] = [
    await queue.engine.submit("hold_still", { n: 1 }, { timeoutMs: 90 }),
    await queue.engine.submit("hold_still", { n: 2 }),
  ];
  for (const [{ id }, value] of [
    [own, 90],
    [usual, 150],
  ] as const) {
    const { outcome } = await queue.engine.waitForJob(id);
    assert.deepEqual([outcome?.error?.code, outcome?.error?.limit], ["CALL_TIMEOUT", { name: "timeoutMs", value }]);
  }
});

const BACKGROUND = "export const EXECUTION_PROFILE = { background_eligible: true };";
const WAIT = `const run = async (context, { n }) => {
  context.progress(0.25, "holding");
  while (!(await context.fs.exists(\`/workspace/go.\${n}\`))) await new Promise((resolve) => setTimeout(resolve, 10));
  return "waited";
};`;
