import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { JobEntry } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import { until } from "../support/processes.ts";
import { makeCommandHome } from "./a-home.ts";

const BACKGROUND = "export const EXECUTION_PROFILE = { background_eligible: true };";
const SCHEMA = '{ type: "object", properties: { text: { type: "string" }, times: { type: "integer" } }, required: ["text"] }';

const { root, run, start } = makeCommandHome({
  "desk/index.js": 'export const PERMISSIONS = { workspace: "write" };',
  "desk/copy.js": toolFile("copy", "const run = (context, { text, times = 1 }) => ({ text: text.repeat(times), summary: 'copied' });", {
    schema: SCHEMA,
    code: BACKGROUND,
  }),
  "desk/where.js": toolFile(
    "where",
    "const run = async (context, { n }) => { await context.fs.write(`here.${n}`, ''); return 'there'; };",
    {
      code: BACKGROUND,
    },
  ),
  "desk/refuse.js": toolFile("refuse", "const run = () => { throw new ToolError('Not today.'); };", { code: BACKGROUND }),
  "desk/hold.js": toolFile("hold", "const run = (context) => { context.progress(0.25, 'holding'); return new Promise(() => {}); };", {
    code: BACKGROUND,
  }),
  "desk/now.js": toolFile("now", "const run = () => 'at once';"),
});

const parse = (text: string): JobEntry => JSON.parse(text) as JobEntry;
const list = async (): Promise<readonly JobEntry[]> => JSON.parse((await run(["jobs", "--json"])).stdout) as JobEntry[];
const stateOf = async (id: string): Promise<string> => parse((await run(["jobs", id, "--json"])).stdout).state;
const submit = async (...words: readonly string[]): Promise<string> => (await run(["submit", ...words])).stdout.trim();

describe("`submit`", () => {
  test("prints the id of the job, and where to look for it", async () => {
    const { code, stdout, stderr } = await run(["submit", "copy", "first"]);
    assert.equal(code, 0);
    assert.match(stdout, /^[0-9a-f]{12}\n$/u);
    assert.equal(stderr, `Queued for \`toolcell work\`; \`toolcell jobs ${stdout.trim()}\` says how far it is.\n`);
    const again = await run(["submit", "copy", "first"]);
    assert.deepEqual([again.stdout, again.stderr], [stdout, `The same was submitted before: it is job ${stdout.trim()}, pending.\n`]);
  });

  for (const [how, words] of [
    ["as flags", ["copy", "--text", "ab", "--times", "2"]],
    ["as words and flags", ["copy", "ab", "--times", "2"]],
    ["as name=value", ["copy", "text=ab", "times=2"]],
    ["as JSON", ["copy", '{"text":"ab","times":2}']],
    ["by its module and its action", ["desk", "copy", "ab", "--times", "2"]],
  ] as const) {
    test(`takes arguments ${how}, as \`call\` does`, async () => {
      const { id } = parse((await run(["submit", ...words, "--json"])).stdout);
      await run(["work", "--once"]);
      assert.equal(parse((await run(["jobs", id, "--json"])).stdout).outcome?.text, "abab");
    });
  }

  test("with --json prints the job", async () => {
    const { stdout, stderr } = await run(["submit", "copy", "json", "--json"]);
    const { id, tool, state, progress, outcome } = parse(stdout);
    assert.deepEqual([id.length, tool, state, progress, outcome, stderr], [12, "copy", "pending", null, null, ""]);
  });

  test("with --key makes one job, whatever became of it", async () => {
    const id = await submit("--key", "k1", "copy", "keyed");
    await run(["work", "--once", "--quiet"]);
    assert.equal(await submit("--key=k1", "copy", "keyed"), id);
    const { code, stderr } = await run(["submit", "--key", "k1", "copy", "other"]);
    assert.deepEqual([code, stderr], [1, 'The key "k1" belongs to a job of another tool or of other arguments: take another key.\n']);
  });

  for (const [what, words, exit, says] of [
    ["a tool that there is none of", ["nix"], 1, /^There is no tool "nix"\. There is: /u],
    ["a tool that does not run in the background", ["now"], 1, /^"now" does not run in the background: call it/u],
    ["no tool", [], 2, /needs the tool to call/u],
    ["a key without its value", ["--key"], 2, /"--key" needs a value/u],
    ["a flag that there is none of", ["--twice", "copy", "a"], 2, /tool to call|no flag/u],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const { code, stdout, stderr } = await run(["submit", ...words]);
      assert.deepEqual([code, stdout], [exit, ""]);
      assert.match(stderr, says);
    });
  }

  test("says why as JSON where it is asked for JSON", async () => {
    const { code, stdout, stderr } = await run(["submit", "now", "--json"]);
    assert.deepEqual([code, stderr, (JSON.parse(stdout) as { error: { code: string } }).error.code], [1, "", "NOT_BACKGROUND"]);
  });
});

describe("`work --once`", () => {
  test("runs what waits, prints each job as it ends, and ends", async () => {
    await run(["work", "--once", "--quiet"]);
    const [good, bad] = [await submit("copy", "of two"), await submit("refuse")];
    const { code, stdout, stderr } = await run(["work", "--once"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^${good}  done .*  copy  copied$`, "mu"));
    assert.match(stdout, new RegExp(`^${bad}  failed .*  refuse  Not today\\.$`, "mu"));
  });

  test("with --json prints each as JSON, and nothing where nothing waits", async () => {
    const id = await submit("copy", "as json");
    const ended = parse((await run(["work", "--once", "--json"])).stdout);
    assert.deepEqual([ended.id, ended.state, ended.outcome?.ok], [id, "done", true]);
    assert.equal((await run(["work", "--once", "--json"])).stdout, "");
  });

  test("runs each job in the workspace that it was submitted for, or those of one alone", async () => {
    const [one, other] = [path.join(root, "one"), path.join(root, "other")];
    for (const folder of [one, other]) mkdirSync(folder);
    await run(["grant", "desk", "--yes"]);
    const first = await submit("where", "n=1", "--workspace", one);
    const second = await submit("where", "n=1", "--workspace", other);
    assert.notEqual(first, second);
    await run(["work", "--once", "--workspace", other]);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ["pending", "done"]);
    const { stdout } = await run(["work", "--once"]);
    assert.match(stdout, new RegExp(`^${first}  done`, "mu"));
  });

  test("runs each job with the agent that it was submitted by, or those of one alone", async () => {
    const agents = ["one-agent", "other-agent"].map((name) => path.join(root, name)) as [string, string];
    for (const agent of agents) {
      mkdirSync(path.join(agent, "tools"), { recursive: true });
      const schemas = 'export const getToolSchemas = () => [{ name: "notes_add", description: "d", input_schema: {} }];';
      const profile = "export const EXECUTION_PROFILE = { add: { background_eligible: true } };";
      writeFileSync(path.join(agent, "tools/notes.js"), `${schemas}\n${profile}\nexport const dispatch = () => "${path.basename(agent)}";`);
    }
    const first = await submit("notes_add", "--agent", agents[0]);
    const second = await submit("notes_add", "--agent", agents[1]);
    await run(["work", "--once", "--agent", agents[1]]);
    assert.deepEqual([await stateOf(first), await stateOf(second)], ["pending", "done"]);
    await run(["work", "--once"]);
    assert.equal(parse((await run(["jobs", first, "--json"])).stdout).outcome?.text, "one-agent");
  });
});

describe("`jobs`", () => {
  test("lists the newest first, a line each; with --json whole", async () => {
    const ids = [await submit("copy", "l1"), await submit("copy", "l2")].reverse();
    const { code, stdout } = await run(["jobs"]);
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .split("\n")
        .slice(0, 2)
        .map((line) => line.slice(0, 12)),
      ids,
    );
    assert.match(stdout, /^[0-9a-f]{12} {2}pending {4}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}copy$/mu);
    const listed = await list();
    assert.deepEqual(
      listed.slice(0, 2).map(({ id }) => id),
      ids,
    );
    assert.ok(listed.every((job) => ["id", "tool", "state", "progress", "outcome"].every((name) => name in job)));
  });

  test("shows one with what came of it, also where it failed: exit 0", async () => {
    const id = await submit("refuse", "n=1");
    await run(["work", "--once", "--quiet"]);
    const { code, stdout } = await run(["jobs", id]);
    assert.equal(code, 0);
    assert.match(stdout, /failed.*\nrefuse failed: Not today\.\n$/u);
  });

  test("that there is none of is exit 1", async () => {
    for (const words of [["nix"], ["nix", "--cancel"], ["nix", "--watch"]]) {
      const { code, stdout, stderr } = await run(["jobs", ...words]);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /^There is no job "nix"/u);
    }
  });

  test("--watch waits for its end, and is then what `call` would have been", async () => {
    const [good, bad] = [await submit("copy", "watched"), await submit("refuse", "n=2")];
    const watches = [start(["jobs", good, "--watch"]), start(["jobs", "--watch", bad])];
    await run(["work", "--once", "--quiet"]);
    const [first, second] = await Promise.all(watches.map(({ end }) => end));
    assert.deepEqual([first?.code, first?.stdout, first?.stderr], [0, "watched\n", ""]);
    assert.deepEqual([second?.code, second?.stdout, second?.stderr], [1, "", "refuse failed: Not today.\n"]);
  });

  test("--watch without an id prints every change until it is interrupted", async () => {
    const id = await submit("copy", "seen");
    const { child, end } = start(["jobs", "--watch"]);
    let seen = "";
    child.stdout?.on("data", (text: Buffer) => (seen += text.toString()));
    await until(() => seen.includes(`${id}  pending`));
    await run(["work", "--once", "--quiet"]);
    await until(() => seen.includes(`${id}  done`));
    child.kill("SIGINT");
    assert.equal((await end).code, 0);
  });

  test("--cancel ends one that waits, and one that runs in another process", async () => {
    const waits = await submit("hold", "n=1");
    const cancelled = await run(["jobs", waits, "--cancel"]);
    assert.deepEqual([cancelled.code, cancelled.stdout], [0, `Job ${waits} is cancelled.\n`]);
    const again = await run(["jobs", waits, "--cancel"]);
    assert.deepEqual([again.code, again.stderr], [1, `Job ${waits} had ended already: it is cancelled.\n`]);

    const runs = await submit("hold", "n=2");
    const worker = start(["work"]);
    while ((await stateOf(runs)) !== "running");
    const told = await run(["jobs", runs, "--cancel"]);
    assert.match(told.stdout, /runs, and its worker is told to give it up|is cancelled/u);
    assert.equal((await run(["jobs", runs, "--watch"])).code, 1);
    assert.equal(await stateOf(runs), "cancelled");
    worker.child.kill("SIGTERM");
    assert.equal((await worker.end).code, 0);
  });

  for (const [what, words] of [
    ["a flag that there is none of", ["--all"]],
    ["two ids", ["a", "b"]],
    ["--cancel without an id", ["--cancel"]],
  ] as const) {
    test(`refuses ${what} as wrong usage`, async () => {
      const { code, stdout } = await run(["jobs", ...words]);
      assert.deepEqual([code, stdout], [2, ""]);
    });
  }
});

describe("`work`, told to end,", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`lets what runs end, and gives it up at a second ${signal}`, async () => {
      const id = await submit("hold", `n=${signal}`);
      const { child, end } = start(["work"]);
      let said = "";
      child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
      while ((await stateOf(id)) !== "running");
      child.kill(signal);
      await until(() => said.includes("Another interrupt gives it up"));
      assert.equal(await stateOf(id), "running");
      child.kill(signal);
      const { code } = await end;
      assert.equal(code, 0);
      // It had done nothing yet.
      assert.equal(await stateOf(id), "pending");
      await run(["jobs", id, "--cancel"]);
    });
  }
});
