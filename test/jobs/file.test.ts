import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { runCommand } from "../support/command.ts";
import { until } from "../support/processes.ts";
import { makeQueue, type TestQueue } from "./a-queue.ts";

test("the file of jobs is its owner's alone, and so is what stands beside it", async () => {
  await using queue = await makeQueue();
  await queue.engine.submit("record", { n: 1 });
  for (const name of ["jobs.db", "jobs.db-wal", "jobs.db-shm"])
    assert.equal(statSync(path.join(queue.home, name)).mode & 0o777, 0o600, name);
  await queue.engine.close();
  chmodSync(fileOf(queue), 0o644);
  await using other = await queue.another();
  other.jobs();
  assert.equal(statSync(fileOf(queue)).mode & 0o777, 0o600);
});

test("an engine that has nothing to do with jobs makes no file for them", async () => {
  await using queue = await makeQueue();
  await queue.engine.call("foreground");
  assert.ok(!existsSync(fileOf(queue)));
});

describe("a file that cannot be used is a reason and stays as it is:", () => {
  for (const [what, spoil, says] of [
    [
      "no database",
      (file: string) => writeFileSync(file, "jobs, jobs, jobs".repeat(1000)),
      /jobs\.db .* is damaged and nothing in it was touched/u,
    ],
    ["an empty one", (file: string) => writeFileSync(file, ""), /is damaged/u],
    ["a stranger's", (file: string) => sql(file, "PRAGMA application_id = 1"), /is damaged/u],
    ["one with a page of nonsense", spoilPage, /is damaged/u],
    ["one that lost its table", (file: string) => sql(file, "DROP TABLE bodies"), /is damaged/u],
    ["one of a newer engine", (file: string) => sql(file, "PRAGMA user_version = 99"), /was made by a newer toolcell: update this one/u],
    ["a folder", replaceByFolder, /is damaged/u],
  ] as const) {
    test(what, async () => {
      await using queue = await makeQueue();
      await queue.engine.submit("record", { n: 1 });
      await queue.engine.close();
      spoil(fileOf(queue));
      const before = what === "a folder" ? null : readFileSync(fileOf(queue));
      const damaged = { name: "JobError", code: "JOBS_DAMAGED", message: says };
      await using engine = await queue.another({ work: true });
      await assert.rejects(engine.submit("record", { n: 2 }), damaged);
      assert.throws(() => engine.jobs(), damaged);
      assert.equal((await engine.call("foreground")).ok, true);
      const { code, stdout, stderr } = await runCommand(["jobs", ...queue.flags]);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, says);
      if (before !== null) assert.deepEqual(readFileSync(fileOf(queue)), before);
    });
  }

  test("none, since there is a file in the place of its folder", async () => {
    await using queue = await makeQueue();
    const home = path.join(queue.home, "a-file");
    writeFileSync(home, "here");
    for (const command of ["jobs", "work"]) {
      const { code, stdout } = await runCommand([command, "--json", ...queue.flags, "--home", home]);
      assert.equal(code, 1);
      const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
      assert.equal(error.code, "JOBS_DAMAGED");
      assert.match(error.message, /jobs\.db in the engine's home cannot be opened or written/u);
    }
  });

  test("an engine that is to work on it says so once in the owner's log, and works once it can", async () => {
    const lines: string[] = [];
    await using queue = await makeQueue();
    writeFileSync(fileOf(queue), "nonsense");
    await using engine = await queue.another({ work: true, log: ({ message }) => lines.push(message) });
    await until(() => lines.length > 0);
    assert.match(lines.join("\n"), /^Jobs are not worked on: The file jobs\.db/u);
    rmSync(fileOf(queue));
    const { id } = await queue.engine.submit("record", { n: 1 });
    assert.equal((await engine.waitForJob(id)).state, "done");
    assert.equal(lines.length, 1);
  });
});

test("a file that is moved away under a running worker is begun anew, with nothing of the old one in it", async () => {
  await using queue = await makeQueue();
  await using worker = await queue.another({ work: true });
  const first = await queue.engine.submit("record", { n: 1 });
  await worker.waitForJob(first.id);
  renameSync(fileOf(queue), `${fileOf(queue)}.old`);
  const second = await queue.engine.submit("record", { n: 2 });
  assert.deepEqual(
    queue.engine.jobs().map(({ id }) => id),
    [second.id],
  );
  assert.equal((await worker.waitForJob(second.id)).state, "done");
  assert.equal(queue.engine.job(first.id), null);
});

test("a file that another process holds for long is busy, and not damaged", async () => {
  await using queue = await makeQueue({ limits: { jobPollMs: 20 } });
  await queue.engine.submit("record", { n: 1 });
  const { DatabaseSync } = await import("node:sqlite");
  using other = new DatabaseSync(fileOf(queue));
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(queue.engine.submit("record", { n: 2 }), { code: "JOBS_BUSY" });
  assert.equal(queue.engine.jobs().length, 1);
  other.exec("ROLLBACK");
  assert.equal((await queue.engine.submit("record", { n: 2 })).isNew, true);
});

function fileOf({ home }: Pick<TestQueue, "home">): string {
  return path.join(home, "jobs.db");
}

function sql(file: string, statement: string): void {
  const script = `const { DatabaseSync } = require("node:sqlite"); new DatabaseSync(process.argv[1]).exec(process.argv[2]);`;
  execFileSync(process.execPath, ["--no-warnings", "-e", script, file, statement]);
}

function replaceByFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

function spoilPage(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, 4096, 4096 * 6);
  writeFileSync(file, bytes);
}
