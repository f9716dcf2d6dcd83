import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, test } from "node:test";
import { countWatches, watched } from "./watched.ts";

const FILES = { "weather/a.ts": "1" };
const isWindows = process.platform === "win32";

describe("many files", { skip: isWindows && "it has no xargs" }, () => {
  test("100,000 in a capability's folder cost one watch, hardly any memory and no time", async () => {
    using temp = makeMemoryFolder();
    mkdirSync(path.join(temp.path, "big"));
    makeMany(path.join(temp.path, "big"), 100_000);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    await using made = await watched({}, { roots: [{ path: ".", isOptional: false }], temp });
    const tookMs = performance.now() - start;
    const grown = process.memoryUsage().rss - before;
    assert.ok(tookMs < 1000, `${tookMs} ms`);
    assert.ok(grown < 20 * 1024 * 1024, `${grown} bytes`);
    // Three roots, and the folders big, caps, last and last/told, of which two are roots too and share their watch.
    if (process.platform === "linux") assert.equal(countWatches(), 5);
    made.write("big/tool.ts", "1");
    assert.deepEqual(await made.toldOf(), ["folder big"]);
  });

  test("a thousand written beside the code are told of by nothing", async () => {
    await using made = await watched(FILES);
    const child = spawn("sh", ["-c", "seq 1000 | xargs touch; seq 1000 | xargs rm"], { cwd: made.in("caps/weather") });
    await once(child, "exit");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("tens of thousands written and removed at full speed leave the loop to others, and code written in their midst is told", async () => {
    using temp = makeMemoryFolder();
    await using made = await watched(FILES, { temp });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const start = performance.now();
    delay.enable();
    const line = "seq 50000 | xargs touch; echo new > a.ts; seq 50000 | xargs rm";
    const child = spawn("sh", ["-c", line], { cwd: made.in("caps/weather") });
    await once(child, "exit");
    delay.disable();
    const [tookMs, longestMs] = [performance.now() - start, delay.max / 1e6];
    assert.ok(longestMs < tookMs / 2, `${longestMs} of ${tookMs} ms`);
    await made.told.next("folder caps/weather");
    await made.calm();
    made.write("caps/weather/a.ts", "newer");
    await made.told.next("folder caps/weather");
  });

  test("more than the system holds back for a host that is busy are as good as a change of everything", async () => {
    using temp = makeMemoryFolder();
    await using made = await watched({ ...FILES, "other/a.ts": "1" }, { temp });
    // The host waits here, and reads no event meanwhile.
    makeMany(made.in("caps/weather"), 30_000);
    writeFileSync(made.in("caps/other/a.ts"), "2");
    const told = new Set([await made.told.next("folder"), await made.told.next("folder")]);
    assert.ok(told.has("folder caps/other"), [...told].join(", "));
    await made.calm();
    made.write("caps/other/a.ts", "3");
    assert.deepEqual(
      (await made.toldOf()).filter((what) => what !== "folder caps/weather"),
      ["folder caps/other"],
    );
  });

  test("20,000 beside the capabilities are told of as changes of the root, and take no watch", async () => {
    using temp = makeMemoryFolder();
    await using made = await watched(FILES, { temp });
    const before = countWatches();
    makeMany(made.in("caps"), 20_000);
    await made.told.next("root caps");
    assert.ok(countWatches() <= before);
    await made.calm();
    made.write("caps/weather/a.ts", "2");
    await made.told.next("folder caps/weather");
  });
});

function makeMany(folder: string, count: number): void {
  const { status } = spawnSync("sh", ["-c", `seq ${count} | xargs touch`], { cwd: folder });
  assert.equal(status, 0);
}

/** A folder in memory where the system has one: what is measured is the watcher, and not the disk. */
function makeMemoryFolder() {
  const parent = process.platform === "linux" ? "/dev/shm" : tmpdir();
  const folder = mkdtempSync(path.join(parent, "toolcell-test-"));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
