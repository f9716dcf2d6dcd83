import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { startCall } from "../support/calls.ts";
import { makeTempFolder, toolFile } from "../support/capabilities.ts";
import { until } from "../support/processes.ts";
import { COUNT, INDEX, makeWorker } from "./a-worker.ts";

describe("a worker has Node around it", () => {
  test("with its modules, its globals and a copy of the host's environment", async () => {
    const source = toolFile(
      "look",
      `async function run({ signal }) {
  process.env.TOOLCELL_TEST_WORD = "changed";
  const listener = createServer((request, response) => response.end("served")).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const answer = await fetch("http://127.0.0.1:" + listener.address().port, { signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]) });
  const text = await answer.text();
  listener.close();
  return { text, payload: [word, typeof Buffer, sep, existsSync(process.execPath), (await import("node:os")).EOL, signal instanceof AbortSignal] };
}`,
      {
        code: `import { existsSync } from "fs"; import { createServer } from "node:http"; import { once } from "events"; import { sep } from "node:path";
const word = process.env.TOOLCELL_TEST_WORD;`,
      },
    );
    process.env["TOOLCELL_TEST_WORD"] = "given";
    try {
      await using made = await makeWorker({ "look.js": source });
      const { text, payload } = await made.engine.call("look");
      assert.equal(text, "served");
      assert.deepEqual(payload, ["given", "function", path.sep, true, "\n", true]);
      assert.equal(process.env["TOOLCELL_TEST_WORD"], "given");
    } finally {
      delete process.env["TOOLCELL_TEST_WORD"];
    }
  });

  test("with real paths, which no text for the model shows", async () => {
    const source = toolFile(
      "where",
      `async function run({ paths }) {
  if (readFileSync(paths.capability + "/where.js", "utf8").length === 0) return "empty";
  return { text: "in " + paths.workspace + "/a, " + paths.workspace + "-b", summary: paths.capability, payload: paths };
}`,
      { code: 'import { readFileSync } from "node:fs";' },
    );
    const lost = toolFile("lost", "const run = ({ paths }) => readFileSync(paths.workspace + '/none');", {
      code: 'import { readFileSync } from "node:fs";',
    });
    using workspace = makeTempFolder();
    await using made = await makeWorker({ "where.js": source, "lost.js": lost }, { workspace: workspace.path });
    const { text, summary, payload } = await made.engine.call("where");
    assert.equal(text, `in /workspace/a, ${workspace.path}-b`);
    assert.equal(summary, "/capability");
    const { workspace: shown, capability } = payload as Record<string, string>;
    assert.deepEqual([shown, capability], [workspace.path, realpathSync(path.join(made.folder, "demo"))]);
    const failed = await made.engine.call("lost");
    assert.match(failed.text, /ENOENT: no such file or directory, open '\/workspace\/none'/u);
    assert.ok(made.log.some(({ detail }) => detail?.includes(path.join(workspace.path, "none"))));
  });

  test("whose folders are those behind the mounts, for its own calls and for `context.fs`", async () => {
    const source = toolFile(
      "both",
      `async function run({ fs, paths, host }) {
  const told = [];
  for (const [name, mount] of [["workspace", "/workspace"], ["home", "/home"], ["temp", "/tmp"]]) {
    writeFileSync(join(paths[name], "own.txt"), name);
    told.push(await fs.readText(mount + "/own.txt"), await fs.readText(join(paths[name], "own.txt")), await fs.readText(paths[name] + "/../" + basename(paths[name]) + "/own.txt"));
  }
  told.push(await fs.readText("own.txt"), await fs.exists(paths.capability + "/both.js"), await fs.exists("/capability/both.js"));
  return { text: "done", payload: [told, host.node, host.cpus] };
}`,
      { code: 'import { writeFileSync } from "node:fs"; import { basename, join } from "node:path";' },
    );
    using workspace = makeTempFolder();
    const asks = `${INDEX} export const PERMISSIONS = { workspace: "read", home: "read" };`;
    await using made = await makeWorker({ "index.js": asks, "both.js": source }, { workspace: workspace.path });
    await made.engine.grant("demo");
    const { payload, text } = await made.engine.call("both");
    const thrice = ["workspace", "home", "temp"].flatMap((name) => [name, name, name]);
    assert.deepEqual(payload, [[...thrice, "workspace", true, true], process.versions.node, availableParallelism()], text);
  });

  test("and what it writes to stdout goes to the owner's log and not to the host's", () => {
    using folder = makeTempFolder();
    const write = toolFile(
      "write",
      "const run = (context, args, after) => new Promise((resolve) => { process.stdout.write('in the call\\n'); setTimeout(() => resolve('done'), 10); });",
      { code: "setTimeout(() => console.log('of no call'), 0).unref(); process.stderr.write('at its loading\\n');" },
    );
    const demo = path.join(folder.path, "capabilities", "demo");
    mkdirSync(demo, { recursive: true });
    writeFileSync(path.join(demo, "index.js"), INDEX);
    writeFileSync(path.join(demo, "write.js"), write);
    const host = `import { createEngine } from "toolcell";
const log = [];
const engine = await createEngine({ home: ${JSON.stringify(path.join(folder.path, "home"))}, capabilities: [${JSON.stringify(path.dirname(demo))}], log: (entry) => log.push(entry.message) });
await engine.trust("demo");
const { text } = await engine.call("write");
while (!["at its loading", "of no call"].every((line) => log.includes(line))) await new Promise((resolve) => setTimeout(resolve, 5));
await engine.close();
process.stdout.write(JSON.stringify([text, log]));`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", host], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.equal(status, 0, stderr);
    const [text, log] = JSON.parse(stdout) as [string, string[]];
    assert.equal(text, "done");
    for (const line of ["in the call", "at its loading", "of no call"]) assert.equal(log.filter((entry) => entry === line).length, 1, line);
    assert.equal(stderr, "");
  });
});

describe("a worker's thread", () => {
  test("ends alone when it calls process.exit, and the next call has a new one", async () => {
    const leave = toolFile("leave", "const run = () => { process.exit(7); };");
    await using made = await makeWorker({ "leave.js": leave, "count.js": COUNT });
    await made.engine.call("count");
    const { error, text } = await made.engine.call("leave");
    assert.deepEqual([error?.code, error?.started], ["CELL_CRASHED", true]);
    assert.match(text, /ended its own thread with exit code 7/u);
    assert.equal((await made.engine.call("count")).text, "1");
  });

  for (const [what, code] of [
    ["an error that nothing catches", "setTimeout(() => { throw new Error('out of nowhere, out of memory'); }, 1);"],
    ["a rejection that nobody handles", "void Promise.reject(new Error('out of nowhere, out of memory'));"],
  ] as const) {
    test(`ends with ${what}, which the owner's log tells whole`, async () => {
      const trip = toolFile("trip", `const run = (context) => new Promise(() => { ${code} });`);
      await using made = await makeWorker({ "trip.js": trip, "count.js": COUNT });
      await made.engine.call("count");
      const { error, text } = await made.engine.call("trip");
      assert.deepEqual([error?.code, error?.started], ["CELL_CRASHED", true]);
      assert.doesNotMatch(text, /out of nowhere|\//u);
      assert.ok(made.log.some(({ detail }) => /Error: out of nowhere.*\n +at /u.test(detail ?? "")));
      assert.equal((await made.engine.call("count")).text, "1");
    });
  }

  test("keeps what it has between calls: timers, servers and listeners go on", async () => {
    const tick = toolFile("tick", "const run = () => ticks;", { code: "let ticks = 0; setInterval(() => { ticks += 1; }, 1);" });
    await using made = await makeWorker({ "tick.js": tick });
    await made.engine.call("tick");
    let ticks = 0;
    while (ticks < 3) ticks = Number((await made.engine.call("tick")).text);
    assert.ok(ticks >= 3);
  });

  test("is not taken for stuck while its turns end, however busy it is", async () => {
    const busy = toolFile(
      "busy",
      `async function run(context) {
  const end = Date.now() + 1500;
  while (Date.now() < end) { for (const until = Date.now() + 40; Date.now() < until; ); await new Promise((resolve) => setTimeout(resolve, 2)); }
  return "done";
}`,
    );
    await using made = await makeWorker({ "busy.js": busy }, { limits: { cpuMs: 700 } });
    assert.equal((await made.engine.call("busy")).text, "done");
  });

  test("may leave garbage behind that is more than it may hold", async () => {
    const churn = toolFile(
      "churn",
      "const run = () => { for (let round = 0; round < 150; round += 1) { const part = []; for (let at = 0; at < 10_000; at += 1) part.push({ at }); } return 'done'; };",
    );
    await using made = await makeWorker({ "churn.js": churn }, { limits: { memoryBytes: 16 * 1024 * 1024 } });
    assert.equal((await made.engine.call("churn")).text, "done");
  });

  test("ends where its buffers, which no heap holds, grow without end", async () => {
    const fill = toolFile(
      "fill",
      "async function run() { for (;;) { kept.push(Buffer.alloc(4 * 1024 * 1024, 1)); await new Promise(setImmediate); } }",
      { code: "const kept = [];" },
    );
    const limits = { memoryBytes: 16 * 1024 * 1024, residentBytes: 64 * 1024 * 1024 };
    await using made = await makeWorker({ "fill.js": fill, "count.js": COUNT }, { limits });
    assert.equal((await made.engine.call("fill")).error?.code, "MEMORY_LIMIT");
    assert.equal((await made.engine.call("count")).text, "1");
  });

  test("lets a call of its own thread's input answer for a turn that does not end", async () => {
    const late = toolFile(
      "late",
      "const run = (context) => { context.progress(null); setTimeout(() => { for (;;); }, 1); return new Promise(() => {}); };",
    );
    await using made = await makeWorker({ "late.js": late, "count.js": COUNT }, { limits: { cpuMs: 700 } });
    const { error } = await made.engine.call("late");
    assert.equal(error?.code, "CPU_LIMIT");
    assert.equal((await made.engine.call("count")).text, "1");
  });

  test("is gone when the engine is closed, with calls in flight too", async () => {
    const serve = toolFile(
      "serve",
      `const run = (context) => new Promise(() => {
  createServer((request, response) => response.end()).listen(0, "127.0.0.1", function () { context.progress(null, String(this.address().port)); });
});`,
      { code: 'import { createServer } from "node:http";' },
    );
    const made = await makeWorker({ "serve.js": serve });
    const port = Promise.withResolvers<string>();
    const call = startCall(made.engine, "serve", {}, { onProgress: (_fraction, detail) => port.resolve(detail) });
    const url = `http://127.0.0.1:${await port.promise}`;
    assert.equal((await fetch(url)).status, 200);
    await made[Symbol.asyncDispose]();
    assert.equal((await call.outcome).error?.code, "CANCELLED");
    let isGone = false;
    await until(() => (void fetch(url).catch(() => (isGone = true)), isGone));
  });

  test("holds no host's event loop open, and the host exits by itself", () => {
    using folder = makeTempFolder();
    const demo = path.join(folder.path, "capabilities", "demo");
    mkdirSync(demo, { recursive: true });
    writeFileSync(path.join(demo, "index.js"), INDEX);
    writeFileSync(path.join(demo, "count.js"), COUNT);
    const host = `import { createEngine } from "toolcell";
const engine = await createEngine({ home: ${JSON.stringify(path.join(folder.path, "home"))}, capabilities: [${JSON.stringify(path.dirname(demo))}] });
await engine.trust("demo");
process.stdout.write((await engine.call("count")).text);`;
    const { stdout, status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", host], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.deepEqual([stdout, status, signal], ["1", 0, null]);
  });
});
