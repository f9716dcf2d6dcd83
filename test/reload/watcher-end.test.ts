import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { watchFolders } from "../../src/reload/watcher.ts";
import { countWatches, DEFAULTS, watched } from "./watched.ts";

const FILES = { "weather/a.ts": "1", "weather/lib/x.ts": "1", "time/a.ts": "1" };
const SCRIPT = `
import { watchFolders } from ${JSON.stringify(import.meta.resolve("../../src/reload/watcher.ts"))};
const [root, watchCount, what] = process.argv.slice(1);
const told = () => {};
const watcher = watchFolders(
  [{ path: root, isOptional: false }, { path: root + "-absent", isOptional: true }],
  { settleMs: 60_000, settleMaxMs: 60_000, watchCount: Number(watchCount) },
  { onFolder: told, onRoot: told, onTrouble: told },
);
await watcher.ready;
const { writeFileSync } = await import("node:fs");
writeFileSync(root + "/weather/a.ts", "2");
watcher.follow(root + "/weather", ["lib/x.ts"]);
if (what === "close") await watcher.close();
// What has just been answered is listed until the next turn.
await new Promise((resolve) => setImmediate(resolve));
console.log(process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap").join());
`;

for (const watchCount of [1000, 1]) {
  for (const what of ["leave", "close"]) {
    test(`a script ends that does nothing but watch: ${watchCount} watches, ${what}`, () => {
      using temp = makeTempFolder();
      writeFiles(temp.path, Object.fromEntries(Object.entries(FILES).map(([file, text]) => [`caps/${file}`, text])));
      const words = ["--input-type=module", "-e", SCRIPT, path.join(temp.path, "caps"), String(watchCount), what];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8", timeout: 60_000 });
      assert.deepEqual([status, stderr], [0, ""]);
      if (what === "close") assert.equal(stdout, "\n");
    });
  }
}

test("closing leaves no watch, tells nothing more, and may be asked for again", async () => {
  const before = countWatches();
  const made = await watched(FILES, { limits: { settleMs: 1, settleMaxMs: 1 } });
  made.watcher.follow(made.in("caps/weather"), ["lib/x.ts"]);
  await made.told.next("folder caps/weather");
  assert.ok(countWatches() > before);
  made.write("caps/weather/a.ts", "2");
  made.write("caps/new/a.ts", "2");
  const closing = made.watcher.close();
  const told = made.told.rest();
  assert.equal(made.watcher.close(), closing);
  await closing;
  await made.watcher[Symbol.asyncDispose]();
  assert.equal(countWatches(), before);
  made.write("caps/weather/a.ts", "3");
  made.watcher.follow(made.in("caps/weather"), ["lib/x.ts"]);
  made.watcher.forget(made.in("caps/weather"));
  await setImmediate();
  assert.deepEqual([told, made.told.rest()], [told, []]);
  await made[Symbol.asyncDispose]();
});

test("closing at once, before anything is watched, leaves no watch either", async () => {
  using temp = makeTempFolder();
  writeFiles(temp.path, FILES);
  const before = countWatches();
  const told: string[] = [];
  const tell = (what: string): unknown => told.push(what);
  const watcher = watchFolders([{ path: temp.path, isOptional: false }], DEFAULTS, { onFolder: tell, onRoot: tell, onTrouble: tell });
  await watcher.close();
  await watcher.ready;
  assert.deepEqual([countWatches(), told], [before, []]);
});

test("two watchers of one folder tell each of it, and closing one leaves the other", async () => {
  await using one = await watched(FILES);
  const told: string[] = [];
  const events = { onFolder: (folder: string) => told.push(folder), onRoot: () => undefined, onTrouble: () => undefined };
  const other = watchFolders([{ path: one.in("caps"), isOptional: false }], { ...DEFAULTS, settleMs: 1 }, events);
  await other.ready;
  one.write("caps/weather/a.ts", "2");
  await one.told.next("folder caps/weather");
  assert.deepEqual(told, [one.in("caps/weather")]);
  await other.close();
  one.write("caps/weather/a.ts", "3");
  assert.deepEqual(await one.toldOf(), ["folder caps/weather"]);
  assert.equal(told.length, 1);
});
